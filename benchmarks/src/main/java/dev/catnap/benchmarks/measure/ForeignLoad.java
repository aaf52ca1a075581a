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
 * How many cores were busy with something else than this process and its children while an
 * iteration ran. Unlike the load average it neither lags nor counts ourselves.
 */
public final class ForeignLoad implements InternalProfiler {
  /** Cores kept busy by others, on average. */
  public static final String LABEL = "foreign";

  private long start;
  private long busyBefore;
  private long ownBefore;

  @Override
  public String getDescription() {
    return "cores busy with other processes, from /proc/stat";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    start = System.nanoTime();
    busyBefore = MachineTime.busyNanos();
    ownBefore = OwnTime.nanos();
  }

  @Override
  public List<Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double own = OwnTime.nanos() - ownBefore;
    double busy = MachineTime.busyNanos() - busyBefore;
    double cores = Math.max(0, busy - own) / (System.nanoTime() - start);
    return List.of(new ScalarResult(LABEL, cores, "cores", AggregationPolicy.AVG));
  }
}
