package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.PoolThreads;
import dev.catnap.benchmarks.measure.Readings;
import dev.catnap.benchmarks.peers.Opened;
import dev.catnap.benchmarks.peers.WakePeer;
import dev.catnap.benchmarks.peers.WakeTarget;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Scale;
import dev.catnap.benchmarks.workloads.WakeLatency;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What W2, W3, W5 and W6 have in common: a pool that has been warm, and what its threads use. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public abstract class PoolBenchmark {
  static final Lineup LINEUP =
      new Lineup(
          WakePeer.CATNAP,
          List.of(WakePeer.FJP, WakePeer.FIXED, WakePeer.DEFAULT, WakePeer.JDK_VIRTUAL),
          null);

  /** No task takes that long, however loaded the machine is, unless it was lost. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Enough publishes for the JIT's last tier, at some ten microseconds each. */
  private static final Duration WARM_UP = Duration.ofMillis(Scale.of(1_000));

  private static final Duration NAP = Duration.ofMillis(250);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Set by JMH. */
  @Param public WakePeer scheduler = WakePeer.CATNAP;

  /** Set by JMH. */
  @Param("2")
  public int workers;

  private Opened<WakeTarget> opened;

  /** Once per fork. */
  @Setup
  public void open() {
    opened = scheduler.open(workers);
    new WakeLatency(target(), PATIENCE).warmUp(WARM_UP);
    warmUpMore();
  }

  /** With tasks of the workload's own, where they come too seldom to be compiled by themselves. */
  void warmUpMore() {
    // What all have in common is enough for most.
  }

  /** Once per fork. The pool must still work. */
  @TearDown
  public void close() {
    new WakeLatency(target(), PATIENCE).measure();
    opened.close();
  }

  final WakeTarget target() {
    return opened.scheduler();
  }

  final PoolThreads used() {
    return PoolThreads.used(target().threads());
  }

  /** Lets it idle, and records what that costs. */
  final void recordIdleness() throws InterruptedException {
    PoolThreads before = used();
    long start = System.nanoTime();
    Thread.sleep(NAP);
    recordUse(before, start);
  }

  /** Records what the pool's threads have used per second since an earlier reading. */
  final void recordUse(PoolThreads before, long sinceNanoTime) {
    PoolThreads use = used().since(before);
    double seconds = (System.nanoTime() - sinceNanoTime) / NANOS_PER_SECOND;
    Readings.record(
        Readings.POOL_CPU, use.cpuNanos() / NANOS_PER_SECOND * MILLIS_PER_SECOND / seconds);
    Readings.record(Readings.POOL_SWITCHES, (use.sleeps() + use.preempts()) / seconds);
  }
}
