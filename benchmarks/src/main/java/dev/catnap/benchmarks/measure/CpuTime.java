package dev.catnap.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the whole process per operation: workers, the benchmark's thread, collector and
 * compilers. The clock ticks every 10 ms on Linux, which is 1% of an iteration of a second.
 */
public final class CpuTime implements InternalProfiler {
  /** Microseconds of CPU time per operation. */
  public static final String LABEL = "cpu";

  private static final double NANOS_PER_MICRO = 1_000;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long before;

  @Override
  public String getDescription() {
    return "CPU time of the process per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = system.getProcessCpuTime();
  }

  @Override
  public List<Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double micros = (system.getProcessCpuTime() - before) / NANOS_PER_MICRO;
    return List.of(
        new ScalarResult(
            LABEL, micros / result.getMetadata().getAllOps(), "us/op", AggregationPolicy.AVG));
  }
}
