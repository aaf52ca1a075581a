package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.peers.Opened;
import dev.catnap.benchmarks.peers.VirtualPeer;
import dev.catnap.benchmarks.plan.Lineup;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the V rows have in common: carriers. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public abstract class VirtualBenchmark {
  static final Lineup LINEUP = new Lineup(VirtualPeer.CATNAP, List.of(VirtualPeer.JDK), null);

  /** Set by JMH. */
  @Param public VirtualPeer scheduler = VirtualPeer.CATNAP;

  /** Set by JMH. */
  @Param("2")
  public int workers;

  private Opened<Supplier<Thread.Builder.OfVirtual>> opened;

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

  final Supplier<Thread.Builder.OfVirtual> threads() {
    return opened.scheduler();
  }
}
