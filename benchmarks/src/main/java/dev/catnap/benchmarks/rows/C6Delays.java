package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Readings;
import dev.catnap.benchmarks.measure.UsedHeap;
import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.plan.Scale;
import dev.catnap.benchmarks.workloads.Delays;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Timers that come due all the time, and timers that hardly ever do. Without a dispatcher nobody
 * would wait: there is no floor.
 */
public class C6Delays extends CoroutineBenchmark {
  private static final int MILLION = Scale.of(1_000_000);

  private static final Lineup WITHOUT_FLOOR =
      new Lineup(CoroutinePeer.CATNAP, LINEUP.peers(), null);

  static final Row ROW =
      new Row(
          "C6",
          "delays",
          Family.COROUTINES,
          List.of(
              timed("delay(1), 10,000 coroutines x 10", "delays"),
              timed("a million armed and cancelled", "armAndCancel"),
              new Case(
                  "memory of each of a million armed",
                  C6Delays.class,
                  "memoryOfEach",
                  Map.of(),
                  WITHOUT_FLOOR,
                  List.of(Metric.RETAINED),
                  List.of(Ratio.bestPeer(Metric.RETAINED)))));

  private static Case timed(String name, String method) {
    return new Case(
        name,
        C6Delays.class,
        method,
        Map.of(),
        WITHOUT_FLOOR,
        Metric.TIMES,
        List.of(
            Ratio.bestPeer(Metric.TIME).atLeast(1.3), Ratio.ofBestPeer(Metric.CPU).atMost(0.6)));
  }

  /** All of them. */
  @Benchmark
  public long delays() {
    return Delays.delays(dispatcher(), 10_000, 10);
  }

  /** All of them. */
  @Benchmark
  public long armAndCancel() {
    return Delays.armAndCancel(dispatcher(), MILLION);
  }

  /** All of them, and a look at the heap before and in between. */
  @Benchmark
  public double memoryOfEach() {
    double bytes = Delays.bytesPerDelay(dispatcher(), MILLION, UsedHeap::bytes);
    Readings.record(Readings.RETAINED, bytes);
    return bytes;
  }
}
