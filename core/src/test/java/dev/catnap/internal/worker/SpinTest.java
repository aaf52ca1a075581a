package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.spi.MonotonicClock;
import org.junit.jupiter.api.Test;

/** G4: how far apart the looks are of one that waits for work does not depend on the processor. */
class SpinTest {
  private long now = Long.MAX_VALUE - 450; // it may wrap
  private int reads;

  private MonotonicClock clockWithStepsOf(long nanos) {
    return () -> {
      reads++;
      now += nanos;
      return now;
    };
  }

  /** A hint takes 25 ns there, with a look at the clock. */
  @Test
  void whereHintsAreShortThereAreMore() {
    Spin.pause(900, clockWithStepsOf(25));
    assertEquals(1 + 36, reads);
  }

  @Test
  void whereHintsAreLongThereAreFew() {
    Spin.pause(900, clockWithStepsOf(300));
    assertEquals(1 + 3, reads);
  }

  /** Such as one that costs a call of the hypervisor. */
  @Test
  void aSlowClockIsReadTwice() {
    Spin.pause(900, clockWithStepsOf(2_000));
    assertEquals(2, reads);
  }

  /** A test's, or a model checker's. */
  @Test
  void aClockThatStandsStillHoldsNobodyUp() {
    Spin.pause(900, clockWithStepsOf(0));
    assertEquals(1 + Spin.MOST_HINTS, reads);
  }

  @Test
  void noPauseReadsNoClock() {
    Spin.pause(0, clockWithStepsOf(25));
    assertEquals(0, reads);
  }
}
