package dev.catnap.internal.blocking;

import static dev.catnap.internal.blocking.SectionForecast.SHORT_IN_A_ROW;
import static dev.catnap.internal.blocking.SectionForecast.SHORT_NANOS;
import static dev.catnap.internal.blocking.SectionForecast.TIMES_AS_LONG;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** G9: when a worker may bet that a declared section is over soon. */
class SectionForecastTest {
  private static final long MOST_LOST_NANOS = 1_000_000;
  private static final long LONG_NANOS = SHORT_NANOS + 1;

  private long now = 1_000;

  private final SectionForecast pool = new SectionForecast(MOST_LOST_NANOS, () -> now);
  private final SectionForecast.Row worker = new SectionForecast.Row(pool);
  private final SectionForecast.Row other = new SectionForecast.Row(pool);

  @Test
  void onlyAfterARowOfShortSectionsTheNextIsLikelyToBeShort() {
    for (int i = 0; i < SHORT_IN_A_ROW; i++) {
      assertFalse(section(worker, SHORT_NANOS), "after " + i);
    }
    for (int i = 0; i < 3 * SHORT_IN_A_ROW; i++) {
      assertTrue(section(worker, i % 2 == 0 ? 0 : SHORT_NANOS));
    }
  }

  @Test
  void afterOneThatLastedTheRowBeginsAnew() {
    row(worker);
    assertTrue(section(worker, LONG_NANOS), "that one could not be known");
    now += MOST_LOST_NANOS * TIMES_AS_LONG;
    for (int i = 0; i < SHORT_IN_A_ROW; i++) {
      assertFalse(section(worker, 0), "after " + i);
    }
    assertTrue(section(worker, 0));
  }

  /** It costs no more than a twentieth of the time, whatever the sections are like. */
  @Test
  void whatLastsOnOneWorkerIsExpectedToLastOnAllOfThem() {
    row(other);
    row(worker);
    assertTrue(section(worker, LONG_NANOS));
    assertFalse(section(other, 0));
    now += TIMES_AS_LONG * LONG_NANOS - 1;
    assertFalse(section(other, 0));
    now++;
    assertTrue(section(other, 0));
  }

  @Test
  void oneThatLastedVeryLongIsNotRememberedForEver() {
    row(other);
    row(worker);
    assertTrue(section(worker, 100 * MOST_LOST_NANOS));
    now += TIMES_AS_LONG * MOST_LOST_NANOS - 1;
    assertFalse(section(other, 0));
    now++;
    assertTrue(section(other, 0));
  }

  /** Its right was left at once, or taken by the sentinel, which told. */
  @Test
  void oneWhoseRightWasNotKeptToTheEndHasCostNothingMore() {
    row(other);
    row(worker);
    worker.begin();
    now += LONG_NANOS;
    worker.end(false);
    assertTrue(section(other, 0));
    assertFalse(section(worker, 0), "but its own row is over");
  }

  /** Told by the sentinel, long before the section is over. */
  @Test
  void whoSeesASectionThatLastsTellsTheOthers() {
    row(other);
    row(worker);
    assertTrue(worker.begin());
    now += LONG_NANOS;
    pool.surprised(worker.nanosSinceBegin());
    assertFalse(section(other, 0));
    now += TIMES_AS_LONG * LONG_NANOS;
    assertTrue(section(other, 0));
  }

  @Test
  void aWaitThatNobodyDeclaredSaysNothing() {
    row(worker);
    now += LONG_NANOS;
    worker.end(true); // of one that did not begin
    assertTrue(section(worker, 0));
  }

  @Test
  void theClockMayOverflow() {
    row(worker);
    now = Long.MAX_VALUE;
    var late = new SectionForecast(MOST_LOST_NANOS, () -> now);
    var sections = new SectionForecast.Row(late);
    row(sections);
    late.surprised(LONG_NANOS);
    assertFalse(section(sections, 0));
    now += TIMES_AS_LONG * LONG_NANOS;
    assertTrue(section(sections, 0));
  }

  @Test
  void withoutASentinelNobodyKeepsItsRight() {
    var none = new SectionForecast.Row(new SectionForecast(0, () -> now));
    for (int i = 0; i < 2 * SHORT_IN_A_ROW; i++) {
      assertFalse(section(none, 0));
    }
  }

  private void row(SectionForecast.Row sections) {
    for (int i = 0; i < SHORT_IN_A_ROW; i++) {
      section(sections, 0);
    }
  }

  private boolean section(SectionForecast.Row sections, long nanos) {
    boolean likely = sections.begin();
    now += nanos;
    sections.end(likely);
    return likely;
  }
}
