package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Natives;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.ChannelPingPong;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Two coroutines, two rendezvous channels, one number to and fro. */
public class C1ChannelPingPong extends CoroutineBenchmark {
  static final Row ROW =
      new Row(
          "C1",
          "channel ping-pong between two coroutines",
          Family.COROUTINES,
          List.of(
              pairs(
                  "1 pair x 1,000 rounds",
                  1,
                  1_000,
                  Ratio.ofOverhead(CoroutinePeer.DEFAULT, Metric.TIME).atMost(0.5),
                  Ratio.bestPeer(Metric.TIME).atLeast(1),
                  Ratio.bestPeer(Metric.CPU)),
              pairs(
                  "100 pairs x 20 rounds",
                  100,
                  20,
                  Ratio.bestPeer(Metric.TIME).atLeast(1.3),
                  Ratio.bestPeer(Metric.CPU))));

  /** Set by JMH. */
  @Param("1")
  public int pairs;

  /** Set by JMH. */
  @Param("1000")
  public int rounds;

  private static Case pairs(String name, int pairs, int rounds, Ratio... ratios) {
    return new Case(
            name,
            C1ChannelPingPong.class,
            "pingPong",
            Map.of("pairs", "" + pairs, "rounds", "" + rounds),
            LINEUP,
            Metric.TIMES,
            List.of(ratios))
        .withNatives(
            Natives.reported(
                "ping-pong %d %d".formatted(pairs, rounds),
                pairs * (rounds * (rounds + 1L) / 2),
                NativePeer.GO,
                NativePeer.TOKIO));
  }

  /** All pairs, all rounds. */
  @Benchmark
  public long pingPong() {
    return ChannelPingPong.channelPingPong(dispatcher(), pairs, rounds);
  }
}
