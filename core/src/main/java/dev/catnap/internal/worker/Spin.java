package dev.catnap.internal.worker;

import dev.catnap.spi.MonotonicClock;

/**
 * A pause between two looks for work, by one who waits for another processor. It is measured by the
 * clock: a spin hint lasts 9 ns on one processor and 28 on another, so that what is patient there
 * is not here. .NET's runtime measures its hint at the start for the same reason.
 */
final class Spin {
  /** Each with a look at the clock: more than the longest pause needs, unless that stands still. */
  static final int MOST_HINTS = 1_024;

  private Spin() {}

  /**
   * Spins.
   *
   * @param nanos for so long, by that clock; 0: not at all, without a look at it
   * @param clock what time it is
   */
  static void pause(int nanos, MonotonicClock clock) {
    if (nanos == 0) {
      return;
    }
    long began = clock.nanoTime();
    int hints = 0;
    do {
      Thread.onSpinWait();
      hints++;
    } while (clock.nanoTime() - began < nanos && hints < MOST_HINTS);
  }
}
