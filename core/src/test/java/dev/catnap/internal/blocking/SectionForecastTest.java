package dev.catnap.internal.blocking;

import static dev.catnap.internal.blocking.SectionForecast.AVERAGED;
import static dev.catnap.internal.blocking.SectionForecast.LOST_ON_CREDIT_NANOS;
import static dev.catnap.internal.blocking.SectionForecast.SHORT_NANOS;
import static dev.catnap.internal.blocking.SectionForecast.TIMES_AS_LONG;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G9: when a worker may bet that a declared section is over soon. */
class SectionForecastTest {
  private static final long MOST_LOST_NANOS = 10_000_000;

  /** What is lost by such a section is all the credit, and more. */
  private static final long LONG_NANOS = 2 * LOST_ON_CREDIT_NANOS;

  /** So long after it, no right is kept. */
  private static final long PAID_NANOS =
      TIMES_AS_LONG * (LONG_NANOS - SHORT_NANOS - LOST_ON_CREDIT_NANOS);

  private int processors = 1;
  private long now = 1_000;

  private final SectionForecast pool =
      new SectionForecast(MOST_LOST_NANOS, () -> processors, () -> now);
  private final SectionForecast.Row worker = new SectionForecast.Row(pool);
  private final SectionForecast.Row other = new SectionForecast.Row(pool);

  @Test
  void aNewWorkerIsConvincedByShortSections() {
    assertFalse(section(worker, 0), "nothing is known yet");
    becomeSure(worker);
    for (int i = 0; i < 3 * AVERAGED; i++) {
      assertTrue(section(worker, i % 2 == 0 ? 0 : SHORT_NANOS));
    }
  }

  @Test
  void whoseSectionsLastIsNeverConvinced() {
    for (int i = 0; i < 10 * AVERAGED; i++) {
      assertFalse(section(worker, SHORT_NANOS + 1), "after " + i);
    }
  }

  @Test
  void whereOneInFourLastsNobodyIsConvinced() {
    for (int i = 0; i < 10 * AVERAGED; i++) {
      assertFalse(section(worker, i % 4 == 0 ? LONG_NANOS : 0), "after " + i);
    }
  }

  /** Its thread had to wait for a processor: where rights are left for that, it happens often. */
  @Test
  void oneThatLastedTenTimesAsLongIsNoReasonToLeaveTheNext() {
    becomeSure(worker);
    assertTrue(section(worker, 10 * SHORT_NANOS));
    assertTrue(section(worker, 0));
  }

  @Test
  void afterSomeThatLastedTheRowBeginsAnew() {
    becomeSure(worker);
    int kept = 0;
    while (section(worker, LOST_ON_CREDIT_NANOS)) {
      now += TIMES_AS_LONG * LOST_ON_CREDIT_NANOS; // it is paid for
      kept++;
      assertTrue(
          kept <= 3, "each of them counts a thirty-second of its length, and 50 us are long");
    }
    now += TIMES_AS_LONG * MOST_LOST_NANOS;
    assertFalse(section(worker, 0), "one short section says nothing");
    for (int i = 0; i < 3 * AVERAGED; i++) {
      section(worker, 0);
    }
    assertTrue(section(worker, 0));
  }

  @Test
  void whatLastsOnOneWorkerIsPaidForByAllOfThem() {
    becomeSure(other);
    becomeSure(worker);
    assertTrue(section(worker, LONG_NANOS));
    assertFalse(section(other, 0));
    now += PAID_NANOS - 1;
    assertFalse(section(other, 0));
    now++;
    assertTrue(section(other, 0));
  }

  @Test
  void whatIsLostAddsUp() {
    becomeSure(worker);
    for (int i = 0; i < 3; i++) {
      pool.surprised(LOST_ON_CREDIT_NANOS / 2 + SHORT_NANOS);
    }
    now += TIMES_AS_LONG * LOST_ON_CREDIT_NANOS / 2 - 1;
    assertFalse(section(worker, 0));
    now++;
    assertTrue(section(worker, 0));
  }

  /** A hundred workers that lose a millisecond each are not slowed down by it as one would be. */
  @Test
  void whatIsLostIsSharedByTheProcessors() {
    processors = 4;
    becomeSure(worker);
    pool.surprised(8 * LOST_ON_CREDIT_NANOS + SHORT_NANOS);
    now += TIMES_AS_LONG * LOST_ON_CREDIT_NANOS - 1;
    assertFalse(section(worker, 0));
    now++;
    assertTrue(section(worker, 0));
  }

  @Test
  void oneThatLastedVeryLongIsNotRememberedForEver() {
    becomeSure(other);
    becomeSure(worker);
    assertTrue(section(worker, TimeUnit.HOURS.toNanos(1)));
    long paid = TIMES_AS_LONG * (MOST_LOST_NANOS - SHORT_NANOS - LOST_ON_CREDIT_NANOS);
    now += paid - 1;
    assertFalse(section(other, 0));
    now++;
    assertTrue(section(other, 0));
    for (int i = 0; i < 8 * AVERAGED; i++) {
      section(worker, 0);
    }
    assertTrue(section(worker, 0));
  }

  /** However long there was nothing to pay for. */
  @Test
  void creditDoesNotAddUp() {
    becomeSure(worker);
    now += 1_000 * TIMES_AS_LONG * MOST_LOST_NANOS;
    pool.surprised(LONG_NANOS);
    assertFalse(section(worker, 0));
  }

  /** Its right was left at once, or taken by the sentinel, which told. */
  @Test
  void oneWhoseRightWasNotKeptToTheEndHasCostNothingMore() {
    becomeSure(other);
    becomeSure(worker);
    worker.begin();
    now += LONG_NANOS;
    worker.end(false);
    assertTrue(section(other, 0));
    assertFalse(section(worker, 0), "but it counts in its own average");
  }

  /** Told by the sentinel, long before the section is over. */
  @Test
  void whoSeesASectionThatLastsTellsTheOthers() {
    becomeSure(other);
    becomeSure(worker);
    assertTrue(worker.begin());
    now += LONG_NANOS;
    pool.surprised(worker.nanosSinceBegin());
    assertFalse(section(other, 0));
    now += PAID_NANOS;
    assertTrue(section(other, 0));
  }

  @Test
  void aWaitThatNobodyDeclaredSaysNothing() {
    becomeSure(worker);
    now += LONG_NANOS;
    worker.end(true); // of one that did not begin
    assertTrue(section(worker, 0));
  }

  /** What the class says of its cost, whatever the sections are like. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void noMoreIsLostThanATwentiethOfTheTime(int seed) {
    var random = new Random(seed);
    long begin = now;
    long lost = 0;
    int lasted = 0;
    for (int i = 0; i < 100_000; i++) {
      var row = random.nextBoolean() ? worker : other;
      boolean lasts = random.nextInt(1 << (seed + 1)) == 0;
      long nanos = random.nextInt(lasts ? 2 * (int) MOST_LOST_NANOS : (int) SHORT_NANOS);
      if (section(row, nanos) && nanos > SHORT_NANOS) {
        lost += Math.min(nanos, MOST_LOST_NANOS) - SHORT_NANOS;
        lasted++;
      }
      long most = (now - begin) / TIMES_AS_LONG + LOST_ON_CREDIT_NANOS + MOST_LOST_NANOS;
      assertTrue(lost <= most, lost + " ns of " + (now - begin) + " are lost after " + i);
    }
    assertTrue(seed < 5 || lasted > 10, "some that lasted were kept: " + lasted);
  }

  @Test
  void theClockMayOverflow() {
    now = Long.MAX_VALUE - PAID_NANOS / 2;
    var late = new SectionForecast(MOST_LOST_NANOS, () -> 1, () -> now);
    var sections = new SectionForecast.Row(late);
    becomeSure(sections);
    late.surprised(LONG_NANOS);
    assertFalse(section(sections, 0));
    now += PAID_NANOS;
    assertTrue(section(sections, 0));
    assertTrue(now < 0);
  }

  @Test
  void withoutASentinelNobodyKeepsItsRight() {
    var none = new SectionForecast.Row(new SectionForecast(0, () -> 1, () -> now));
    for (int i = 0; i < 2 * AVERAGED; i++) {
      assertFalse(section(none, 0));
    }
  }

  private void becomeSure(SectionForecast.Row sections) {
    for (int i = 0; i < AVERAGED; i++) {
      section(sections, 0);
    }
    assertTrue(section(sections, 0));
  }

  private boolean section(SectionForecast.Row sections, long nanos) {
    boolean likely = sections.begin();
    now += nanos;
    sections.end(likely);
    return likely;
  }
}
