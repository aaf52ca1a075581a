package dev.catnap.spi;

import java.util.concurrent.locks.LockSupport;

/**
 * How a worker thread stops and is started again: the seam through which a model checker or a test
 * counts, delays or explores parking. The contract is that of {@link LockSupport}: an unpark that
 * comes before the park is not lost, and a park may return for no reason.
 *
 * <p>Called concurrently; implementations must be thread-safe and must not throw. Neither method
 * may run a task or call back into the scheduler.
 */
public interface Parker {

  /** Parks with {@link LockSupport}. */
  Parker LOCK_SUPPORT =
      new Parker() {
        @Override
        public void park(Object blocker) {
          LockSupport.park(blocker);
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
          LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
          LockSupport.unpark(thread);
        }

        @Override
        public String toString() {
          return "LockSupport";
        }
      };

  /**
   * Blocks the calling thread until it is unparked.
   *
   * @param blocker what thread dumps show as the thing waited for
   */
  void park(Object blocker);

  /**
   * Blocks the calling thread until it is unparked or the time is over.
   *
   * @param blocker what thread dumps show as the thing waited for
   * @param nanos the longest time to wait, in nanoseconds
   */
  void parkNanos(Object blocker, long nanos);

  /**
   * Lets the next or current {@code park} of {@code thread} return.
   *
   * @param thread the worker thread to wake
   */
  void unpark(Thread thread);
}
