package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Metric;
import java.util.EnumMap;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/**
 * What one JVM yielded.
 *
 * @param figures by metric; those that the benchmark does not yield are absent
 */
record Fork(Map<Metric, Double> figures) {

  static Fork of(RunResult result) {
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    for (Metric metric : Metric.values()) {
      metric.of(result).ifPresent(figure -> figures.put(metric, figure));
    }
    return new Fork(figures);
  }

  /** NaN if absent. */
  double figure(Metric metric) {
    return figures.getOrDefault(metric, Double.NaN);
  }
}
