package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.VirtualPingPong;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Two virtual threads that hand each other a number. */
public class V1PingPong extends VirtualBenchmark {
  private static final Map<String, String> ONE = Map.of("pairs", "1", "rounds", "1000");
  private static final Map<String, String> MANY = Map.of("pairs", "100", "rounds", "20");

  static final Row ROW =
      new Row(
          "V1",
          "ping-pong between two virtual threads",
          Family.VIRTUAL_THREADS,
          List.of(
              pairs("SynchronousQueue, 1 pair x 1,000 rounds", "synchronousQueue", ONE),
              pairs("SynchronousQueue, 100 pairs x 20 rounds", "synchronousQueue", MANY),
              pairs("Exchanger, 1 pair x 1,000 rounds", "exchanger", ONE),
              pairs("Exchanger, 100 pairs x 20 rounds", "exchanger", MANY)));

  /** Set by JMH. */
  @Param("1")
  public int pairs;

  /** Set by JMH. */
  @Param("1000")
  public int rounds;

  private static Case pairs(String name, String method, Map<String, String> params) {
    return new Case(
        name,
        V1PingPong.class,
        method,
        params,
        LINEUP,
        Metric.TIMES,
        List.of(
            Ratio.bestPeer(Metric.TIME).atLeast(1.2), Ratio.ofBestPeer(Metric.CPU).atMost(0.7)));
  }

  /** All pairs, all rounds. */
  @Benchmark
  public long synchronousQueue() throws InterruptedException {
    return VirtualPingPong.synchronousQueue(threads(), pairs, rounds);
  }

  /** All pairs, all rounds. */
  @Benchmark
  public long exchanger() throws InterruptedException {
    return VirtualPingPong.exchanger(threads(), pairs, rounds);
  }
}
