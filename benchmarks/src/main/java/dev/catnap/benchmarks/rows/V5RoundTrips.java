package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.StartAndJoin;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** A thread outside that waits for one virtual thread after the other. */
public class V5RoundTrips extends VirtualBenchmark {
  private static final int COUNT = 1_000;

  static final Row ROW =
      new Row(
          "V5",
          "1,000 round trips from outside: a virtual thread started and joined, one after the"
              + " other",
          Family.VIRTUAL_THREADS,
          List.of(
              new Case(
                  "by one thread",
                  V5RoundTrips.class,
                  "oneAfterTheOther",
                  Map.of(),
                  LINEUP,
                  Metric.TIMES,
                  List.of(
                      Ratio.bestPeer(Metric.TIME).atLeast(1),
                      Ratio.bestPeer(Metric.CPU).atLeast(1)))));

  /** Started and joined by the benchmark's thread. */
  @Benchmark
  public long oneAfterTheOther() throws InterruptedException {
    return StartAndJoin.roundTrips(threads(), COUNT);
  }
}
