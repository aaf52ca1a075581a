package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Natives;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.HttpLoopback;
import dev.catnap.benchmarks.workloads.Skynet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** Virtual threads that work together. */
public class V4Programs extends VirtualBenchmark {
  private static final int CONNECTIONS = 100;

  /** Enough that connecting is one part in a hundred. */
  private static final int REQUESTS = 100;

  /** A fraction of what two cores can do, or the latency would be that of a queue. */
  private static final int REQUESTS_PER_SECOND = 5_000;

  /** Of each client: an operation lasts a fifth of a second. */
  private static final int REQUESTS_IN_TIME = 10;

  static final Row ROW =
      new Row(
          "V4",
          "programs of virtual threads",
          Family.VIRTUAL_THREADS,
          List.of(
              program(
                      "Skynet, 100,000 leaves",
                      "skynet",
                      Metric.TIMES,
                      Ratio.bestPeer(Metric.TIME).atLeast(1.5),
                      Ratio.bestPeer(Metric.CPU))
                  .withNatives(
                      Natives.reported(
                          "skynet 10 100000", 4_999_950_000L, NativePeer.GO, NativePeer.TOKIO)),
              program(
                  "HTTP, 100 connections x 100 requests",
                  "httpThroughput",
                  Metric.TIMES,
                  Ratio.bestPeer(Metric.TIME).atLeast(1.15),
                  Ratio.bestPeer(Metric.CPU)),
              program(
                  "HTTP, 100 connections, 5,000 requests/s",
                  "httpLatency",
                  Metric.LATENCIES,
                  Ratio.bestPeer(Metric.P50),
                  Ratio.bestPeer(Metric.P99).atLeast(1),
                  Ratio.bestPeer(Metric.CPU))));

  private static Case program(String name, String method, List<Metric> columns, Ratio... ratios) {
    return new Case(name, V4Programs.class, method, Map.of(), LINEUP, columns, List.of(ratios));
  }

  /** One tree. */
  @Benchmark
  public long skynet() throws InterruptedException {
    return Skynet.sum(threads(), 10, 100_000);
  }

  /** All connections, as fast as they can. */
  @Benchmark
  public long httpThroughput() throws IOException, InterruptedException {
    return HttpLoopback.closedLoop(threads(), CONNECTIONS, REQUESTS);
  }

  /** All connections, each request at its time. */
  @Benchmark
  public long httpLatency() throws IOException, InterruptedException {
    long[] latencies =
        HttpLoopback.openLoop(threads(), CONNECTIONS, REQUESTS_IN_TIME, REQUESTS_PER_SECOND);
    for (long latency : latencies) {
      Latencies.record(latency);
    }
    return latencies.length;
  }
}
