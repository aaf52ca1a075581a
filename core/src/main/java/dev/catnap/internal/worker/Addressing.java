package dev.catnap.internal.worker;

import dev.catnap.internal.metrics.SharedCount;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.stack.StackReserve;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to one worker (Rayon's broadcast, Tokio's LocalSet). Only the worker itself takes what
 * is addressed to it, so whether somebody searches does not matter: a publish looks at the latch of
 * that worker, and at nothing else.
 *
 * <p>The worker may be a spare without a right to run. Then it is notified, takes a right back, as
 * after a blocking section, and runs what is addressed to it; another worker becomes a spare in its
 * place. It may have retired, or never have had a thread. Then it gets one, before anything is
 * accepted, and from then on does not retire any more.
 *
 * <p>Thread-safe.
 */
public final class Addressing {
  private final boolean never = StackReserve.never();
  private final Pool pool;
  private final Roster roster;
  private final Starter starter;
  private final Sleep sleep;
  private final Lifecycle lifecycle;

  private final SharedCount published = new SharedCount();
  private final SharedCount wakes = new SharedCount();

  Addressing(Pool pool, Roster roster, Starter starter, Sleep sleep, Lifecycle lifecycle) {
    this.pool = pool;
    this.roster = roster;
    this.starter = starter;
    this.sleep = sleep;
    this.lifecycle = lifecycle;
  }

  /**
   * Publishes a new task to the worker of an index.
   *
   * @return false: refused, the pool is shut down
   * @throws IllegalStateException if the worker has no thread and none can be started; the task was
   *     not accepted
   * @throws OutOfMemoryError if its queue cannot grow; the task was not accepted
   */
  public boolean publish(int index, Runnable task) {
    return lifecycle.isRunning() && publishContinuation(index, task);
  }

  /** Publishes something accepted before; false: that worker has ended. */
  public boolean publishContinuation(int index, Runnable task) {
    StackReserve.require(never);
    Worker worker = addressable(index);
    return worker != null && push(worker, task);
  }

  /**
   * Publishes something accepted before to the only worker of a pool that drains together with
   * others (thread per core), when its injector is closed: from one of their workers, or from
   * outside. That it counts as a worker that works decides this race:
   *
   * <pre>
   *   T1 the worker                      T2 worker of another pool
   *   finds nothing, rests
   *                                      resumes what belongs to T1, rests: the last one, so all end
   *   wakes and ends without a look
   * </pre>
   *
   * @return false: the worker has ended
   */
  boolean handOver(Runnable task) {
    Worker worker = roster.worker(0); // it has a thread until its inbox is closed
    worker.inbox.open();
    return push(worker, task);
  }

  /** The worker, with a thread, and one that stays; null: the pool is over. */
  @Nullable Worker addressable(int index) {
    // Below the parallelism, and yet not there: another thread says that there are more, and then
    // starts them one after the other, or could not. It need not be waited for.
    if (index >= roster.size()) {
      roster.addUpTo(index);
    }
    Worker worker = roster.worker(index);
    worker.inbox.open();
    // After the inbox; the worker looks at the inbox after it has retired:
    //   T1 addresses                      T2 a spare, its keep-alive over
    //                                     inbox unopened
    //   reads the latch: SPARE, fine
    //   opens the inbox
    //                                     latch SPARE to RETIRED, its thread ends
    return starter.hasThread(worker) ? worker : null;
  }

  private boolean push(Worker worker, Runnable task) {
    // What lies in an inbox counts as a worker that works: the others, who cannot take it, rest,
    // and the last of them must not end the pool.
    lifecycle.work();
    boolean accepted = false;
    try {
      accepted = worker.inbox.push(task);
    } finally {
      if (!accepted) {
        taken();
      }
    }
    if (!accepted) {
      return false;
    }
    int woken = sleep.publishTo(worker);
    Worker caller = pool.currentWorker();
    if (caller != null) {
      caller.counters.increment(Count.PUBLISHED);
      caller.counters.add(Count.WAKES, woken);
    } else {
      published.increment();
      wakes.add(woken);
    }
    return true;
  }

  /** What is addressed to {@code worker}, for itself, or for {@code shutdownNow}; or null. */
  @Nullable Runnable take(Worker worker) {
    Runnable task = worker.inbox.poll();
    if (task != null) {
      taken();
    }
    return task;
  }

  /** A task was taken out of an inbox, by a worker that works, or was not accepted. */
  private void taken() {
    if (lifecycle.rest()) {
      pool.drained();
    }
  }

  long publishedOutside() {
    return published.sum();
  }

  long wakesFromOutside() {
    return wakes.sum();
  }
}
