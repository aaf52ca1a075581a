package dev.catnap.internal.fork;

import dev.catnap.internal.sleep.Awaited;
import org.jspecify.annotations.Nullable;

/**
 * A task that somebody waits for: the right branch of a join, or what is to run inside a scheduler
 * for a thread outside. A branch that its own worker takes back runs without this: then nothing is
 * written here, and nobody is woken.
 */
public abstract class Branch extends ForkTask implements Awaited {
  private final Waiter waiter;

  private @Nullable Throwable failure;
  private volatile boolean done;

  Branch(Waiter waiter) {
    this.waiter = waiter;
  }

  /** What it is there for. */
  abstract void compute() throws Throwable;

  /** It has begun, or will never: forgets what is not needed any more. */
  abstract void release();

  @Override
  public final void run() {
    try {
      compute();
    } catch (Throwable t) {
      failure = t;
    }
    complete();
  }

  @Override
  public final void cancel(Throwable why) {
    failure = why;
    complete();
  }

  private void complete() {
    release();
    // Volatile, and before the look at the waiter's latch, which is volatile too. Without the order
    //   T1 completes                      T2 waits
    //   reads the latch: AWAKE
    //                                     Register, Commit, SleepFence
    //                                     FinalCheck: not done; parks
    //   done = true, nobody is told
    done = true;
    waiter.wake();
  }

  @Override
  public final boolean isDone() {
    return done;
  }

  /** When done: what it threw. */
  public final @Nullable Throwable failure() {
    return failure;
  }

  /** When done: throws what it threw, if anything. */
  public final void rethrow() {
    if (failure != null) {
      throw Failures.raise(failure);
    }
  }
}
