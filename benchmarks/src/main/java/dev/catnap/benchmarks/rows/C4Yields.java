package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Natives;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Yields;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** Coroutines that take turns. */
public class C4Yields extends CoroutineBenchmark {
  static final Row ROW =
      new Row(
          "C4",
          "yield loops",
          Family.COROUTINES,
          List.of(
              new Case(
                      "10 x 100",
                      C4Yields.class,
                      "loops",
                      Map.of(),
                      LINEUP,
                      Metric.TIMES,
                      List.of(
                          Ratio.ofOverhead(CoroutinePeer.DEFAULT, Metric.TIME).atMost(0.5),
                          Ratio.bestPeer(Metric.TIME).atLeast(1),
                          Ratio.bestPeer(Metric.CPU)))
                  .withNatives(
                      Natives.reported("yields 10 100", 1_000, NativePeer.GO, NativePeer.TOKIO))));

  /** All loops. */
  @Benchmark
  public long loops() {
    return Yields.yieldLoops(dispatcher(), 10, 100);
  }
}
