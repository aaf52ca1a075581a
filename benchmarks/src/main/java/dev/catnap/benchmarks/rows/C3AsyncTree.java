package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.AsyncTree;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** Fork/join in coroutines. */
public class C3AsyncTree extends CoroutineBenchmark {
  /** Some 2,000 coroutines. */
  private static final int N = 15;

  static final Row ROW =
      new Row(
          "C3",
          "fork/join tree of async and await",
          Family.COROUTINES,
          List.of(
              new Case(
                  "fib(15)",
                  C3AsyncTree.class,
                  "tree",
                  Map.of(),
                  LINEUP,
                  Metric.TIMES,
                  List.of(Ratio.bestPeer(Metric.TIME).atLeast(1.15), Ratio.bestPeer(Metric.CPU)))));

  /** One tree. */
  @Benchmark
  public long tree() {
    return AsyncTree.fibonacciTree(dispatcher(), N);
  }
}
