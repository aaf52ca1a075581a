package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.workloads.VirtualGrains;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Virtual threads that compute on after they have unparked, or started, another one. */
public class P2VirtualPipelines extends VirtualBenchmark {
  static final Row ROW =
      new Row(
          "P2",
          "virtual threads that compute on beside those that they unpark",
          Family.OTHER,
          Grain.cases(P2VirtualPipelines.class, LINEUP, "a thread beside own work", "start"));

  /** Set by JMH. */
  @Param("100")
  public int micros;

  /** Set by JMH. */
  @Param("100")
  public int items;

  @Override
  void warmUp() throws InterruptedException {
    Grain.warmUp(
        (n, time) -> VirtualGrains.pipeline(threads(), n, time),
        (n, time) -> VirtualGrains.startBesideOwnWork(threads(), n, time));
  }

  /** All items through both stages. */
  @Benchmark
  public long pipeline() throws InterruptedException {
    return VirtualGrains.pipeline(threads(), items, micros);
  }

  /** All items, one after the other. */
  @Benchmark
  public long start() throws InterruptedException {
    return VirtualGrains.startBesideOwnWork(threads(), items, micros);
  }
}
