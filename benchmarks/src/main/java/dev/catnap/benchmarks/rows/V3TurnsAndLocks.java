package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.VirtualContention;
import dev.catnap.benchmarks.workloads.VirtualTurns;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Virtual threads that yield, sleep, and wait for locks. */
public class V3TurnsAndLocks extends VirtualBenchmark {
  static final Row ROW =
      new Row(
          "V3",
          "virtual threads that yield, wait for locks, and sleep",
          Family.VIRTUAL_THREADS,
          List.of(
              turns("yields, 10 x 100", "yields", 10, 100, 0),
              turns("yields, 100 x 100", "yields", 100, 100, 0),
              turns("ReentrantLock, 8 x 1,000", "reentrantLock", 8, 1_000, 0),
              turns("ReentrantLock held across a yield, 8 x 100", "reentrantLock", 8, 100, 1),
              turns("synchronized, 8 x 1,000", "monitor", 8, 1_000, 0),
              turns("synchronized around a yield, 8 x 100", "monitor", 8, 100, 1),
              turns("sleep(1), 10,000 x 10", "sleeps", 10_000, 10, 0)));

  /** Set by JMH. */
  @Param("10")
  public int threads;

  /** Set by JMH. */
  @Param("100")
  public int rounds;

  /** Set by JMH: how often the holder of the lock yields. */
  @Param("0")
  public int held;

  private static Case turns(String name, String method, int threads, int rounds, int held) {
    return new Case(
        name,
        V3TurnsAndLocks.class,
        method,
        Map.of("threads", "" + threads, "rounds", "" + rounds, "held", "" + held),
        LINEUP,
        Metric.TIMES,
        List.of(
            Ratio.bestPeer(Metric.TIME).atLeast(1.2), Ratio.ofBestPeer(Metric.CPU).atMost(0.7)));
  }

  /** All threads, all rounds. */
  @Benchmark
  public long yields() throws InterruptedException {
    return VirtualTurns.yields(threads(), threads, rounds);
  }

  /** All threads, all rounds. */
  @Benchmark
  public long reentrantLock() throws InterruptedException {
    return VirtualContention.reentrantLock(threads(), threads, rounds, held);
  }

  /** All threads, all rounds. */
  @Benchmark
  public long monitor() throws InterruptedException {
    return VirtualContention.monitor(threads(), threads, rounds, held);
  }

  /** All threads, all rounds. */
  @Benchmark
  public long sleeps() throws InterruptedException {
    return VirtualTurns.sleeps(threads(), threads, rounds);
  }
}
