package dev.catnap.samples.guide;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Work that takes as long as is said of it: what a task does in a measurement. */
final class Work {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Units of one sample: some 100 us. */
  private static final int SAMPLE = 40_000;

  private static final int SAMPLES = 500;

  private Work() {}

  /**
   * Some nanoseconds for each unit. The JIT compiler folds a chain of multiplications and additions
   * into fewer of them. It cannot fold this one: each step is turned by what the step before has
   * come to.
   */
  static long of(int units, long seed) {
    long x = seed;
    for (int i = 0; i < units; i++) {
      x = (x ^ x >>> 29) * 0xBF58476D1CE4E5B9L + i;
      x = Long.rotateLeft(x, (int) x);
    }
    return x;
  }

  /** CPU time of this thread: what others do on the machine is not in it. */
  static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /**
   * Units that a processor does in a microsecond while {@code threads} compute at once, for
   * processors may share a core: the median of many samples, the first of which are not compiled.
   */
  static double unitsPerMicro(int threads) {
    List<CompletableFuture<double[]>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      CompletableFuture<double[]> samples = new CompletableFuture<>();
      all.add(samples);
      Thread.ofPlatform().start(() -> samples.completeAsync(Work::samples, Runnable::run));
    }
    double[] merged =
        all.stream().flatMapToDouble(one -> Arrays.stream(one.join())).sorted().toArray();
    return merged[merged.length / 2];
  }

  private static double[] samples() {
    double[] samples = new double[SAMPLES];
    long x = 1;
    for (int i = 0; i < SAMPLES; i++) {
      long before = cpuNanos();
      x = of(SAMPLE, x);
      samples[i] = SAMPLE * 1e3 / (cpuNanos() - before);
    }
    if (x == 0) {
      throw new IllegalStateException("used, so that it is computed");
    }
    return samples;
  }
}
