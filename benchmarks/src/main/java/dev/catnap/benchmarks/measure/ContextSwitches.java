package dev.catnap.benchmarks.measure;

import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Context switches of the process's threads per operation. Voluntary: a thread went to sleep;
 * involuntary: it was made to give way. Threads that end during an iteration are not counted.
 */
public final class ContextSwitches implements InternalProfiler {
  /** Voluntary switches per operation. */
  public static final String VOLUNTARY = "switches.voluntary";

  /** Involuntary switches per operation. */
  public static final String INVOLUNTARY = "switches.involuntary";

  private Map<String, ThreadSwitches> before = Map.of();

  @Override
  public String getDescription() {
    return "context switches per operation, from /proc";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = ThreadSwitches.ofThisProcess();
  }

  @Override
  public List<Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long voluntary = 0;
    long involuntary = 0;
    for (var thread : ThreadSwitches.ofThisProcess().entrySet()) {
      ThreadSwitches counts =
          thread.getValue().since(before.getOrDefault(thread.getKey(), ThreadSwitches.NONE));
      voluntary += counts.voluntary();
      involuntary += counts.involuntary();
    }
    long ops = result.getMetadata().getAllOps();
    return List.of(
        perOperation(VOLUNTARY, voluntary, ops), perOperation(INVOLUNTARY, involuntary, ops));
  }

  private static ScalarResult perOperation(String label, long count, long ops) {
    return new ScalarResult(label, (double) count / ops, "1/op", AggregationPolicy.AVG);
  }
}
