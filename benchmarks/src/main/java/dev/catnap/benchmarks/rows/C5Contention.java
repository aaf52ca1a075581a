package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Contention;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** Coroutines that wait for each other. */
public class C5Contention extends CoroutineBenchmark {
  static final Row ROW =
      new Row(
          "C5",
          "coroutines that wait for each other",
          Family.COROUTINES,
          List.of(
              contention("actors: 10 in a ring, 100 messages", "actors"),
              contention("8 producers, 8 consumers x 200", "producersAndConsumers"),
              contention("mutex, 8 x 100", "mutex"),
              contention("semaphore of 2, 8 x 100", "semaphore")));

  private static Case contention(String name, String method) {
    return new Case(
        name,
        C5Contention.class,
        method,
        Map.of(),
        LINEUP,
        Metric.TIMES,
        List.of(
            Ratio.ofOverhead(CoroutinePeer.DEFAULT, Metric.TIME).atMost(0.6),
            Ratio.bestPeer(Metric.TIME).atLeast(1),
            Ratio.bestPeer(Metric.CPU)));
  }

  /** Once round the ring for each message. */
  @Benchmark
  public long actors() {
    return Contention.actors(dispatcher(), 10, 100);
  }

  /** One channel. */
  @Benchmark
  public long producersAndConsumers() {
    return Contention.producersAndConsumers(dispatcher(), 8, 200);
  }

  /** One mutex. */
  @Benchmark
  public long mutex() {
    return Contention.mutex(dispatcher(), 8, 100);
  }

  /** Two permits. */
  @Benchmark
  public long semaphore() {
    return Contention.semaphore(dispatcher(), 8, 2, 100);
  }
}
