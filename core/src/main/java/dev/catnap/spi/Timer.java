package dev.catnap.spi;

/** An armed timer. */
@FunctionalInterface
public interface Timer {

  /**
   * Disarms it, from any thread. The task is released at once; nothing of a cancelled timer stays
   * behind.
   *
   * @return true: it will not fire; false: it was cancelled before, or its task was published
   *     already
   */
  boolean cancel();
}
