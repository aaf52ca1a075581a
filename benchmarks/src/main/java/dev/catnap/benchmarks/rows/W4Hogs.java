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
import dev.catnap.benchmarks.workloads.HoggingLaunch;
import dev.catnap.benchmarks.workloads.Pauses;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** Whether a worker that does not come back keeps what it has published. */
public class W4Hogs extends CoroutineBenchmark {
  private static final double LONGEST_MICROS = 1_000;

  static final Row ROW =
      new Row(
          "W4",
          "start latency of a task whose publisher then hogs its core for 100 ms, while another"
              + " worker sleeps",
          Family.OTHER,
          List.of(
              hog(
                  "launched by a coroutine",
                  W4Hogs.class,
                  CoroutinePeer.CATNAP,
                  CoroutinePeer.DEFAULT,
                  CoroutinePeer.FJP),
              hog(
                  "started by a virtual thread",
                  W4VirtualHogs.class,
                  VirtualBenchmark.LINEUP.subject(),
                  VirtualBenchmark.LINEUP.peers().toArray(Peer[]::new))));

  private final Pauses pauses = new Pauses();

  private static Case hog(String name, Class<?> benchmark, Peer subject, Peer... peers) {
    return new Case(
        name,
        benchmark,
        "publishAndHog",
        Map.of(),
        new Lineup(subject, List.of(peers), null),
        Metric.LATENCIES,
        List.of(
            Ratio.figure(Metric.P99).atMost(LONGEST_MICROS),
            Ratio.ofBestPeer(Metric.P50),
            Ratio.ofBestPeer(Metric.P99)));
  }

  /** One hog, after a pause. */
  @Benchmark
  public long publishAndHog() {
    pauses.pause();
    long nanos = HoggingLaunch.launchAndHog(dispatcher());
    Latencies.record(nanos);
    return nanos;
  }
}
