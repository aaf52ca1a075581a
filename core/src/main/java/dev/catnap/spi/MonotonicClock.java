package dev.catnap.spi;

import java.util.concurrent.locks.LockSupport;

/**
 * The time of a scheduler, and how its helper threads wait for it: the timer thread until the next
 * deadline, the sentinel until its next round. The seam through which a test decides what time it
 * is. Workers park with {@link SchedulerTuning#parker}, which must follow the same time where a
 * spare's keep-alive matters.
 *
 * <p>The contract of {@link #nanoTime} is that of {@link System#nanoTime}: any origin, never
 * backwards, values compared by difference. Implementations must be thread-safe and must not throw.
 */
@FunctionalInterface
public interface MonotonicClock extends Parker {

  /** The clock of the JVM, and {@link LockSupport}. */
  MonotonicClock SYSTEM =
      new MonotonicClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public String toString() {
          return "System.nanoTime";
        }
      };

  /**
   * What time it is.
   *
   * @return nanoseconds since some origin, which may be in the future
   */
  long nanoTime();

  @Override
  default void park(Object blocker) {
    LOCK_SUPPORT.park(blocker);
  }

  @Override
  default void parkNanos(Object blocker, long nanos) {
    LOCK_SUPPORT.parkNanos(blocker, nanos);
  }

  @Override
  default void unpark(Thread thread) {
    LOCK_SUPPORT.unpark(thread);
  }
}
