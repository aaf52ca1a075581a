package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.WakePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** What a pool costs that has worked and has nothing to do any more. */
public class W5IdlePool extends PoolBenchmark {
  static final Row ROW =
      new Row(
          "W5",
          "idle pool: CPU time and context switches of its threads",
          Family.OTHER,
          List.of(
              idle("tasks", LINEUP),
              idle(
                  "virtual threads",
                  new Lineup(WakePeer.CATNAP_VIRTUAL, List.of(WakePeer.JDK_VIRTUAL), null))));

  private static Case idle(String name, Lineup lineup) {
    return new Case(
        name,
        W5IdlePool.class,
        "idle",
        Map.of(),
        lineup,
        List.of(Metric.POOL_CPU, Metric.POOL_SWITCHES),
        List.of(
            Ratio.figure(Metric.POOL_CPU).atMost(0), Ratio.figure(Metric.POOL_SWITCHES).atMost(0)));
  }

  /** A quarter of a second in which nothing is published. */
  @Benchmark
  public void idle() throws InterruptedException {
    recordIdleness();
  }
}
