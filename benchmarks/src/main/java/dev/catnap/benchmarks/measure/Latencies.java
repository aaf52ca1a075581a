package dev.catnap.benchmarks.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.util.SampleBuffer;

/**
 * A histogram of the latencies that a benchmark measures by itself, to 0.1%; none for benchmarks
 * that record nothing. Static, because JMH makes the profiler and the benchmark apart from each
 * other; the benchmark's one thread and JMH's, which calls the profiler, take turns.
 */
public final class Latencies implements InternalProfiler {
  /** The histogram, in nanoseconds, with its percentiles in microseconds. */
  public static final String LABEL = "latency";

  private static SampleBuffer samples = new SampleBuffer();

  /**
   * Adds one.
   *
   * @param nanos the latency
   */
  public static synchronized void record(long nanos) {
    samples.add(nanos);
  }

  private static synchronized SampleBuffer take() {
    SampleBuffer taken = samples;
    samples = new SampleBuffer();
    return taken;
  }

  @Override
  public String getDescription() {
    return "latencies that the benchmark measures by itself";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    take();
  }

  @Override
  public List<Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    SampleBuffer taken = take();
    return taken.count() == 0
        ? List.of()
        : List.of(new SampleTimeResult(ResultRole.SECONDARY, LABEL, taken, TimeUnit.MICROSECONDS));
  }
}
