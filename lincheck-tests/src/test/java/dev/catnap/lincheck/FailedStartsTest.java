package dev.catnap.lincheck;

import dev.catnap.internal.blocking.FailedStarts;
import dev.catnap.spi.MonotonicClock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** F8: of workers that find at the same time that no thread can be started, one says so. */
class FailedStartsTest extends ModelCheckedSuite {
  /** Without the swap it is found within 10. */
  private static final int INVOCATIONS = 100;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void aRowOfFailuresHasOneFirst() {
    explore(INVOCATIONS, FailedStartsTest::failTwice);
  }

  private static void failTwice() {
    FailedStarts starts = new FailedStarts(MonotonicClock.SYSTEM);
    AtomicInteger reports = new AtomicInteger();
    Thread other = startElsewhere(() -> fail(starts, reports));
    fail(starts, reports);
    Canary.join(other);
    check(reports.get() == 1, "reports", reports);
    starts.endRow();
    fail(starts, reports);
    check(reports.get() == 2, "reports of the next row", reports);
  }

  private static void fail(FailedStarts starts, AtomicInteger reports) {
    if (starts.failed()) {
      reports.incrementAndGet();
    }
  }
}
