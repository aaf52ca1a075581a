package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * G1: two coroutines, or virtual threads, that make each other ready and compute on are worth a
 * worker each, although neither stays in one task until the sentinel has seen it twice.
 */
@ExtendWith(NoThreadLeft.class)
class CoarseTasksTest {
  private static final SchedulerTuning TUNING = SchedulerTuning.production();
  private static final int WORKERS = 3;
  private static final int TICKS = 3;

  /** More than those that a worker runs soon after it was woken. */
  private static final int FINE_TASKS = 20;

  private final ManualClock clock = new ManualClock();
  private final CountingParker parker = new CountingParker();

  @ParameterizedTest
  @EnumSource(names = {"NEXT", "RESUMED"})
  void whatOneOfThemPublishesStartsAtOnce_thoughTheSentinelIsOnDuty(Placement placement)
      throws Exception {
    try (var scheduler = scheduler()) {
      AtomicBoolean isOver = new AtomicBoolean();
      scheduler.execute(new Fine(scheduler, isOver));
      CompletableFuture<Void> over = new CompletableFuture<>();
      // Time stands still while it waits.
      Runnable last =
          () -> {
            CountDownLatch inner = new CountDownLatch(1);
            publish(scheduler, inner::countDown, placement);
            Await.latch("what it has published", inner, scheduler::dump);
          };
      scheduler.execute(new OneEachTick(scheduler, TICKS, last, over));
      try {
        over.get(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      } finally {
        isOver.set(true);
        Quiescence.await(scheduler);
      }
    }
  }

  private WorkStealingScheduler scheduler() {
    var scheduler =
        TestPools.withoutSpares(WORKERS)
            .tuning(TUNING.withClock(clock).withParker(parker).withProcessors(WORKERS))
            .build();
    Await.until("all are parked", () -> parker.parked() == WORKERS, scheduler::stats);
    return scheduler;
  }

  /** Puts itself into the slot of another worker all the time, so the sentinel is on duty. */
  private record Fine(WorkStealingScheduler scheduler, AtomicBoolean isOver) implements Runnable {
    @Override
    public void run() {
      if (!isOver.get()) {
        publish(scheduler, this, Placement.NEXT);
      }
    }
  }

  private static void publish(WorkStealingScheduler scheduler, Runnable task, Placement placement) {
    assertTrue(scheduler.adapter().publish(task, placement));
  }

  /** In no time, and then in some ticks, makes itself ready, so often; then does something else. */
  private final class OneEachTick implements Runnable {
    private final WorkStealingScheduler scheduler;
    private final Runnable last;
    private final CompletableFuture<Void> over;
    private int fine = FINE_TASKS;
    private int left;

    OneEachTick(
        WorkStealingScheduler scheduler, int left, Runnable last, CompletableFuture<Void> over) {
      this.scheduler = scheduler;
      this.left = left;
      this.last = last;
      this.over = over;
    }

    @Override
    public void run() {
      if (--fine > 0) {
        publish(scheduler, this, Placement.NEXT);
        return;
      }
      try {
        long rounds = scheduler.stats().sentinelRounds();
        Await.until(
            "the sentinel has looked",
            () -> {
              clock.advance(Duration.ofNanos(TUNING.slotTickNanos())); // it may begin to wait later
              // The present round may have begun before this task.
              return scheduler.stats().sentinelRounds() > rounds + 1;
            },
            scheduler::dump);
        if (--left > 0) {
          publish(scheduler, this, Placement.NEXT);
        } else {
          last.run();
          over.complete(null);
        }
      } catch (Throwable t) {
        over.completeExceptionally(t);
      }
    }
  }
}
