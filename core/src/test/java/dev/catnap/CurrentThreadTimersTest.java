package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G11 on the caller's thread: it fires all timers, and no other thread is started for them. */
@SuppressWarnings("FutureReturnValueIgnored") // what tasks do is looked at
@ExtendWith(NoThreadLeft.class)
class CurrentThreadTimersTest {

  @Test
  void timersRunOnTheCallersThread_notEarly_andNoThreadIsStarted() throws Exception {
    try (var current = WorkStealingScheduler.builder().name("no-threads").buildForCurrentThread()) {
      CompletableFuture<Long> late = new CompletableFuture<>();
      Thread caller = Thread.currentThread();
      long delay = TimeUnit.MILLISECONDS.toNanos(20);
      long start = System.nanoTime();
      current
          .scheduler()
          .schedule(
              () -> {
                assertEquals(caller, Thread.currentThread());
                late.complete(System.nanoTime() - start - delay);
              },
              delay,
              TimeUnit.NANOSECONDS);
      assertTrue(current.runUntil(late) >= 0, "early");
      assertEquals(
          List.of(),
          Thread.getAllStackTraces().keySet().stream()
              .filter(t -> t.getName().startsWith("no-threads"))
              .toList());
    }
  }

  /** G4: one timed park for the first timer, and none for those that come later. */
  @Test
  void aMillionArmedTimersCostOnePark() throws Exception {
    CountingParker parker = new CountingParker();
    try (var current =
        WorkStealingScheduler.builder()
            .tuning(SchedulerTuning.production().withParker(parker))
            .buildForCurrentThread()) {
      WorkStealingScheduler scheduler = current.scheduler();
      int n = TestScale.of(1_000_000);
      CompletableFuture<Long> unparks = new CompletableFuture<>();
      scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
      Thread other =
          new Thread(
              () -> {
                Await.until("asleep", () -> parker.timedParks() == 1, scheduler::stats);
                for (int i = 0; i < n; i++) {
                  scheduler.schedule(() -> {}, 2, TimeUnit.HOURS);
                }
                unparks.complete(parker.unparks());
              });
      other.start();
      assertEquals(0L, current.runUntil(unparks));
      other.join();
      assertEquals(1, parker.timedParks(), "for each that came");
      assertEquals(1 + n, scheduler.stats().armedTimers());
      scheduler.shutdownNow();
    }
  }

  @Test
  void anEarlierTimerFromOutsideWakesTheParkedCaller() throws Exception {
    CountingParker parker = new CountingParker();
    try (var current =
        WorkStealingScheduler.builder()
            .tuning(SchedulerTuning.production().withParker(parker))
            .buildForCurrentThread()) {
      WorkStealingScheduler scheduler = current.scheduler();
      var last = scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
      Thread other =
          new Thread(
              () -> {
                for (int i = 0; i < 200; i++) {
                  int parks = i + 1;
                  Await.until("asleep", () -> parker.timedParks() >= parks, scheduler::stats);
                  CountDownLatch fired = new CountDownLatch(1);
                  scheduler.schedule(fired::countDown, 100 + i, TimeUnit.MICROSECONDS);
                  Await.latch("timer " + i, fired, scheduler::stats);
                }
                last.cancel(false);
                scheduler.shutdown();
              });
      CompletableFuture<@Nullable Void> never = new CompletableFuture<>();
      other.start();
      try {
        current.runUntil(never);
      } catch (CancellationException e) {
        assertTrue(scheduler.isTerminated(), "shut down: the expected end");
      }
      other.join();
      assertEquals(200, scheduler.stats().executed());
    }
  }

  @Test
  void timersRunInTheOrderOfTheirDeadlines() throws Exception {
    int n = 1_000;
    List<Integer> inOrder = IntStream.range(0, n).boxed().toList();
    try (var current = CurrentThreadScheduler.create()) {
      for (int round = 0; round < 40; round++) {
        List<Integer> ran = new ArrayList<>();
        CompletableFuture<@Nullable Void> all = new CompletableFuture<>();
        for (int i = 0; i < n; i++) {
          int number = i;
          current
              .scheduler()
              .schedule(
                  () -> {
                    ran.add(number);
                    if (ran.size() == n) {
                      all.complete(null);
                    }
                  },
                  round * 50L,
                  TimeUnit.MICROSECONDS);
        }
        current.runUntil(all);
        assertEquals(inOrder, ran);
      }
    }
  }

  /** Its own queue never runs dry. */
  @Test
  void aTimerFiresBesideATaskThatSubmitsItselfForEver() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      AtomicBoolean over = new AtomicBoolean();
      Runnable busy =
          new Runnable() {
            @Override
            public void run() {
              if (!over.get()) {
                current.execute(this);
              }
            }
          };
      current.execute(busy);
      assertATimerFires(current, over);
    }
  }

  /** The injector never runs dry: batches from there come one after the other. */
  @Test
  void aTimerFiresWhileOthersNeverStopToPublish() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      AtomicBoolean over = new AtomicBoolean();
      Thread flood =
          new Thread(
              () -> {
                while (!over.get()) {
                  if (current.scheduler().stats().queued() < 20_000) {
                    for (int i = 0; i < 1_000; i++) {
                      current.execute(() -> work(over.get() ? 0 : 1_000));
                    }
                  }
                }
              });
      flood.start();
      Await.until("flood", () -> current.scheduler().stats().queued() > 10_000, current::toString);
      assertATimerFires(current, over);
      flood.join();
    }
  }

  private static void work(int spins) {
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
  }

  /** On another thread, so that a scheduler that never fires it fails the test. */
  private static void assertATimerFires(CurrentThreadScheduler current, AtomicBoolean over)
      throws Exception {
    CompletableFuture<Boolean> fired = new CompletableFuture<>();
    current.scheduler().schedule(() -> fired.complete(true), 2, TimeUnit.MILLISECONDS);
    FutureTask<Boolean> run = new FutureTask<>(() -> current.runUntil(fired));
    Thread caller = new Thread(run);
    caller.start();
    try {
      assertTrue(run.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    } finally {
      over.set(true);
      caller.interrupt();
    }
  }

  @Test
  void aPeriodicTaskRunsWhileSomebodyRuns_andDoesNotWhileNobodyDoes() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      CompletableFuture<Integer> tenth = new CompletableFuture<>();
      int[] runs = new int[1];
      current
          .scheduler()
          .scheduleAtFixedRate(
              () -> {
                runs[0]++;
                if (runs[0] == 10) {
                  tenth.complete(runs[0]);
                }
              },
              0,
              100,
              TimeUnit.MICROSECONDS);
      assertEquals(10, current.runUntil(tenth));
      assertEquals(10, runs[0]);
    }
  }
}
