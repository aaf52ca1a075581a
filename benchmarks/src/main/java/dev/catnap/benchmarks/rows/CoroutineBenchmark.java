package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.peers.Opened;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.coroutines.WorkStealingDispatcher;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Dispatchers;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the C rows have in common: a dispatcher. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public abstract class CoroutineBenchmark {
  static final Lineup LINEUP =
      new Lineup(
          CoroutinePeer.CATNAP,
          List.of(
              CoroutinePeer.DEFAULT,
              CoroutinePeer.FJP,
              CoroutinePeer.FJP_ASYNC,
              CoroutinePeer.FIXED),
          CoroutinePeer.UNCONFINED);

  /** Set by JMH. */
  @Param public CoroutinePeer scheduler = CoroutinePeer.CATNAP;

  /** Set by JMH. */
  @Param("2")
  public int workers;

  private Opened<CoroutineDispatcher> opened;

  /** Once per fork. */
  @Setup
  public void open() throws InterruptedException {
    opened = scheduler.open(workers);
    warmUp();
  }

  /**
   * With what the workload itself does too seldom to be compiled soon.
   *
   * @throws InterruptedException if interrupted
   */
  void warmUp() throws InterruptedException {
    // Most do enough.
  }

  /** Once per fork. */
  @TearDown
  public void close() {
    opened.close();
  }

  final CoroutineDispatcher dispatcher() {
    return opened.scheduler();
  }

  /** Its counterpart for blocking calls; only Catnap and {@code Default} have one. */
  final CoroutineDispatcher blocking() {
    return dispatcher() instanceof WorkStealingDispatcher catnap
        ? catnap.io()
        : Dispatchers.getIO();
  }
}
