package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.Grains;
import java.util.stream.Stream;
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
          Stream.concat(
                  Grain.PIPELINE.stream().map(grain -> program("two stages", "pipeline", grain)),
                  Grain.BESIDE.stream()
                      .map(grain -> program("async beside own work", "async", grain)))
              .toList());

  /** Set by JMH. */
  @Param("100")
  public int micros;

  /** Set by JMH. */
  @Param("100")
  public int items;

  private static Case program(String name, String method, int micros) {
    return Grain.program(name, P1Pipelines.class, method, micros, POOLS);
  }

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
