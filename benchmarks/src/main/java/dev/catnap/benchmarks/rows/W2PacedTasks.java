package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.measure.PoolThreads;
import dev.catnap.benchmarks.peers.WakePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.plan.Scale;
import dev.catnap.benchmarks.workloads.PacedTasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** What a pool costs that has a little to do every now and then. */
public class W2PacedTasks extends PoolBenchmark {
  private static final Duration OPERATION = Duration.ofMillis(100);

  /** Of the target, half of the best peer's: how much of that a bare park and unpark needs. */
  private static final Lineup WITH_FLOOR =
      new Lineup(LINEUP.subject(), LINEUP.peers(), WakePeer.PARK);

  static final Row ROW =
      new Row(
          "W2",
          "CPU time of a pool's threads at a low rate of tasks from outside",
          Family.OTHER,
          List.of(paced("100 us", 100), paced("1 ms", 1_000), paced("10 ms", 10_000)));

  private static final int WARM_UP_ROUNDS = 3;

  /** Workers sleep in between, and a round has enough of them for the JIT's last tier. */
  private static final Duration HOT_INTERVAL = Duration.ofNanos(50_000);

  private static final Duration HOT = Duration.ofMillis(Scale.of(400));

  /** Set by JMH. */
  @Param("100")
  public int intervalMicros;

  private static Case paced(String interval, int micros) {
    return new Case(
        "a task every " + interval,
        W2PacedTasks.class,
        "paced",
        Map.of("intervalMicros", Integer.toString(micros)),
        WITH_FLOOR,
        List.of(Metric.POOL_CPU, Metric.POOL_SWITCHES, Metric.P50, Metric.P99),
        List.of(
            Ratio.ofBestPeer(Metric.POOL_CPU).atMost(0.5),
            Ratio.ofFloor(Metric.POOL_CPU),
            Ratio.ofBestPeer(Metric.P50),
            Ratio.ofBestPeer(Metric.P99)));
  }

  /**
   * As seldom as they are measured, then often, and again. The first of a new class of tasks, and
   * the first after a long sleep, make the JIT throw away code that has seen neither; at one task
   * every 10 ms it would not be compiled again before the end.
   */
  @Override
  void warmUpMore() {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      publish(OPERATION, interval());
      publish(HOT, HOT_INTERVAL);
    }
  }

  private void publish(Duration time, Duration every) {
    int count = (int) time.dividedBy(every);
    long ignored = new PacedTasks(target(), PATIENCE, every, count).run(latency -> {});
  }

  private Duration interval() {
    return Duration.ofNanos(intervalMicros * 1_000L);
  }

  /** A tenth of a second of them. */
  @Benchmark
  public long paced() {
    int count = (int) OPERATION.dividedBy(interval());
    PacedTasks tasks = new PacedTasks(target(), PATIENCE, interval(), count);
    PoolThreads before = used();
    long start = System.nanoTime();
    long ran = tasks.run(Latencies::record);
    recordUse(before, start);
    return ran;
  }
}
