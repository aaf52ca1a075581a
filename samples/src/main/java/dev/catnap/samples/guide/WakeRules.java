package dev.catnap.samples.guide;

import dev.catnap.SchedulerStats;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WakeRule;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * Bursts of 1,000 tasks into a pool that sleeps, under each rule of wakes: how many threads are
 * woken, how many of them for nothing, and how long it takes.
 */
public final class WakeRules {
  private static final int TASKS = 1_000;
  private static final int WARM_UP = 20;

  private enum From {
    OUTSIDE,
    A_WORKER;

    void publish(WorkStealingScheduler scheduler, Runnable task) {
      Runnable all =
          () -> {
            for (int i = 0; i < TASKS; i++) {
              scheduler.execute(task);
            }
          };
      if (this == OUTSIDE) {
        all.run();
      } else {
        scheduler.execute(all);
      }
    }
  }

  private final WorkStealingScheduler scheduler;
  private final From from;

  private WakeRules(WorkStealingScheduler scheduler, From from) {
    this.scheduler = scheduler;
    this.from = from;
  }

  /** The first argument: how many bursts, 200 if there is none. */
  public static void main(String[] args) throws InterruptedException {
    int bursts = args.length == 0 ? 200 : Integer.parseInt(args[0]);
    System.out.println(
        "| workers | burst from | rule | wakes | of these futile | tasks moved | median ms |");
    System.out.println("|---:|---|---|---:|---:|---:|---:|");
    for (int workers : new int[] {2, 16, 64}) {
      for (From from : From.values()) {
        for (WakeRule rule : WakeRule.values()) {
          try (var scheduler =
              WorkStealingScheduler.builder()
                  .name("hello")
                  .parallelism(workers)
                  .tuning(SchedulerTuning.production().withWakeRule(rule))
                  .build()) {
            new WakeRules(scheduler, from).measure(workers, rule, bursts);
          }
        }
      }
    }
  }

  private void measure(int workers, WakeRule rule, int bursts) throws InterruptedException {
    for (int i = 0; i < WARM_UP; i++) {
      burst();
    }
    SchedulerStats before = scheduler.stats();
    long[] nanos = new long[bursts];
    for (int i = 0; i < bursts; i++) {
      nanos[i] = burst();
    }
    SchedulerStats after = scheduler.stats();
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "| %d | %s | %s | %.1f | %.1f | %.1f | %.3f |%n",
        workers,
        from == From.OUTSIDE ? "outside" : "a worker",
        rule,
        (double) (after.wakes() - before.wakes()) / bursts,
        (double) (after.futileWakes() - before.futileWakes()) / bursts,
        (double) (taken(after) - taken(before)) / bursts,
        nanos[bursts / 2] / 1e6);
  }

  /** From the injector or another worker's queue, batches counted task by task. */
  private static long taken(SchedulerStats stats) {
    return stats.workers().stream().mapToLong(w -> w.injected() + w.stolen()).sum();
  }

  /** Nanoseconds until the last task ran; returns when the pool sleeps again. */
  private long burst() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(TASKS);
    long start = System.nanoTime();
    from.publish(scheduler, done::countDown);
    done.await();
    long nanos = System.nanoTime() - start;
    while (scheduler.stats().parkedWorkers() < scheduler.parallelism()) {
      Thread.sleep(1);
    }
    return nanos;
  }
}
