package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.measure.PoolThreads;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.PacedTasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** What a pool costs that has a little to do every now and then. */
public class W2PacedTasks extends PoolBenchmark {
  private static final Duration OPERATION = Duration.ofMillis(100);

  static final Row ROW =
      new Row(
          "W2",
          "CPU time of a pool's threads at a low rate of tasks from outside",
          Family.OTHER,
          List.of(paced("100 us", 100), paced("1 ms", 1_000), paced("10 ms", 10_000)));

  /** Set by JMH. */
  @Param("100")
  public int intervalMicros;

  private static Case paced(String interval, int micros) {
    return new Case(
        "a task every " + interval,
        W2PacedTasks.class,
        "paced",
        Map.of("intervalMicros", Integer.toString(micros)),
        LINEUP,
        List.of(Metric.POOL_CPU, Metric.POOL_SWITCHES, Metric.P50, Metric.P99),
        List.of(
            Ratio.ofBestPeer(Metric.POOL_CPU).atMost(0.5),
            Ratio.ofBestPeer(Metric.P50),
            Ratio.ofBestPeer(Metric.P99)));
  }

  /** A tenth of a second of them. */
  @Benchmark
  public long paced() {
    Duration interval = Duration.ofNanos(intervalMicros * 1_000L);
    PacedTasks tasks =
        new PacedTasks(target(), PATIENCE, interval, (int) OPERATION.dividedBy(interval));
    PoolThreads before = used();
    long start = System.nanoTime();
    long ran = tasks.run(Latencies::record);
    recordUse(before, start);
    return ran;
  }
}
