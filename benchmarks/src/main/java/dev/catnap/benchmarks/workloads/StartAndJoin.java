package dev.catnap.benchmarks.workloads;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Many virtual threads that are started and joined, and do next to nothing in between. */
public final class StartAndJoin {

  private StartAndJoin() {}

  /**
   * Starts them on the calling thread, which is none of the scheduler's, and joins them.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @return how many ran
   * @throws InterruptedException if interrupted
   */
  public static long fromOutside(Supplier<Thread.Builder.OfVirtual> threads, int count)
      throws InterruptedException {
    return startAndJoin(threads.get(), count);
  }

  private static long startAndJoin(Thread.Builder builder, int count) throws InterruptedException {
    long[] runs = new long[count];
    Thread[] started = new Thread[count];
    for (int i = 0; i < count; i++) {
      int slot = i;
      started[i] = builder.start(() -> runs[slot]++);
    }
    for (Thread thread : started) {
      thread.join();
    }
    return Check.eachIs(1, runs);
  }

  /**
   * One after the other: the calling thread, which is none of the scheduler's, joins each before it
   * starts the next one.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @return how many ran
   * @throws InterruptedException if interrupted
   */
  public static long roundTrips(Supplier<Thread.Builder.OfVirtual> threads, int count)
      throws InterruptedException {
    Thread.Builder builder = threads.get();
    long[] runs = new long[count];
    for (int i = 0; i < count; i++) {
      int slot = i;
      builder.start(() -> runs[slot]++).join();
    }
    return Check.eachIs(1, runs);
  }

  /**
   * {@link #fromOutside} in a virtual thread of that scheduler.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @return how many ran
   * @throws InterruptedException if interrupted
   * @throws ExecutionException if the check failed
   */
  public static long fromVirtualThread(Supplier<Thread.Builder.OfVirtual> threads, int count)
      throws InterruptedException, ExecutionException {
    FutureTask<Long> body = new FutureTask<>(() -> startAndJoin(threads.get(), count));
    threads.get().start(body);
    return body.get();
  }
}
