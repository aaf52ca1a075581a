package dev.catnap.internal.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The phases of a pool, which only go forward, and the count of its threads.
 *
 * <pre>
 *   RUNNING     to SHUTDOWN    shutdown(): new tasks are refused; what was accepted runs, delayed tasks too
 *   SHUTDOWN    to DRAINING    no delayed task is left, the injector is closed: workers rest when they find nothing
 *   DRAINING    to STOPPED     every worker rests, so nothing is left and nothing can come: workers end
 *   SHUTDOWN or
 *   DRAINING    to STOPPING    shutdownNow(): its caller takes what waits in the queues, workers stand still
 *   STOPPING    to STOPPED     that is done: workers end
 *   any         to TERMINATED  the last thread is over
 * </pre>
 */
final class Lifecycle {
  static final int RUNNING = 0;
  static final int SHUTDOWN = 1;
  static final int DRAINING = 2;
  static final int STOPPING = 3;
  static final int STOPPED = 4;
  static final int TERMINATED = 5;

  private final AtomicInteger phase = new AtomicInteger(RUNNING);

  /** Threads started and not yet over; of a worker without one, one until its end. */
  private final AtomicInteger threads = new AtomicInteger(0);

  /**
   * Worker threads, but in DRAINING without those that rest, and what lies in inboxes: what can
   * still hold or make a task.
   */
  private final AtomicInteger working = new AtomicInteger(0);

  /** {@code shutdownNow} interrupts what runs: once and for all. */
  private volatile boolean interrupts;

  private final CountDownLatch terminated = new CountDownLatch(1);

  int phase() {
    return phase.get();
  }

  boolean isRunning() {
    return phase.get() == RUNNING;
  }

  /** Whether nothing waits any more and workers end, or have ended. */
  boolean isStopped() {
    return phase.get() >= STOPPED;
  }

  /** True: the caller made this transition; false: the phase was there or further already. */
  boolean advanceTo(int next) {
    for (; ; ) {
      int p = phase.get();
      if (p >= next) {
        return false;
      }
      if (phase.compareAndSet(p, next)) {
        return true;
      }
    }
  }

  /** Before the threads are interrupted; see {@link #interrupts}. */
  void beginInterrupts() {
    interrupts = true;
  }

  /**
   * Whether what runs is interrupted. Asked by a worker before each task, after it has cleared what
   * was not for that:
   *
   * <pre>
   *   T1 worker                        T2 shutdownNow
   *   has taken a task
   *                                    sweeps the queues: it is in none
   *                                    interrupts is true
   *                                    interrupts T1
   *   clears the interrupt
   *   interrupts is true: so is this task to be interrupted
   * </pre>
   *
   * Were it false, T2 would interrupt later, and the task see that.
   */
  boolean interrupts() {
    return interrupts;
  }

  // ---- the end of DRAINING
  // -----------------------------------------------------------------------

  /** A worker thread is about to start, or to leave its rest; before it can hold a task. */
  void work() {
    working.incrementAndGet();
  }

  /**
   * A worker thread is over; or it rests: it saw DRAINING, after that found all queues empty, and
   * will run nothing before its next {@link #work}.
   *
   * <p>True: it was the last, and the caller has just ended DRAINING. Nothing is left then. A task
   * that lies in a queue at that moment was pushed by a worker (the injector is closed), which
   * looked everywhere after that push and before it rested; whoever took the task away from its
   * eyes worked, looked, and rested in its turn, and so on to the last.
   */
  boolean rest() {
    return working.decrementAndGet() == 0 && endDraining();
  }

  /** For the thread that began DRAINING: all workers may have been over before. */
  void endDrainingIfNobodyWorks() {
    if (working.get() == 0) {
      endDraining();
    }
  }

  private boolean endDraining() {
    return phase.compareAndSet(DRAINING, STOPPED);
  }

  // ---- threads
  // -----------------------------------------------------------------------------------

  /** Counts a thread that is about to start; false: too late, the pool is over. */
  boolean tryAddThread() {
    for (; ; ) {
      int n = threads.get();
      if (n == 0 && phase.get() >= DRAINING) {
        return false;
      }
      if (threads.compareAndSet(n, n + 1)) {
        return true;
      }
    }
  }

  /** A thread is over, or could not be started. */
  void removeThread() {
    if (threads.decrementAndGet() == 0 && phase.get() >= DRAINING) {
      terminate();
    }
  }

  /** Ends a pool that has no threads left; harmless otherwise. */
  void terminateIfNoThreads() {
    if (threads.get() == 0) {
      terminate();
    }
  }

  private void terminate() {
    advanceTo(TERMINATED);
    terminated.countDown();
  }

  int threads() {
    return threads.get();
  }

  boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return terminated.await(timeout, unit);
  }

  @Override
  public String toString() {
    return switch (phase.get()) {
      case RUNNING -> "running";
      case SHUTDOWN -> "shut down";
      case DRAINING -> "draining";
      case STOPPING, STOPPED -> "stopping";
      default -> "terminated";
    };
  }
}
