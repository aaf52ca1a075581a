package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.VirtualPrograms;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** What programs do with virtual threads beside locks and rendezvous. */
public class V6Programs extends VirtualBenchmark {
  static final Row ROW =
      new Row(
          "V6",
          "semaphores, queues, time limits, futures, scopes, and plain computing",
          Family.VIRTUAL_THREADS,
          List.of(
              program("semaphore of 2, 8 x 100", "semaphore"),
              program("queue of 64, 8 producers, 8 consumers x 200", "producersAndConsumers"),
              program("answers within a time limit, 8 x 100", "requestsWithTimeout"),
              program("CompletableFuture, 8 chains of 100", "futures"),
              program("scopes of 10 threads x 100", "scopes"),
              program("64 x 100 us of work", "parallelParts")));

  private static Case program(String name, String method) {
    return new Case(
        name,
        V6Programs.class,
        method,
        Map.of(),
        LINEUP,
        Metric.TIMES,
        List.of(Ratio.bestPeer(Metric.TIME).atLeast(1), Ratio.bestPeer(Metric.CPU)));
  }

  /** Two permits. */
  @Benchmark
  public long semaphore() throws InterruptedException {
    return VirtualPrograms.semaphore(threads(), 8, 2, 100);
  }

  /** One queue. */
  @Benchmark
  public long producersAndConsumers() throws InterruptedException {
    return VirtualPrograms.producersAndConsumers(threads(), 8, 200);
  }

  /** None is reached. */
  @Benchmark
  public long requestsWithTimeout() throws InterruptedException {
    return VirtualPrograms.requestsWithTimeout(threads(), 8, 100);
  }

  /** Awaited by a virtual thread. */
  @Benchmark
  public long futures() throws InterruptedException {
    return VirtualPrograms.futures(threads(), 8, 100);
  }

  /** One scope after the other. */
  @Benchmark
  public long scopes() throws InterruptedException {
    return VirtualPrograms.scopes(threads(), 100, 10);
  }

  /** All at once. */
  @Benchmark
  public long parallelParts() throws InterruptedException {
    return VirtualPrograms.parallelParts(threads(), 64, 100);
  }
}
