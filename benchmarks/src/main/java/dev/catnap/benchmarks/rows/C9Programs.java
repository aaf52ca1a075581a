package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Programs;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** What programs do with coroutines beside channels and locks. */
public class C9Programs extends CoroutineBenchmark {
  static final Row ROW =
      new Row(
          "C9",
          "flows, select, time limits, futures, and plain computing",
          Family.COROUTINES,
          List.of(
              program("8 merged flows x 200", "mergedFlows"),
              program("shared flow, 8 collectors x 200", "sharedFlow"),
              program("select from 4 channels x 200", "select"),
              program("withTimeout around a yield, 8 x 100", "timeouts"),
              program("withTimeoutOrNull(1 ms), reached, 100 x 5", "timeoutsReached"),
              program("CompletableFuture, 8 chains of 100", "futures"),
              program("async, 64 x 100 us of work", "parallelParts")));

  private static Case program(String name, String method) {
    return new Case(
        name,
        C9Programs.class,
        method,
        Map.of(),
        LINEUP,
        Metric.TIMES,
        List.of(Ratio.bestPeer(Metric.TIME).atLeast(1), Ratio.bestPeer(Metric.CPU)));
  }

  /** Buffered. */
  @Benchmark
  public long mergedFlows() {
    return Programs.mergedFlows(dispatcher(), 8, 200);
  }

  /** Without replay. */
  @Benchmark
  public long sharedFlow() {
    return Programs.sharedFlow(dispatcher(), 8, 200);
  }

  /** Rendezvous channels. */
  @Benchmark
  public long select() {
    return Programs.select(dispatcher(), 4, 200);
  }

  /** None is reached. */
  @Benchmark
  public long timeouts() {
    return Programs.timeouts(dispatcher(), 8, 100);
  }

  /** Each is reached. */
  @Benchmark
  public long timeoutsReached() {
    return Programs.timeoutsReached(dispatcher(), 100, 5);
  }

  /** Awaited by a coroutine. */
  @Benchmark
  public long futures() {
    return Programs.futures(dispatcher(), 8, 100);
  }

  /** All at once. */
  @Benchmark
  public long parallelParts() {
    return Programs.parallelParts(dispatcher(), 64, 100);
  }
}
