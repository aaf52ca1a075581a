package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.workloads.HoggingStart;
import dev.catnap.benchmarks.workloads.Pauses;
import java.util.concurrent.ExecutionException;
import org.openjdk.jmh.annotations.Benchmark;

/** The case of {@link W4Hogs} with virtual threads, which run on schedulers of another kind. */
public class W4VirtualHogs extends VirtualBenchmark {
  private final Pauses pauses = new Pauses();

  /** One hog, after a pause. */
  @Benchmark
  public long publishAndHog() throws InterruptedException, ExecutionException {
    pauses.pause();
    long nanos = HoggingStart.startAndHog(threads());
    Latencies.record(nanos);
    return nanos;
  }
}
