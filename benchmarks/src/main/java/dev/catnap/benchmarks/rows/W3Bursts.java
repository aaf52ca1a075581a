package dev.catnap.benchmarks.rows;

import dev.catnap.SchedulerStats;
import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.measure.PoolThreads;
import dev.catnap.benchmarks.measure.Readings;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.plan.Sizes;
import dev.catnap.benchmarks.workloads.Bursts;
import dev.catnap.benchmarks.workloads.Pauses;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * How many threads are woken for many tasks at once, and what becomes of that with many workers.
 */
public class W3Bursts extends PoolBenchmark {
  private static final int COUNT = 1_000;

  static final Row ROW =
      new Row(
          "W3",
          "wakes per publish, in bursts from outside into an idle pool",
          Family.OTHER,
          List.of(
              new Case(
                      "1,000 tasks",
                      W3Bursts.class,
                      "burst",
                      Map.of(),
                      LINEUP,
                      List.of(
                          Metric.P50,
                          Metric.CPU,
                          Metric.WAKES,
                          Metric.FUTILE_WAKES,
                          Metric.POOL_SLEEPS),
                      List.of(
                          Ratio.figure(Metric.WAKES).atMost(1),
                          Ratio.ofBestPeer(Metric.POOL_SLEEPS),
                          Ratio.bestPeer(Metric.P50)))
                  .withSizes(new Sizes(List.of(2, 16, 64), Metric.P50, OptionalDouble.of(1.3)))));

  private final Pauses pauses = new Pauses();

  /** One burst, after a pause. */
  @Benchmark
  public long burst() {
    Bursts bursts = new Bursts(target(), PATIENCE, COUNT);
    Supplier<SchedulerStats> stats = target().stats();
    pauses.pause();
    PoolThreads threads = used();
    SchedulerStats before = stats == null ? null : stats.get();
    long nanos = bursts.run();
    Latencies.record(nanos);
    if (stats != null && before != null) {
      SchedulerStats after = stats.get();
      perPublish(Readings.WAKES, after.wakes() - before.wakes());
      perPublish(Readings.FUTILE_WAKES, after.futileWakes() - before.futileWakes());
    }
    perPublish(Readings.POOL_SLEEPS, used().since(threads).sleeps());
    return nanos;
  }

  private static void perPublish(String label, long count) {
    Readings.record(label, (double) count / COUNT);
  }
}
