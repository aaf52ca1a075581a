package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Natives;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Launches;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** A fan-out of coroutines that do next to nothing. */
public class C2Launches extends CoroutineBenchmark {
  private static final int COUNT = 1_000;

  static final Row ROW =
      new Row(
          "C2",
          "1,000 launches",
          Family.COROUTINES,
          List.of(
              launches("from a coroutine", "inside", 1.1, NativePeer.GO, NativePeer.TOKIO),
              launches("from outside", "outside", 1.5, NativePeer.TOKIO)));

  private static Case launches(String name, String method, double target, NativePeer... natives) {
    return new Case(
            name,
            C2Launches.class,
            method,
            Map.of(),
            LINEUP,
            Metric.TIMES,
            List.of(Ratio.bestPeer(Metric.TIME).atLeast(target), Ratio.bestPeer(Metric.CPU)))
        .withNatives(Natives.reported("spawn-%s %d".formatted(method, COUNT), COUNT, natives));
  }

  /** Launched by a coroutine. */
  @Benchmark
  public long inside() {
    return Launches.launchFromCoroutine(dispatcher(), COUNT);
  }

  /** Launched by the benchmark's thread. */
  @Benchmark
  public long outside() {
    return Launches.launchFromOutside(dispatcher(), COUNT);
  }
}
