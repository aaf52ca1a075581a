package dev.catnap.internal.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The phases of a pool, which only go forward, and the count of its threads.
 *
 * <pre>
 *   RUNNING     to SHUTDOWN    shutdown(): new tasks are refused; what was accepted runs, delayed tasks too
 *   SHUTDOWN    to DRAINING    no delayed task is left, the injector is closed: workers end when they find nothing
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

  /** Threads started and not yet over, and one for the pool itself until it drains. */
  private final AtomicInteger threads = new AtomicInteger(0);

  private final CountDownLatch terminated = new CountDownLatch(1);

  int phase() {
    return phase.get();
  }

  boolean isRunning() {
    return phase.get() == RUNNING;
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
