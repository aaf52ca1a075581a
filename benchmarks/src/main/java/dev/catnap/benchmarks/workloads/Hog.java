package dev.catnap.benchmarks.workloads;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task that publishes another one and then computes, and does not come back to its queue. It
 * computes until the other one has begun elsewhere, since what follows changes nothing any more, or
 * for 100 ms, after which it lets its own worker take it.
 */
public final class Hog {
  private static final long HOG_NANOS = 100_000_000;

  /** What a worker that was woken together with this one needs to go back to sleep. */
  private static final long SETTLE_NANOS = 1_000_000;

  private final AtomicInteger runs = new AtomicInteger();
  private volatile long published;
  private volatile long begun;

  /**
   * In the task that hogs.
   *
   * @param publisher publishes the other one, which calls {@link #begin}
   */
  public void hog(Runnable publisher) {
    computeUntil(System.nanoTime() + SETTLE_NANOS);
    published = System.nanoTime();
    publisher.run();
    computeUntil(published + HOG_NANOS);
  }

  private void computeUntil(long nanoTime) {
    while (runs.get() == 0 && System.nanoTime() - nanoTime < 0) {
      Thread.onSpinWait();
    }
  }

  /** First thing in the task that was published. */
  public void begin() {
    begun = System.nanoTime();
    runs.incrementAndGet();
  }

  /**
   * Once both have ended.
   *
   * @return nanoseconds from just before the publish to the first instruction
   * @throws IllegalStateException if the task was lost, or ran twice
   */
  public long latency() {
    if (runs.get() != 1) {
      throw new IllegalStateException("a published task ran " + runs.get() + " times");
    }
    return begun - published;
  }
}
