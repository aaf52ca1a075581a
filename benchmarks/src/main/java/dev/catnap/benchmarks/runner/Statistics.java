package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Ratio;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.DoubleStream;

/** Medians and intervals. */
final class Statistics {
  private static final int RESAMPLINGS = 10_000;
  private static final double TAIL = 0.025;

  private Statistics() {}

  /**
   * An interval, or a range.
   *
   * @param low its lower end
   * @param high its upper end
   */
  record Interval(double low, double high) {}

  /** NaN of none, or if one is NaN. */
  static double median(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    if (Double.isNaN(sorted[sorted.length - 1])) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  static Interval range(double[] values) {
    return new Interval(
        DoubleStream.of(values).min().orElse(Double.NaN),
        DoubleStream.of(values).max().orElse(Double.NaN));
  }

  /**
   * The 95% percentile bootstrap over forks. The best peer is chosen anew each time, so that the
   * luck of having been the best is part of the spread. With very few forks this comes close to the
   * range between the most extreme pairs of forks.
   */
  static Interval interval(Measured measured, Ratio ratio) {
    return interval(random -> ratio.value().applyAsDouble(measured.resampled(random)));
  }

  /** The same for what is computed from several cases. */
  static Interval intervalOf(ToDoubleFunction<Draw> value) {
    return interval(random -> value.applyAsDouble(Draw.resampled(random)));
  }

  private static Interval interval(ToDoubleFunction<RandomGenerator> resampled) {
    // Seeded, so that the same data give the same page.
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    double[] values = new double[RESAMPLINGS];
    for (int i = 0; i < RESAMPLINGS; i++) {
      values[i] = resampled.applyAsDouble(random);
    }
    Arrays.sort(values);
    int cut = (int) (TAIL * RESAMPLINGS);
    // NaN sorts last, and then the upper end has no meaning, as it should be.
    return new Interval(values[cut], values[RESAMPLINGS - 1 - cut]);
  }

  static double geometricMean(double[] values) {
    return Math.exp(DoubleStream.of(values).map(Math::log).average().orElse(Double.NaN));
  }
}
