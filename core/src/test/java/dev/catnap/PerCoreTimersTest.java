package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.MonotonicClock;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.Timer;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TaskTimer;
import dev.catnap.testing.TestScale;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G11 with a thread per core: each worker keeps its own timers, and there is no timer thread. */
@ExtendWith(NoThreadLeft.class)
class PerCoreTimersTest {
  private final CountingParker parker = new CountingParker();

  private WorkStealingScheduler perCore(int workers) {
    return perCore(workers, MonotonicClock.SYSTEM);
  }

  private WorkStealingScheduler perCore(int workers, MonotonicClock clock) {
    return WorkStealingScheduler.builder()
        .flavor(Flavor.THREAD_PER_CORE)
        .parallelism(workers)
        .tuning(SchedulerTuning.production().withParker(parker).withClock(clock))
        .build();
  }

  private static int currentWorker() {
    return ((WorkerThread) Thread.currentThread()).worker().index();
  }

  @Test
  void aTimerFiresWhereItWasArmed_notEarly_inOrder() {
    try (var scheduler = perCore(3)) {
      for (int home = 0; home < 3; home++) {
        int here = home;
        List<Integer> fired = new CopyOnWriteArrayList<>();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(50);
        scheduler
            .confinedTo(here)
            .execute(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    int n = i;
                    long due = System.nanoTime() + n * 200_000L;
                    ScheduledFuture<?> timer =
                        scheduler.schedule(
                            () -> {
                              if (currentWorker() != here || System.nanoTime() - due < 0) {
                                wrong.incrementAndGet();
                              }
                              fired.add(n);
                              over.countDown();
                            },
                            n * 200_000L,
                            TimeUnit.NANOSECONDS);
                    assertEquals(false, timer.isCancelled());
                  }
                });
        Await.latch("all timers", over, scheduler::dump);
        assertEquals(0, wrong.get(), "early, or on another worker");
        assertEquals(IntStream.range(0, 50).boxed().toList(), fired);
      }
    }
  }

  /** The worker parks for an hour when the earlier one is armed, or is just about to. */
  @Test
  void anEarlierTimerFromOutsideWakesTheWorker() {
    try (var scheduler = perCore(1)) {
      SchedulerAdapter home = scheduler.adapter().homes().get(0);
      Timer late = new TaskTimer(() -> {});
      home.arm(late, TimeUnit.HOURS.toNanos(1));
      for (int i = 0; i < TestScale.of(5_000); i++) {
        CountDownLatch fired = new CountDownLatch(1);
        home.arm(new TaskTimer(fired::countDown), i % 100 * 100L);
        Await.latch("the earlier timer", fired, scheduler::dump);
      }
      assertTrue(late.cancel());
    }
  }

  /** G5, G11: it never has nothing else to run. */
  @Test
  void aWorkerThatAlwaysHasATaskFiresItsTimersAllTheSame() {
    try (var scheduler = perCore(1)) {
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch ended = new CountDownLatch(1);
      Runnable again =
          new Runnable() {
            @Override
            public void run() {
              if (over.get()) {
                ended.countDown();
              } else {
                scheduler.execute(this);
              }
            }
          };
      scheduler.execute(again);
      CountDownLatch fired = new CountDownLatch(100);
      SchedulerAdapter home = scheduler.adapter().homes().get(0);
      for (int i = 0; i < 100; i++) {
        home.arm(new TaskTimer(fired::countDown), TimeUnit.MICROSECONDS.toNanos(i));
      }
      Await.latch("timers beside a task that never ends", fired, scheduler::dump);
      over.set(true);
      Await.latch("its last round", ended, scheduler::dump);
    }
  }

  /** G5, G11: the injector never runs dry, batches from there come one after the other. */
  @Test
  void aTimerFiresWhileOthersNeverStopToPublish() throws Exception {
    try (var scheduler = perCore(1)) {
      AtomicBoolean over = new AtomicBoolean();
      Thread flood =
          new Thread(
              () -> {
                while (!over.get()) {
                  if (scheduler.stats().queued() < 20_000) {
                    for (int i = 0; i < 1_000; i++) {
                      // Ten times as long as its publish.
                      scheduler.execute(() -> spin(over.get() ? 0 : 1_000));
                    }
                  }
                }
              });
      flood.start();
      try {
        Await.until("a flood", () -> scheduler.stats().queued() > 10_000, scheduler::stats);
        CountDownLatch fired = new CountDownLatch(1);
        SchedulerAdapter home = scheduler.adapter().homes().get(0);
        home.arm(new TaskTimer(fired::countDown), TimeUnit.MILLISECONDS.toNanos(2));
        Await.latch("a timer beside a flood", fired, scheduler::dump);
      } finally {
        over.set(true);
        flood.join();
      }
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  /** G4: a timed park only while a timer is armed. */
  @Test
  void withoutTimersEveryParkIsUntimed() {
    ManualClock clock = new ManualClock();
    try (var scheduler = perCore(2, clock)) {
      for (int i = 0; i < 100; i++) {
        scheduler.execute(() -> {});
      }
      Await.until("both are parked", () -> parker.parked() == 2, scheduler::stats);
      assertEquals(0, parker.timedParks());
      CountDownLatch fired = new CountDownLatch(1);
      Duration delay = Duration.ofMillis(20);
      scheduler.adapter().homes().get(1).arm(new TaskTimer(fired::countDown), delay.toNanos());
      Await.until(
          "the worker waits for its timer by itself",
          () -> parker.timedParks() >= 1,
          scheduler::stats);
      clock.advance(delay);
      Await.latch("the timer", fired, scheduler::dump);
      Await.until("both are parked", () -> parker.parked() == 2, scheduler::stats);
      long timed = parker.timedParks();
      long untimed = parker.parks();
      scheduler.adapter().homes().get(1).publish(() -> {}, Placement.QUEUED);
      Await.until("it parks again", () -> parker.parks() > untimed, scheduler::stats);
      assertEquals(timed, parker.timedParks());
    }
  }

  @Test
  void periodicTasksStayOnTheirWorker() throws Exception {
    try (var scheduler = perCore(4)) {
      List<Integer> where = new CopyOnWriteArrayList<>();
      CountDownLatch often = new CountDownLatch(50);
      ScheduledFuture<?> periodic =
          scheduler.scheduleAtFixedRate(
              () -> {
                where.add(currentWorker());
                often.countDown();
              },
              0,
              100,
              TimeUnit.MICROSECONDS);
      Await.latch("fifty times", often, scheduler::dump);
      periodic.cancel(false);
      assertEquals(1, where.stream().distinct().count(), where.toString());
    }
  }
}
