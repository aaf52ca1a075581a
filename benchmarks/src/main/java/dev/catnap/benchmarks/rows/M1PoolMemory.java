package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Readings;
import dev.catnap.benchmarks.measure.UsedHeap;
import dev.catnap.benchmarks.peers.Opened;
import dev.catnap.benchmarks.peers.PoolPeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.workloads.PoolMemory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The part of {@link M1Memory} that needs pools which stand still. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class M1PoolMemory {
  private static final int TASKS = 100_000;

  /** Many, so that what the pool has only once is a small part, and noise too. */
  private static final int MANY_WORKERS = 256;

  /** Set by JMH. */
  @Param public PoolPeer scheduler = PoolPeer.CATNAP;

  /** Set by JMH. */
  @Param("2")
  public int workers;

  static Case kept(String name, String method) {
    return new Case(
        name,
        M1PoolMemory.class,
        method,
        Map.of(),
        new Lineup(PoolPeer.CATNAP, List.of(PoolPeer.FJP, PoolPeer.FIXED), null),
        List.of(Metric.RETAINED),
        List.of(Ratio.bestPeer(Metric.RETAINED)));
  }

  /** Queued from outside. */
  @Benchmark
  public double queuedTask() throws InterruptedException {
    try (Opened<ExecutorService> opened = scheduler.open(workers)) {
      return recorded(
          PoolMemory.perQueuedTask(opened.scheduler(), workers, TASKS, UsedHeap::bytes));
    }
  }

  /** Of another number than the run's. */
  @Benchmark
  public double worker() throws InterruptedException {
    return recorded(
        PoolMemory.perWorker(
            () -> scheduler.open(MANY_WORKERS).scheduler(), MANY_WORKERS, UsedHeap::bytes));
  }

  private static double recorded(double bytes) {
    Readings.record(Readings.RETAINED, bytes);
    return bytes;
  }
}
