package dev.catnap.benchmarks.workloads;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** A virtual thread that starts another one and then hogs its carrier. */
public final class HoggingStart {

  private HoggingStart() {}

  /**
   * Starts both, the first from the calling thread.
   *
   * @param threads makes virtual threads
   * @return nanoseconds from just before the second's start to its first instruction
   * @throws InterruptedException if interrupted
   * @throws ExecutionException if the first failed
   */
  public static long startAndHog(Supplier<Thread.Builder.OfVirtual> threads)
      throws InterruptedException, ExecutionException {
    Hog hog = new Hog();
    FutureTask<Thread> first =
        new FutureTask<>(
            () -> {
              Thread second = threads.get().unstarted(hog::begin);
              hog.hog(second::start);
              return second;
            });
    threads.get().start(first);
    first.get().join();
    return hog.latency();
  }
}
