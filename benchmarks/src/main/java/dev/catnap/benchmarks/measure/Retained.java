package dev.catnap.benchmarks.measure;

import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * How much memory something keeps, as a benchmark measures it by itself; none for benchmarks that
 * record nothing. Static for the reason that {@link Latencies} gives.
 */
public final class Retained implements InternalProfiler {
  /** Bytes for each of them, the mean over the operations of an iteration. */
  public static final String LABEL = "retained";

  private static double sum;
  private static int count;

  /**
   * The bytes of the heap that are in use, once what is garbage has gone. Takes a full collection,
   * so that the time of an operation that calls it says nothing.
   *
   * @return bytes
   */
  public static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /**
   * Adds one.
   *
   * @param bytes what each of them keeps
   */
  public static synchronized void record(double bytes) {
    sum += bytes;
    count++;
  }

  private static synchronized List<Result<?>> take() {
    List<Result<?>> taken =
        count == 0
            ? List.of()
            : List.of(new ScalarResult(LABEL, sum / count, "B", AggregationPolicy.AVG));
    sum = 0;
    count = 0;
    return taken;
  }

  @Override
  public String getDescription() {
    return "memory kept, as the benchmark measures it by itself";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    take();
  }

  @Override
  public List<Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return take();
  }
}
