package dev.catnap.internal.fork;

import dev.catnap.ForkScope;
import dev.catnap.internal.sleep.Awaited;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is to end before a scope does: its body, and each subtask from its fork to its end. A
 * subtask that forks is not over yet, so the count reaches zero once.
 */
public final class TaskScope implements ForkScope, Awaited {

  /** Where subtasks go. Called by any thread. */
  public interface Forker {
    /** Push: makes it visible to those who run it. Throws if it is refused, or there is no room. */
    void push(ForkTask task);

    /** The rest of Publish. */
    void publish();
  }

  private final Forker forker;
  private final Waiter waiter;

  /** The body and the subtasks that are not over. */
  private final AtomicLong pending = new AtomicLong(1);

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Its body is about to run on the waiter. */
  public TaskScope(Forker forker, Waiter waiter) {
    this.forker = forker;
    this.waiter = waiter;
  }

  @Override
  public void fork(Runnable task) {
    ScopeTask forked = new ScopeTask(this, Objects.requireNonNull(task, "task"));
    begin(task);
    try {
      forker.push(forked);
    } catch (Throwable t) {
      end(); // it is nowhere, and nobody else will
      throw t;
    }
    forker.publish();
  }

  private void begin(Runnable task) {
    for (; ; ) {
      long n = pending.get();
      if (n == 0) {
        throw new IllegalStateException("the scope is over and cannot fork " + task);
      }
      if (pending.compareAndSet(n, n + 1)) {
        return;
      }
    }
  }

  /** The body, or a subtask, threw this. Before its {@link #end}. */
  public void fail(Throwable thrown) {
    Throwable first = failure.get();
    if (first == null && failure.compareAndSet(null, thrown)) {
      return;
    }
    Throwable earlier = Objects.requireNonNull(failure.get());
    Failures.add(earlier, thrown);
  }

  /** The body, or a subtask, is over. */
  public void end() {
    // Sequentially consistent, and before the look at the waiter's latch: as in Branch.complete.
    if (pending.decrementAndGet() == 0) {
      waiter.wake();
    }
  }

  @Override
  public boolean isDone() {
    return pending.get() == 0;
  }

  /** When done: throws what was thrown first, if anything. */
  public void rethrow() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw Failures.raise(thrown);
    }
  }

  @Override
  public String toString() {
    return "scope with " + pending.get() + " pending";
  }
}
