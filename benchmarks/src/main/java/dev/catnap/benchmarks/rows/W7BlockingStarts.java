package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.BlockingStarts;
import dev.catnap.benchmarks.workloads.Pauses;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Whether a task that only blocks waits for those that compute. */
public class W7BlockingStarts extends CoroutineBenchmark {
  private static final double LONGEST_MEDIAN_MICROS = 150;
  private static final double LONGEST_MICROS = 5_000;

  static final Row ROW =
      new Row(
          "W7",
          "start latency of a task for blocking calls while every worker is in a task",
          Family.OTHER,
          List.of(starts("all blocked", "0"), starts("all computing", "1")));

  /** Set by JMH. 1: they compute; 0: they wait for a latch. */
  @Param("0")
  public int computing;

  private final Pauses pauses = new Pauses();

  private static Case starts(String name, String computing) {
    return new Case(
        name,
        W7BlockingStarts.class,
        "start",
        Map.of("computing", computing),
        C7BlockingHops.PAIRS,
        Metric.STARTS,
        List.of(
            Ratio.figure(Metric.P50).atMost(LONGEST_MEDIAN_MICROS),
            Ratio.figure(Metric.MAX).atMost(LONGEST_MICROS),
            Ratio.ofBestPeer(Metric.P50),
            Ratio.ofBestPeer(Metric.P99)));
  }

  /** One of them, a pause after the tasks have begun. */
  @Benchmark
  public long start() {
    long nanos =
        BlockingStarts.startBesideTasks(
            dispatcher(), blocking(), workers, computing != 0, pauses::pause);
    Latencies.record(nanos);
    return nanos;
  }
}
