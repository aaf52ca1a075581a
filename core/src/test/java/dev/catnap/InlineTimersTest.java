package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.Timer;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TaskTimer;
import dev.catnap.testing.TestPools;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G11: timers that are not published as tasks, since what they do must not wait for a worker. */
@ExtendWith(NoThreadLeft.class)
class InlineTimersTest {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final List<String> order = new CopyOnWriteArrayList<>();
  private final AtomicInteger refused = new AtomicInteger();

  private final class Inline extends Timer {
    private final Runnable action;

    Inline(Runnable action) {
      this.action = action;
    }

    @Override
    protected boolean isInline() {
      return true;
    }

    @Override
    public void run() {
      action.run();
    }

    @Override
    protected void refused() {
      refused.incrementAndGet();
    }
  }

  /** Its workers fire timers when they have nothing else to run, and nobody else does. */
  private static WorkStealingScheduler onClock(ManualClock clock) {
    return TestPools.withoutSpares(1)
        .tuning(SchedulerTuning.production().withClock(clock).withProcessors(1))
        .build();
  }

  @Test
  void everyWorkerComputes_theTimerEndsThat() {
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch left = new CountDownLatch(2);
    try (var scheduler = TestPools.withoutSpares(2).build()) {
      SchedulerAdapter adapter = scheduler.adapter();
      List<Boolean> inTime = new CopyOnWriteArrayList<>();
      long start = System.nanoTime();
      long delay = TimeUnit.MILLISECONDS.toNanos(20);
      for (int i = 0; i < 2; i++) {
        scheduler.execute(
            () -> {
              while (!over.get()) {
                Thread.onSpinWait();
              }
              left.countDown();
            });
      }
      adapter.arm(
          new Inline(
              () -> {
                inTime.add(System.nanoTime() - start >= delay);
                over.set(true);
              }),
          delay);
      Await.latch("both loops have ended", left, scheduler::stats);
      assertEquals(List.of(true), inTime, "once, and not early");
      assertEquals(0, scheduler.stats().armedTimers());
    }
  }

  /** G3: what it wants to be run urgently is run first, by the worker that has fired it. */
  @Test
  void onAnIdleWorkerAnUrgentTaskComesBeforeWhatWasFiredWithIt() {
    CountDownLatch left = new CountDownLatch(2);
    AtomicBoolean second = new AtomicBoolean(true);
    ManualClock clock = new ManualClock();
    try (var scheduler = onClock(clock)) {
      SchedulerAdapter adapter = scheduler.adapter();
      Runnable urgent =
          () -> {
            order.add("urgent");
            left.countDown();
          };
      scheduler.execute(
          () -> {
            adapter.arm(
                new TaskTimer(
                    () -> {
                      order.add("published");
                      left.countDown();
                    }),
                0);
            adapter.arm(
                new Inline(
                    () -> {
                      order.add("fired: " + adapter.runUrgently(urgent));
                      second.set(adapter.runUrgently(urgent));
                    }),
                0);
          });
      Await.latch("both have run", left, scheduler::stats);
      assertFalse(second.get(), "there is one already");
      Await.until("all are counted", () -> scheduler.stats().executed() == 3, scheduler::stats);
      assertEquals(3, scheduler.stats().published());
    }
    assertEquals(List.of("fired: true", "urgent", "published"), order);
  }

  @Test
  void nothingIsUrgentInATask_onTheTimerThread_orElsewhere() throws Exception {
    ManualClock clock = new ManualClock();
    try (var scheduler = onClock(clock)) {
      SchedulerAdapter adapter = scheduler.adapter();
      Runnable task = () -> order.add("urgent");
      assertFalse(adapter.runUrgently(task));
      assertFalse(scheduler.submit(() -> adapter.runUrgently(task)).get());
      assertThrows(NullPointerException.class, () -> adapter.runUrgently(null));
      // Else it may be the worker, on its way to sleep, that fires it.
      Await.until(
          "the worker sleeps", () -> scheduler.stats().parkedWorkers() == 1, scheduler::stats);
      CompletableFuture<String> fired = new CompletableFuture<>();
      adapter.arm(
          new Inline(
              () ->
                  fired.complete(
                      Thread.currentThread().getName() + ": " + adapter.runUrgently(task))),
          1_000);
      clock.awaitParked("-timer");
      clock.advance(Duration.ofNanos(1_000));
      assertEquals(scheduler.name() + "-timer: false", fired.get(30, TimeUnit.SECONDS));
    }
    assertEquals(List.of(), order);
  }

  @Test
  void cancelledOrRefused_itDoesNothing() {
    var scheduler = TestPools.withoutSpares(1).build();
    SchedulerAdapter adapter = scheduler.adapter();
    Runnable never = () -> order.add("fired");
    Inline cancelled = new Inline(never);
    adapter.arm(cancelled, HOUR);
    assertTrue(cancelled.cancel());
    assertFalse(cancelled.cancel());
    Inline dropped = new Inline(never);
    adapter.arm(dropped, HOUR);
    scheduler.close();
    assertEquals(1, refused.get());
    Inline late = new Inline(never);
    adapter.arm(late, HOUR);
    assertEquals(2, refused.get());
    for (Timer timer : List.of(dropped, late)) {
      long left = timer.remainingNanos();
      assertTrue(left > 0 && left <= HOUR, () -> "left: " + left);
      assertFalse(timer.cancel());
    }
    assertEquals(List.of(), order);
  }

  /** Nobody would fire it while their worker computes. */
  @Test
  void whereThereIsNoTimerThreadItIsRefused() {
    try (var perCore =
            WorkStealingScheduler.builder().flavor(Flavor.THREAD_PER_CORE).parallelism(2).build();
        var current = WorkStealingScheduler.builder().buildForCurrentThread()) {
      for (SchedulerAdapter adapter : List.of(perCore.adapter(), current.scheduler().adapter())) {
        Inline timer = new Inline(() -> order.add("fired"));
        adapter.arm(timer, HOUR);
        long left = timer.remainingNanos();
        assertTrue(left > 0 && left <= HOUR, () -> "left: " + left);
        assertFalse(timer.cancel());
      }
      assertEquals(2, refused.get());
      assertEquals(0, perCore.stats().armedTimers());
    }
  }

  /** G7: what it throws is told; the timers behind it, and the worker, go on. */
  @Test
  void whatThrowsStopsNoOther() {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    CountDownLatch left = new CountDownLatch(1);
    try (var scheduler =
        TestPools.withoutSpares(1)
            .uncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown))
            .build()) {
      IllegalStateException thrown = new IllegalStateException("from the timer");
      scheduler.execute(
          () -> {
            scheduler
                .adapter()
                .arm(
                    new Inline(
                        () -> {
                          throw thrown;
                        }),
                    0);
            scheduler.adapter().arm(new Inline(left::countDown), 0);
          });
      Await.latch("the other one", left, scheduler::stats);
      Await.until("told", () -> uncaught.equals(List.of(thrown)), () -> uncaught);
    }
  }
}
