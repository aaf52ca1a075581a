package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.workloads.VirtualRequests;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** The same as {@link W8LightLoad} by virtual threads. */
public class W8VirtualLightLoad extends VirtualBenchmark {
  /** Set by JMH. */
  @Param("1000")
  public int perSecond;

  @Override
  void warmUp() throws InterruptedException {
    LightLoad.warmUp(this::serve);
  }

  /** As many as come in a quarter of a second. */
  @Benchmark
  public long serve() throws InterruptedException {
    return serve(LightLoad.interval(perSecond), LightLoad.count(perSecond));
  }

  private long serve(long everyNanos, int count) throws InterruptedException {
    return VirtualRequests.serve(threads(), everyNanos, count, Latencies::record);
  }
}
