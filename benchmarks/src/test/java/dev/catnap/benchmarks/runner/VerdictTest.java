package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.benchmarks.plan.Limit;
import dev.catnap.benchmarks.runner.Statistics.Interval;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final Limit AT_LEAST = new Limit(Limit.Sense.AT_LEAST, 1.3);
  private static final Limit AT_MOST = new Limit(Limit.Sense.AT_MOST, 0.5);

  @Test
  void of_wholeIntervalOnOneSide_sure() {
    assertEquals(Verdict.MET, Verdict.of(AT_LEAST, 1.5, new Interval(1.3, 1.6)));
    assertEquals(Verdict.MISSED, Verdict.of(AT_LEAST, 1.1, new Interval(1.0, 1.2)));
    assertEquals(Verdict.MET, Verdict.of(AT_MOST, 0.4, new Interval(0.3, 0.5)));
  }

  @Test
  void of_targetInsideInterval_unsure() {
    assertEquals(Verdict.MET_UNSURE, Verdict.of(AT_LEAST, 1.4, new Interval(1.2, 1.6)));
    assertEquals(Verdict.MISSED_UNSURE, Verdict.of(AT_MOST, 0.6, new Interval(0.4, 0.7)));
  }

  @Test
  void of_noTargetOrNoRatio_none() {
    assertEquals(Verdict.NONE, Verdict.of(null, 1, new Interval(1, 1)));
    assertEquals(Verdict.NONE, Verdict.of(AT_MOST, Double.NaN, new Interval(0, Double.NaN)));
  }
}
