package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** What a service costs that is idle most of the time, and how soon it answers. */
public class W8LightLoad extends CoroutineBenchmark {
  static final Row ROW =
      new Row(
          "W8",
          "processor time of requests of 50 us, most of the time one at a time",
          Family.OTHER,
          cases());

  /** Set by JMH. */
  @Param("1000")
  public int perSecond;

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (int rate : LightLoad.RATES) {
      cases.add(
          requests(
              "coroutines",
              rate,
              W8LightLoad.class,
              CoroutinePeer.CATNAP,
              CoroutinePeer.DEFAULT,
              CoroutinePeer.FJP,
              CoroutinePeer.FIXED));
      cases.add(
          requests(
              "virtual threads",
              rate,
              W8VirtualLightLoad.class,
              VirtualBenchmark.LINEUP.subject(),
              VirtualBenchmark.LINEUP.peers().toArray(Peer[]::new)));
    }
    return cases;
  }

  private static Case requests(
      String of, int rate, Class<?> benchmark, Peer subject, Peer... peers) {
    return new Case(
        of + ", " + rate + " requests a second",
        benchmark,
        "serve",
        Map.of("perSecond", Integer.toString(rate)),
        new Lineup(subject, List.of(peers), null),
        List.of(Metric.CPU, Metric.P50, Metric.P99, Metric.VOLUNTARY, Metric.INVOLUNTARY),
        List.of(
            Ratio.bestPeer(Metric.CPU).atLeast(1),
            Ratio.bestPeer(Metric.P50).atLeast(1),
            Ratio.bestPeer(Metric.P99).atLeast(1)));
  }

  @Override
  void warmUp() throws InterruptedException {
    LightLoad.warmUp(this::serve);
  }

  /** As many as come in a quarter of a second. */
  @Benchmark
  public long serve() {
    return serve(LightLoad.interval(perSecond), LightLoad.count(perSecond));
  }

  private long serve(long everyNanos, int count) {
    return Requests.requests(dispatcher(), everyNanos, count, Latencies::record);
  }
}
