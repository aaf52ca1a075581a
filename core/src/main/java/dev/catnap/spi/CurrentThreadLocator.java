package dev.catnap.spi;

import org.jspecify.annotations.Nullable;

/**
 * Finds the platform thread that runs the caller. The default is {@link Thread#currentThread}; with
 * virtual threads it must be their carrier.
 */
@FunctionalInterface
public interface CurrentThreadLocator {

  /**
   * The thread underneath the caller.
   *
   * @return never null
   */
  Thread currentPlatformThread();

  /**
   * What a worker's thread carries at this moment; for diagnostics, so it may be slow, and the
   * answer may be out of date when it arrives.
   *
   * @param worker the thread of a worker
   * @return a virtual thread; null: none, or that cannot be told
   */
  default @Nullable Thread carriedBy(Thread worker) {
    return null;
  }

  /**
   * Interrupts the task that runs on a worker's thread, for {@code shutdownNow}. Not a virtual
   * thread that is mounted there: that is a thread of its own, and outlives the scheduler. Nor may
   * the status stay on a thread that carries: while the virtual thread is pinned, each of its parks
   * would return at once, a spin.
   *
   * @param worker the thread of a worker
   */
  default void interrupt(Thread worker) {
    worker.interrupt();
  }
}
