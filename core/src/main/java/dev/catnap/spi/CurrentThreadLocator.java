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
}
