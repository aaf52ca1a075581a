package dev.catnap.benchmarks.measure;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Numbers that a benchmark reads by itself once per operation, as their mean over an iteration;
 * none for benchmarks that record nothing. Static for the same reason as {@link Latencies}.
 */
public final class Readings implements InternalProfiler {
  /** Milliseconds of CPU time that the pool's threads took per second. */
  public static final String POOL_CPU = "pool.cpu";

  /** How often per second the pool's threads went to sleep or had to give way. */
  public static final String POOL_SWITCHES = "pool.switches";

  /** How often the pool's threads went to sleep, per publish. */
  public static final String POOL_SLEEPS = "pool.sleeps";

  /** Unparks per publish, as the scheduler counts them. */
  public static final String WAKES = "wakes";

  /** Those after which the worker found nothing. */
  public static final String FUTILE_WAKES = "wakes.futile";

  /** Bytes that each of many things keeps. */
  public static final String RETAINED = "retained";

  /** Microseconds in which a server has answered one request more. */
  public static final String REQUEST_TIME = "request.time";

  /** Microseconds of the server's CPU time for each. */
  public static final String REQUEST_CPU = "request.cpu";

  /** Microseconds from a request to its answer. */
  public static final String REQUEST_P50 = "request.p50";

  /** The same. */
  public static final String REQUEST_P99 = "request.p99";

  /** Requests answered per second. */
  public static final String REQUEST_RATE = "request.rate";

  private static Map<String, DoubleSummaryStatistics> readings = new TreeMap<>();

  /**
   * Adds one.
   *
   * @param label one of the constants
   * @param value the number
   */
  public static synchronized void record(String label, double value) {
    readings.computeIfAbsent(label, l -> new DoubleSummaryStatistics()).accept(value);
  }

  private static synchronized Map<String, DoubleSummaryStatistics> take() {
    Map<String, DoubleSummaryStatistics> taken = readings;
    readings = new TreeMap<>();
    return taken;
  }

  @Override
  public String getDescription() {
    return "numbers that the benchmark reads by itself";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    take();
  }

  @Override
  public List<Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return take().entrySet().stream()
        .map(
            reading ->
                new ScalarResult(
                    reading.getKey(), reading.getValue().getAverage(), "-", AggregationPolicy.AVG))
        .collect(Collectors.toUnmodifiableList());
  }
}
