package dev.catnap.loom.testing;

import dev.catnap.SchedulerStats;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for conditions, never for time. */
public final class Deadline {
  /** Far beyond any hiccup of a shared machine; a test that needs it all has found a hang. */
  public static final long SECONDS = 60;

  private Deadline() {}

  /** Polls until {@code condition} holds. */
  public static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS)) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
      Thread.yield();
    }
  }

  /**
   * Until as many tasks have run as were published. All have when the workers are parked; but a
   * thread outside, that of the timers or of the JVM, may still be about to count what it has
   * published.
   */
  public static void untilBalanced(CarrierPool pool) {
    until(
        "published and executed are the same",
        () -> {
          SchedulerStats stats = pool.scheduler().stats();
          return stats.published() == stats.executed();
        });
  }

  /**
   * Until every worker is parked. Not only counted as asleep: one on its way there may find what is
   * published next. And not only parked: one that was claimed leaves its park when it comes to run,
   * but is not counted any more.
   */
  public static void untilParked(CarrierPool pool) {
    WorkStealingScheduler scheduler = pool.scheduler();
    int workers = scheduler.parallelism();
    until(
        "all workers are parked",
        () ->
            scheduler.stats().parkedWorkers() == workers
                && Thread.getAllStackTraces().keySet().stream()
                        .filter(t -> t.getName().startsWith(scheduler.name() + "-worker-"))
                        .filter(t -> t.getState() == Thread.State.WAITING)
                        .count()
                    == workers);
  }

  /** Waits for the latch. */
  public static void await(String what, CountDownLatch latch) {
    try {
      if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting: " + what, e);
    }
  }

  /** Waits for the end of the threads. */
  public static void join(Thread... threads) {
    for (Thread thread : threads) {
      try {
        if (!thread.join(java.time.Duration.ofSeconds(SECONDS))) {
          throw new AssertionError("not over within " + SECONDS + " s: " + thread);
        }
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while joining " + thread, e);
      }
    }
  }
}
