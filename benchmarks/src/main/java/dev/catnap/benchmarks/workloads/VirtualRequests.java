package dev.catnap.benchmarks.workloads;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Requests that come at a fixed rate, as to a service with little to do. */
public final class VirtualRequests {

  private VirtualRequests() {}

  /**
   * The same as {@link Requests}: each is a virtual thread that starts others, one after the other,
   * joins each, and adds up what they have computed.
   *
   * @param threads makes virtual threads
   * @param everyNanos from one to the next
   * @param count how many
   * @param latencies receives that of each request, in nanoseconds, from when it was due to its end
   * @return how many requests were served
   * @throws InterruptedException if interrupted
   */
  public static long serve(
      Supplier<Thread.Builder.OfVirtual> threads,
      long everyNanos,
      int count,
      LongConsumer latencies)
      throws InterruptedException {
    AtomicLongArray ended = new AtomicLongArray(count);
    long[] sums = new long[count];
    Thread.Builder builder = threads.get();
    Crew crew = new Crew(threads);
    long start = System.nanoTime() + everyNanos;
    for (int r = 0; r < count; r++) {
      int request = r;
      Pauses.sleepUntil(start + r * everyNanos);
      crew.start(
          () -> {
            long[] step = new long[1];
            for (int i = 0; i < Requests.STEPS; i++) {
              int seed = i;
              builder.start(() -> step[0] = Work.compute(seed, Requests.STEP_MICROS)).join();
              sums[request] += step[0];
            }
            ended.set(request, System.nanoTime());
          });
    }
    crew.join();
    for (int r = 0; r < count; r++) {
      latencies.accept(ended.get(r) - (start + r * everyNanos));
    }
    return Check.eachIs(Work.oneAfterTheOther(Requests.STEPS, Requests.STEP_MICROS), sums);
  }
}
