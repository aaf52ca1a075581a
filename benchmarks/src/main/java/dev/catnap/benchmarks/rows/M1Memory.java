package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Redispatches;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** Memory: what a dispatch allocates, and, in {@link M1PoolMemory}, what a pool keeps. */
public class M1Memory extends CoroutineBenchmark {
  private static final int INSIDE = 100_000;
  private static final int OUTSIDE = 64_000;
  private static final int COROUTINES = 64;

  /** No object is that small: it is the start of the coroutines, and the measurement itself. */
  private static final double NOTHING = 0.5;

  private static final Lineup WITHOUT_FLOOR = new Lineup(LINEUP.subject(), LINEUP.peers(), null);

  static final Row ROW =
      new Row(
          "M1",
          "memory",
          Family.OTHER,
          List.of(
              dispatch(
                  "allocated by a dispatch of a coroutine, on a worker",
                  "inside",
                  Ratio.figure(Metric.ALLOCATED).atMost(NOTHING)),
              dispatch(
                  "allocated by a dispatch of a coroutine, from outside",
                  "outside",
                  Ratio.figure(Metric.ALLOCATED)),
              M1PoolMemory.kept("kept by each of 100,000 queued tasks", "queuedTask"),
              M1PoolMemory.kept("kept by each of 256 workers", "worker")));

  private static Case dispatch(String name, String method, Ratio ratio) {
    return new Case(
        name,
        M1Memory.class,
        method,
        Map.of(),
        WITHOUT_FLOOR,
        List.of(Metric.ALLOCATED, Metric.TIME, Metric.CPU),
        List.of(ratio));
  }

  /** One coroutine. */
  @Benchmark
  @OperationsPerInvocation(INSIDE)
  public long inside() {
    return Redispatches.resumeItself(dispatcher(), INSIDE);
  }

  /** All coroutines, all rounds. */
  @Benchmark
  @OperationsPerInvocation(OUTSIDE)
  public long outside() {
    return Redispatches.resumeFromOutside(dispatcher(), COROUTINES, OUTSIDE / COROUTINES);
  }
}
