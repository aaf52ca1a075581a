package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.peers.Opened;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.peers.WakePeer;
import dev.catnap.benchmarks.peers.WakeTarget;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.plan.Scale;
import dev.catnap.benchmarks.workloads.WakeLatency;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

/** From a publish into a sleeping pool to the task's first instruction. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class W1WakeLatency {
  /** Enough publishes for the JIT's last tier, at some ten microseconds each. */
  private static final Duration WARM_UP = Duration.ofMillis(Scale.of(1_500));

  /** No wake takes that long, however loaded the machine is, unless it was lost. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static final Row ROW =
      new Row(
          "W1",
          "latency from an outside publish into an idle pool to the task's first instruction",
          Family.OTHER,
          List.of(
              wake(
                  "a task",
                  WakePeer.CATNAP,
                  WakePeer.FJP,
                  WakePeer.FIXED,
                  WakePeer.DEFAULT,
                  WakePeer.JDK_VIRTUAL),
              wake("a virtual thread", WakePeer.CATNAP_VIRTUAL, WakePeer.JDK_VIRTUAL)));

  /** Set by JMH. */
  @Param public WakePeer scheduler = WakePeer.CATNAP;

  /** Set by JMH. */
  @Param("2")
  public int workers;

  private Opened<WakeTarget> opened;
  private WakeLatency latency;

  private static Case wake(String name, Peer subject, Peer... peers) {
    return new Case(
        name,
        W1WakeLatency.class,
        "publish",
        Map.of(),
        new Lineup(subject, List.of(peers), WakePeer.PARK),
        Metric.LATENCIES,
        List.of(
            Ratio.ofFloor(Metric.P50).atMost(1.1),
            Ratio.ofFloor(Metric.P99).atMost(1.1),
            Ratio.bestPeer(Metric.P50).atLeast(1),
            Ratio.bestPeer(Metric.P99).atLeast(1)));
  }

  /** Once per fork. */
  @Setup
  public void open() {
    opened = scheduler.open(workers);
    latency = new WakeLatency(opened.scheduler(), PATIENCE);
    latency.warmUp(WARM_UP);
  }

  /** Once per fork. */
  @TearDown
  public void close() {
    opened.close();
  }

  /** One wake, between pauses that are the same for all. */
  @Benchmark
  public long publish() {
    long nanos = latency.measure();
    Latencies.record(nanos);
    return nanos;
  }
}
