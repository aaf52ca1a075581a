package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Hops;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** To the dispatcher for blocking calls and back. */
public class C7BlockingHops extends CoroutineBenchmark {
  /** The others have nothing of the kind, and with {@code Unconfined} there would be no hop. */
  static final Lineup PAIRS =
      new Lineup(CoroutinePeer.CATNAP, List.of(CoroutinePeer.DEFAULT), null);

  static final Row ROW =
      new Row(
          "C7",
          "to the dispatcher for blocking calls and back",
          Family.COROUTINES,
          List.of(
              hops("1 coroutine x 1,000", Map.of("coroutines", "1", "hops", "1000")),
              hops("100 coroutines x 20", Map.of("coroutines", "100", "hops", "20"))));

  /** Set by JMH. */
  @Param("1")
  public int coroutines;

  /** Set by JMH. */
  @Param("1000")
  public int hops;

  private static Case hops(String name, Map<String, String> params) {
    return new Case(
        name,
        C7BlockingHops.class,
        "hops",
        params,
        PAIRS,
        Metric.TIMES,
        List.of(Ratio.bestPeer(Metric.TIME).atLeast(1.5), Ratio.bestPeer(Metric.CPU)));
  }

  /** All coroutines, all hops. */
  @Benchmark
  public long hops() {
    return Hops.hops(dispatcher(), blocking(), coroutines, hops);
  }
}
