package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.StartAndJoin;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.openjdk.jmh.annotations.Benchmark;

/** A fan-out of virtual threads that do next to nothing. */
public class V2StartAndJoin extends VirtualBenchmark {
  private static final int COUNT = 1_000;

  static final Row ROW =
      new Row(
          "V2",
          "1,000 starts and joins of virtual threads",
          Family.VIRTUAL_THREADS,
          List.of(
              starts("from a virtual thread", "inside", 1.3),
              starts("from outside", "outside", 1.2)));

  private static Case starts(String name, String method, double target) {
    return new Case(
        name,
        V2StartAndJoin.class,
        method,
        Map.of(),
        LINEUP,
        Metric.TIMES,
        List.of(Ratio.bestPeer(Metric.TIME).atLeast(target), Ratio.bestPeer(Metric.CPU)));
  }

  /** Started and joined by a virtual thread. */
  @Benchmark
  public long inside() throws InterruptedException, ExecutionException {
    return StartAndJoin.fromVirtualThread(threads(), COUNT);
  }

  /** Started and joined by the benchmark's thread. */
  @Benchmark
  public long outside() throws InterruptedException {
    return StartAndJoin.fromOutside(threads(), COUNT);
  }
}
