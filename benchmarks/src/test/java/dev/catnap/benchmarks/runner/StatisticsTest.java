package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  private static final double EXACT = 1e-9;

  @Test
  void median_oddEvenNone() {
    assertEquals(2, Statistics.median(new double[] {3, 1, 2}));
    assertEquals(2.5, Statistics.median(new double[] {4, 1, 3, 2}));
    assertEquals(Double.NaN, Statistics.median(new double[] {}));
    assertEquals(Double.NaN, Statistics.median(new double[] {Double.NaN, 1, 2}));
  }

  @Test
  void geometricMean_ofRatioAndInverse_one() {
    assertEquals(1, Statistics.geometricMean(new double[] {4, 0.25}), EXACT);
  }

  @Test
  void interval_equalForks_noWidth() {
    Measured measured = SampleCase.measured(new double[] {10, 10, 10}, new double[] {13, 13, 13});
    assertEquals(
        new Statistics.Interval(1.3, 1.3),
        Statistics.interval(measured, Ratio.bestPeer(Metric.TIME)));
  }

  @Test
  void interval_spread_betweenTheExtremes() {
    Measured measured = SampleCase.measured(new double[] {8, 10, 12}, new double[] {16, 20, 24});
    Statistics.Interval interval = Statistics.interval(measured, Ratio.bestPeer(Metric.TIME));
    assertTrue(interval.low() >= 16.0 / 12 && interval.low() < 2, interval.toString());
    assertTrue(interval.high() <= 24.0 / 8 && interval.high() > 2, interval.toString());
  }

  @Test
  void overhead_peerNoSlowerThanFloor_noRatio() {
    Measured measured = SampleCase.measured(new double[] {10}, new double[] {5});
    Ratio ratio = Ratio.ofOverhead(CoroutinePeer.DEFAULT, Metric.TIME);
    assertEquals(Double.NaN, ratio.value().applyAsDouble(measured.standing()));
  }
}
