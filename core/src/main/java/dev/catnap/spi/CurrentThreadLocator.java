package dev.catnap.spi;

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
}
