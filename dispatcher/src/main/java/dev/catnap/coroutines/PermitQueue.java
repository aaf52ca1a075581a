package dev.catnap.coroutines;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The counting of a lane: a number of permits, and a queue of tasks. Whoever holds a permit runs
 * tasks from the queue, and gives the permit back when the queue is empty.
 *
 * <p>Guarantee: no task stays in the queue while a permit is free, once the {@link #enter} that
 * brought it has returned. Tasks leave in the order in which they entered. Lock-free, thread-safe.
 */
final class PermitQueue {
  private final int permits;
  private final AtomicInteger taken = new AtomicInteger();
  private final Queue<Runnable> waiting;

  /**
   * All permits free.
   *
   * @param permits how many, at least 1
   * @param waiting an empty, concurrent FIFO queue, for nobody else's use
   */
  PermitQueue(int permits, Queue<Runnable> waiting) {
    this.permits = permits;
    this.waiting = waiting;
  }

  /**
   * Adds a task.
   *
   * @return the oldest task, if there was a free permit: the caller has it now, must run that task
   *     and then call {@link #nextOrLeave}. Null: someone who has a permit will come to the task.
   */
  @Nullable Runnable enter(Runnable task) {
    waiting.add(task); // before the look at the permits, see nextOrLeave
    return tryTake() ? nextOrLeave() : null;
  }

  /**
   * For a caller that has a permit: the next task to run; or null, and the permit is given back.
   *
   * <p>The fragile line is the look at the queue after the permit is back:
   *
   * <pre>
   *   T1 leaves                        T2 enters
   *   finds the queue empty
   *                                    adds its task
   *                                    finds no free permit: leaves the task to T1
   *   gives the permit back
   *   finds the queue not empty, tries to take a permit again
   * </pre>
   *
   * <p>Without it the task would wait for the next {@code enter}, which may never come. Each side
   * writes, then reads what the other wrote, with sequentially consistent accesses: one of the two
   * sees the other. If T1 sees the task but gets no permit, whoever has it goes through here too.
   */
  @Nullable Runnable nextOrLeave() {
    for (; ; ) {
      Runnable next = waiting.poll();
      if (next != null) {
        return next;
      }
      taken.decrementAndGet();
      if (waiting.isEmpty() || !tryTake()) {
        return null;
      }
    }
  }

  /** For a caller that has a permit, and will call {@link #nextOrLeave}: adds a task. */
  void addBehind(Runnable task) {
    waiting.add(task);
  }

  /** Whether a task waits. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** For dumps. Counts what waits, which takes time for long queues. */
  @Override
  public String toString() {
    return taken.get() + " of " + permits + " permits taken, " + waiting.size() + " waiting";
  }

  private boolean tryTake() {
    for (; ; ) {
      int n = taken.get();
      if (n >= permits) {
        return false;
      }
      if (taken.compareAndSet(n, n + 1)) {
        return true;
      }
    }
  }
}
