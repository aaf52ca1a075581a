package dev.catnap.samples.guide;

import dev.catnap.WorkStealingScheduler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** A pool that follows the CPU limit of its container while it runs. */
public final class HelloCpuLimit {

  /**
   * Looks at the limit every now and then. Each look wakes the timer thread and a worker for a
   * moment, so a pool that does this is not quite quiet when idle: seconds are often enough.
   *
   * @param limit such as {@code Runtime.getRuntime()::availableProcessors}
   */
  static ScheduledFuture<?> follow(
      WorkStealingScheduler scheduler, IntSupplier limit, Duration every) {
    Runnable look =
        () -> {
          int wanted = Math.max(1, Math.min(limit.getAsInt(), scheduler.maxThreads()));
          if (wanted != scheduler.parallelism()) {
            scheduler.setParallelism(wanted);
          }
        };
    return scheduler.scheduleWithFixedDelay(
        look, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
  }

  public static void main(String[] args) throws InterruptedException {
    AtomicInteger limit = new AtomicInteger(1); // stands in for the container
    try (var scheduler =
        WorkStealingScheduler.builder().name("hello").parallelism(limit.get()).build()) {
      System.out.println("parallelism " + scheduler.parallelism());
      ScheduledFuture<?> following = follow(scheduler, limit::get, Duration.ofMillis(5));
      limit.set(3);
      while (scheduler.parallelism() < 3) {
        Thread.sleep(1);
      }
      CountDownLatch threeAtOnce = new CountDownLatch(3);
      for (int i = 0; i < 3; i++) {
        scheduler.execute(
            () -> {
              threeAtOnce.countDown();
              while (threeAtOnce.getCount() > 0) {
                Thread.onSpinWait(); // keeps its worker until all three have one
              }
            });
      }
      threeAtOnce.await();
      System.out.println("three tasks ran at once, parallelism " + scheduler.parallelism());
      following.cancel(false);
    }
  }
}
