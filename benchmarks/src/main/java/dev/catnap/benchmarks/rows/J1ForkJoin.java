package dev.catnap.benchmarks.rows;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.peers.Opened;
import dev.catnap.benchmarks.peers.TaskPeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Limit;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Natives;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.AsyncTree;
import dev.catnap.benchmarks.workloads.ForkJoinTree;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Fork/join of plain tasks. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class J1ForkJoin {
  /** What a JVM may take beside machine code without a collector. */
  private static final Limit OF_RAYON = Limit.atMost(1.5);

  static final Row ROW =
      new Row(
          "J1",
          "fork/join of plain tasks",
          Family.OTHER,
          List.of(
              tree("fib(20), 11,000 tasks that add", 20, 1),
              tree("fib(28), 2,600 tasks of fib(12) or fib(11)", 28, 12),
              joins("fib(20), 11,000 joins", 20, 1),
              joins("fib(28), 2,600 joins of fib(12) or fib(11)", 28, 12)));

  /** Set by JMH. */
  @Param public TaskPeer scheduler = TaskPeer.CATNAP;

  /** Set by JMH. */
  @Param("2")
  public int workers;

  /** Set by JMH: which number. */
  @Param("20")
  public int n;

  /** Set by JMH: up to which number without tasks. */
  @Param("1")
  public int cutoff;

  private Opened<Executor> opened;

  /** Tasks that never wait, on every kind of pool. */
  private static Case tree(String name, int n, int cutoff) {
    return fibonacci(
        name,
        n,
        cutoff,
        new Lineup(
            TaskPeer.CATNAP,
            List.of(TaskPeer.FJP_JOIN, TaskPeer.FJP, TaskPeer.FJP_ASYNC, TaskPeer.FIXED),
            null));
  }

  /** Tasks that wait for what they forked, on the pools that are made for it. */
  private static Case joins(String name, int n, int cutoff) {
    return fibonacci(
        name, n, cutoff, new Lineup(TaskPeer.CATNAP_JOIN, List.of(TaskPeer.FJP_JOIN), null));
  }

  private static Case fibonacci(String name, int n, int cutoff, Lineup lineup) {
    return new Case(
            name,
            J1ForkJoin.class,
            "tree",
            Map.of("n", "" + n, "cutoff", "" + cutoff),
            lineup,
            Metric.TIMES,
            List.of(Ratio.bestPeer(Metric.TIME).atLeast(1), Ratio.bestPeer(Metric.CPU)))
        .withNatives(
            new Natives(
                "fib %d %d".formatted(n, cutoff),
                AsyncTree.fibonacciLoop(n),
                List.of(NativePeer.RAYON),
                Map.of(NativePeer.RAYON, OF_RAYON)));
  }

  /** Once per fork. */
  @Setup
  public void open() {
    opened = scheduler.open(workers);
  }

  /** Once per fork. */
  @TearDown
  public void close() {
    opened.close();
  }

  /** One tree. */
  @Benchmark
  public long tree() throws InterruptedException {
    return switch (scheduler) {
      case FJP_JOIN -> ForkJoinTree.joined((ForkJoinPool) opened.scheduler(), n, cutoff);
      case CATNAP_JOIN ->
          ForkJoinTree.joined((WorkStealingScheduler) opened.scheduler(), n, cutoff);
      default -> ForkJoinTree.continued(opened.scheduler(), n, cutoff);
    };
  }
}
