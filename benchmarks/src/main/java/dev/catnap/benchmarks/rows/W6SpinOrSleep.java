package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.peers.WakePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.plan.Sizes;
import dev.catnap.benchmarks.workloads.HotLatency;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Beside a pool that never sleeps, and one that always does: the latency of the first while there
 * is work, the CPU time of the second while there is none.
 */
public class W6SpinOrSleep extends PoolBenchmark {
  private static final int COUNT = 1_000;

  /** The same latency, apart from what two queues differ in. */
  private static final double AS_GOOD = 1.1;

  private static final Lineup LINEUP =
      new Lineup(WakePeer.CATNAP, List.of(WakePeer.SPIN, WakePeer.CONDVAR), null);

  static final Row ROW =
      new Row(
          "W6",
          "beside a pool that spins and one with mutex and condition variable",
          Family.OTHER,
          List.of(
              new Case(
                      "wake latency while hot",
                      W6SpinOrSleep.class,
                      "hot",
                      Map.of(),
                      LINEUP,
                      Metric.LATENCIES,
                      List.of(
                          Ratio.ofPeer(WakePeer.SPIN, Metric.P50).atMost(AS_GOOD),
                          Ratio.ofPeer(WakePeer.SPIN, Metric.P99).atMost(AS_GOOD),
                          Ratio.ofPeer(WakePeer.CONDVAR, Metric.P50)))
                  // The publisher needs the other core.
                  .withSizes(new Sizes(List.of(1), Metric.P50, OptionalDouble.empty())),
              new Case(
                  "idle",
                  W6SpinOrSleep.class,
                  "idle",
                  Map.of(),
                  LINEUP,
                  List.of(Metric.POOL_CPU, Metric.POOL_SWITCHES),
                  List.of(Ratio.above(WakePeer.CONDVAR, Metric.POOL_CPU).atMost(0)))));

  /** A thousand publishes, one at a time. */
  @Benchmark
  public long hot() {
    return new HotLatency(target(), PATIENCE, COUNT).run(Latencies::record);
  }

  /** A quarter of a second in which nothing is published. */
  @Benchmark
  public void idle() throws InterruptedException {
    recordIdleness();
  }
}
