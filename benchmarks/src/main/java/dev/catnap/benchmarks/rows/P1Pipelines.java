package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Grains;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Coroutines that compute on after they have made another one ready. */
public class P1Pipelines extends CoroutineBenchmark {
  /** On one thread, the floor of other rows, it would take twice as long. */
  private static final Lineup POOLS = new Lineup(LINEUP.subject(), LINEUP.peers(), null);

  static final Row ROW =
      new Row(
          "P1",
          "coroutines that compute on beside those that they resume",
          Family.OTHER,
          Grain.cases(P1Pipelines.class, POOLS, "async beside own work", "async"));

  /** Set by JMH. */
  @Param("100")
  public int micros;

  /** Set by JMH. */
  @Param("100")
  public int items;

  @Override
  void warmUp() throws InterruptedException {
    Grain.warmUp(
        (n, time) -> Grains.pipeline(dispatcher(), n, time),
        (n, time) -> Grains.asyncBesideOwnWork(dispatcher(), n, time));
  }

  /** All items through both stages. */
  @Benchmark
  public long pipeline() {
    return Grains.pipeline(dispatcher(), items, micros);
  }

  /** All items, one after the other. */
  @Benchmark
  public long async() {
    return Grains.asyncBesideOwnWork(dispatcher(), items, micros);
  }
}
