package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G5: background tasks give way to all others, and do not starve. */
@ExtendWith(NoThreadLeft.class)
class BackgroundTest {
  /** Looks at the injector per look at the background, as in {@code Turns}. */
  private static final int BACKGROUND_INTERVAL = 8;

  @Test
  void backgroundTasksRunWhenNothingElseIsLeft() {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      List<String> order = new CopyOnWriteArrayList<>();
      CountDownLatch done = new CountDownLatch(4);
      scheduler.execute(
          () -> {
            for (String name : List.of("b1", "b2")) {
              scheduler.background().execute(() -> add(order, name, done));
            }
            // More than the worker runs between two looks at the injector.
            for (int i = 0; i < 100; i++) {
              scheduler.execute(() -> {});
            }
            scheduler.execute(() -> add(order, "queued", done));
            scheduler.adapter().publish(() -> add(order, "next", done), Placement.NEXT);
          });
      Await.latch("all four", done, scheduler::stats);
      assertEquals(List.of("next", "queued", "b1", "b2"), order);
    }
  }

  private static void add(List<String> order, String name, CountDownLatch done) {
    order.add(name);
    done.countDown();
  }

  @Test
  void aFullForegroundLetsABackgroundTaskInWithinItsBound() {
    int bound = BACKGROUND_INTERVAL * SchedulerTuning.production().injectorInterval();
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      AtomicInteger before = new AtomicInteger();
      AtomicBoolean ran = new AtomicBoolean();
      CountDownLatch done = new CountDownLatch(1);
      Runnable endless =
          new Runnable() {
            @Override
            public void run() {
              if (!ran.get() && before.incrementAndGet() < 100 * bound) {
                scheduler.execute(this);
              } else {
                done.countDown();
              }
            }
          };
      scheduler.execute(
          () -> {
            scheduler.background().execute(() -> ran.set(true));
            endless.run();
          });
      Await.latch("the end of the endless task", done, scheduler::stats);
      assertTrue(before.get() <= bound + 1, () -> before + " tasks before it");
    }
  }

  /** A worker that takes batches from the injector looks there for nothing else. */
  @Test
  void aFullInjectorLetsABackgroundTaskInWithinItsBound() {
    int bound = BACKGROUND_INTERVAL * SchedulerTuning.production().injectorInterval();
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      CountDownLatch hold = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      scheduler.execute(() -> Await.quietly(hold));
      AtomicInteger foreground = new AtomicInteger();
      AtomicInteger before = new AtomicInteger(-1);
      for (int i = 0; i < 10 * bound; i++) {
        scheduler.execute(foreground::incrementAndGet);
      }
      scheduler.execute(done::countDown);
      scheduler.background().execute(() -> before.set(foreground.get()));
      hold.countDown();
      Await.latch("the last of the foreground", done, scheduler::stats);
      assertTrue(before.get() >= 0 && before.get() <= bound, () -> before + " tasks before it");
    }
  }

  @Test
  void fromOutsideAndFromWorkers_eachRunsOnce_andAnIdlePoolIsWoken() {
    try (var scheduler = TestPools.withoutSpares(2).build()) {
      int tasks = 10_000;
      AtomicInteger ran = new AtomicInteger();
      for (int i = 0; i < tasks / 2; i++) {
        scheduler
            .background()
            .execute(
                () -> {
                  ran.incrementAndGet();
                  scheduler.background().execute(ran::incrementAndGet);
                });
      }
      Await.until("all ran", () -> ran.get() == tasks, scheduler::stats);
      Quiescence.await(scheduler);
      for (int i = 0; i < 1_000; i++) {
        CountDownLatch started = new CountDownLatch(1);
        scheduler.background().execute(started::countDown);
        Await.latch("background task " + i + " starts", started, scheduler::stats);
      }
      assertEquals(tasks + 1_000, scheduler.stats().executed());
    }
  }

  @Test
  void closeRunsThem_laterOnesAreRefused() { // G6
    var scheduler = TestPools.withoutSpares(1).build();
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) {
      scheduler.background().execute(ran::incrementAndGet);
    }
    scheduler.close();
    assertEquals(1_000, ran.get());
    assertThrows(RejectedExecutionException.class, () -> scheduler.background().execute(() -> {}));
  }

  @Test
  void shutdownNowHandsThemBack() { // F14
    var scheduler = TestPools.withoutSpares(1).build();
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          running.countDown();
          while (release.getCount() != 0) {
            Thread.onSpinWait(); // shutdownNow interrupts, and this must outlast it
          }
        });
    Await.latch("the worker is busy", running, scheduler::stats);
    List<Runnable> submitted = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      Runnable task = () -> assertEquals(-1, number, "handed back, and must not run");
      submitted.add(task);
      scheduler.background().execute(task);
    }
    List<Runnable> handedBack = scheduler.shutdownNow();
    release.countDown();
    assertEquals(submitted, handedBack);
    scheduler.close();
    assertEquals(0, scheduler.stats().uncaughtExceptions());
  }
}
