package dev.catnap.benchmarks.plan;

import dev.catnap.benchmarks.measure.ContextSwitches;
import dev.catnap.benchmarks.measure.CpuTime;
import dev.catnap.benchmarks.measure.ForeignLoad;
import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.measure.Readings;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** A number that each fork yields, and where in JMH's result it is. */
public enum Metric {
  TIME("time us", "", true) {
    @Override
    public OptionalDouble of(RunResult fork) {
      return OptionalDouble.of(fork.getPrimaryResult().getScore());
    }
  },
  CPU("CPU us", CpuTime.LABEL, true),
  P50("p50 us", Latencies.LABEL, true) {
    @Override
    double score(Result<?> histogram) {
      return histogram.getStatistics().getPercentile(50);
    }
  },
  P99("p99 us", Latencies.LABEL, true) {
    @Override
    double score(Result<?> histogram) {
      return histogram.getStatistics().getPercentile(99);
    }
  },
  MAX("max us", Latencies.LABEL, true) {
    @Override
    double score(Result<?> histogram) {
      return histogram.getStatistics().getMax();
    }
  },
  RETAINED("kept B", Readings.RETAINED, true),
  ALLOCATED("alloc B", "gc.alloc.rate.norm", false),
  VOLUNTARY("sleeps", ContextSwitches.VOLUNTARY, false),
  INVOLUNTARY("preempts", ContextSwitches.INVOLUNTARY, false),
  POOL_CPU("pool's CPU ms/s", Readings.POOL_CPU, true),
  POOL_SWITCHES("pool's switches /s", Readings.POOL_SWITCHES, true),
  POOL_SLEEPS("pool's sleeps /publish", Readings.POOL_SLEEPS, true),
  REQUEST_TIME("time us/request", Readings.REQUEST_TIME, true),
  REQUEST_CPU("CPU us/request", Readings.REQUEST_CPU, true),
  REQUEST_P50("p50 us", Readings.REQUEST_P50, true),
  REQUEST_P99("p99 us", Readings.REQUEST_P99, true),
  /** More is better: not to be compared. */
  REQUEST_RATE("requests /s", Readings.REQUEST_RATE, false),
  /** Known of Catnap only. */
  WAKES("wakes /publish", Readings.WAKES, true),
  FUTILE_WAKES("futile wakes /publish", Readings.FUTILE_WAKES, true),
  /** Not of the scheduler, but of the machine: whether anything else ran. */
  FOREIGN("others' cores", ForeignLoad.LABEL, false);

  /** For rows in which an operation's time is what counts. */
  public static final List<Metric> TIMES = List.of(TIME, CPU, ALLOCATED, VOLUNTARY, INVOLUNTARY);

  /**
   * For rows with a histogram; their operations contain pauses, so that their time says nothing.
   */
  public static final List<Metric> LATENCIES =
      List.of(P50, P99, CPU, ALLOCATED, VOLUNTARY, INVOLUNTARY);

  /** The same where the longest counts. */
  public static final List<Metric> STARTS =
      List.of(P50, P99, MAX, CPU, ALLOCATED, VOLUNTARY, INVOLUNTARY);

  private final String heading;
  private final String label;
  private final boolean ranged;

  Metric(String heading, String label, boolean ranged) {
    this.heading = heading;
    this.label = label;
    this.ranged = ranged;
  }

  /**
   * Whether tables show the range over forks.
   *
   * @return true for what is compared
   */
  public boolean isRanged() {
    return ranged;
  }

  /**
   * The heading of its column.
   *
   * @return with the unit; per operation
   */
  public String heading() {
    return heading;
  }

  /**
   * Its name in a sentence.
   *
   * @return without the unit
   */
  public String noun() {
    return heading.replaceFirst(" (us|B|ms/s|/s|/publish|us/request)$", "");
  }

  /**
   * Reads it from the result of a fork.
   *
   * @param fork the result
   * @return empty if this benchmark does not yield it
   */
  public OptionalDouble of(RunResult fork) {
    @SuppressWarnings("rawtypes") // JMH's own signature
    Map<String, Result> secondary = fork.getSecondaryResults();
    Result<?> result = secondary.get(label);
    return result == null ? OptionalDouble.empty() : OptionalDouble.of(score(result));
  }

  double score(Result<?> result) {
    return result.getScore();
  }
}
