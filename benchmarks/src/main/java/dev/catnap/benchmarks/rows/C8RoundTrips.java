package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Launches;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** A thread outside that waits for one coroutine after the other. */
public class C8RoundTrips extends CoroutineBenchmark {
  private static final int COUNT = 1_000;

  static final Row ROW =
      new Row(
          "C8",
          "1,000 round trips from outside: a coroutine launched and joined, one after the other",
          Family.COROUTINES,
          List.of(
              new Case(
                  "by one thread",
                  C8RoundTrips.class,
                  "oneAfterTheOther",
                  Map.of(),
                  LINEUP,
                  Metric.TIMES,
                  List.of(
                      Ratio.bestPeer(Metric.TIME).atLeast(1),
                      Ratio.bestPeer(Metric.CPU).atLeast(1)))));

  /** Launched and joined by the benchmark's thread. */
  @Benchmark
  public long oneAfterTheOther() {
    return Launches.roundTrips(dispatcher(), COUNT);
  }
}
