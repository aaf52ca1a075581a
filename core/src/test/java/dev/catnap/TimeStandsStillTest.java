package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole pools on a clock that the tests move: what the bounds of G9, G4 and G11 are in ticks and
 * deadlines, whatever the machine does meanwhile. What they are in milliseconds is measured by the
 * tests of real time.
 */
@ExtendWith(NoThreadLeft.class)
class TimeStandsStillTest {
  private static final Duration SLOT_TICK =
      Duration.ofNanos(SchedulerTuning.production().slotTickNanos());
  private static final Duration STALL_TICK =
      Duration.ofNanos(SchedulerTuning.production().stallTickNanos());
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(7);
  private static final Duration INSTANT = Duration.ofNanos(1);

  private final ManualClock clock = new ManualClock();

  private WorkStealingScheduler scheduler(int parallelism) {
    return WorkStealingScheduler.builder()
        .parallelism(parallelism)
        .keepAlive(KEEP_ALIVE)
        .tuning(SchedulerTuning.production().withClock(clock).withParker(clock))
        .build();
  }

  /** A task that waits until it is let go, and its thread. */
  private static final class Waiting implements Runnable {
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final CountDownLatch letGo = new CountDownLatch(1);

    @Override
    public void run() {
      thread.set(Thread.currentThread());
      Await.quietly(letGo);
    }

    void awaitWaiting() {
      Await.until(
          "it waits",
          () -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING,
          () -> thread);
    }
  }

  /** A task that computes until it is told to end. */
  private static final class Hog implements Runnable {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicBoolean over = new AtomicBoolean();

    @Override
    public void run() {
      begun.countDown();
      while (!over.get()) {
        Thread.onSpinWait();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void workersThatWait_areRelievedAtTheSecondTick_notBefore(int parallelism) throws Exception {
    try (var scheduler = scheduler(parallelism)) {
      Waiting[] waiting = new Waiting[parallelism];
      for (int i = 0; i < parallelism; i++) {
        waiting[i] = new Waiting();
        scheduler.execute(waiting[i]);
        waiting[i].awaitWaiting();
      }
      Future<Integer> task = scheduler.submit(() -> 1);
      assertEquals(STALL_TICK, clock.awaitParked("-sentinel"));
      clock.advance(STALL_TICK.minus(INSTANT));
      assertEquals(0, scheduler.stats().relievedWorkers());
      clock.advance(INSTANT);
      assertTrue(scheduler.stats().relievedWorkers() >= 1); // the others, if more tasks wait
      assertEquals(1, task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      for (Waiting w : waiting) {
        w.letGo.countDown();
      }
      Await.until(
          "they came back", () -> scheduler.stats().relievedWorkers() == 0, scheduler::stats);
    }
  }

  @Test
  void aWorkerThatComputes_isRelievedAfterFourTicks_notBefore() throws Exception {
    try (var scheduler = scheduler(1)) {
      Hog hog = new Hog();
      scheduler.execute(hog);
      Await.latch("the hog", hog.begun, scheduler::stats);
      Future<Integer> task = scheduler.submit(() -> 1);
      assertEquals(STALL_TICK, clock.awaitParked("-sentinel"));
      clock.advance(STALL_TICK, 3);
      assertEquals(0, scheduler.stats().relievedWorkers());
      clock.advance(STALL_TICK);
      assertEquals(1, scheduler.stats().relievedWorkers());
      assertEquals(1, task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      hog.over.set(true);
    }
  }

  /** G1: a silent push into the slot is not left to its worker for longer than two ticks. */
  @Test
  void aTaskInTheSlotOfAHog_isTakenAtTheSecondSlotTick() throws Exception {
    try (var scheduler = scheduler(2)) {
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch taken = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            scheduler.adapter().publish(taken::countDown, Placement.NEXT);
            while (!over.get()) {
              Thread.onSpinWait();
            }
          });
      assertEquals(SLOT_TICK, clock.awaitParked("-sentinel"));
      clock.advance(SLOT_TICK);
      clock.advance(SLOT_TICK);
      Await.latch("the other worker takes it", taken, scheduler::stats);
      over.set(true);
    }
  }

  /** G4: at rest nobody waits for time to pass, and nobody runs when it does. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void atRest_everyThreadIsParkedWithoutATimeout(int parallelism) throws Exception {
    try (var scheduler = scheduler(parallelism)) {
      AtomicInteger ran = new AtomicInteger();
      for (int i = 0; i < 1_000; i++) {
        scheduler.execute(ran::incrementAndGet);
        if (i % 10 == 0) {
          scheduler.schedule(ran::incrementAndGet, 1, TimeUnit.MILLISECONDS);
        }
      }
      Await.until(
          "all have run",
          () -> {
            clock.advance(Duration.ofMillis(1));
            return ran.get() == 1_100;
          },
          scheduler::stats);
      Await.until(
          "nobody waits for time",
          () -> {
            clock.advance(STALL_TICK); // the sentinel lingers
            return clock.isAtRest() && scheduler.stats().parkedWorkers() == parallelism;
          },
          scheduler::stats);
      long parks = clock.parks();
      SchedulerStats before = scheduler.stats();
      clock.advance(Duration.ofDays(1));
      assertEquals(parks, clock.parks());
      assertEquals(before, scheduler.stats());
    }
  }

  @Test
  void aSpare_retiresWhenItsKeepAliveIsOver_notBefore() throws Exception {
    try (var scheduler = scheduler(1)) {
      Waiting waiting = new Waiting();
      Future<?> section =
          scheduler.submit(
              () ->
                  scheduler.blocking(
                      () -> {
                        waiting.run();
                        return 1;
                      }));
      waiting.awaitWaiting();
      scheduler.submit(() -> {}).get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      waiting.letGo.countDown();
      section.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      clock.awaitParkedFor(KEEP_ALIVE); // one of the two is a spare
      clock.advance(KEEP_ALIVE.minus(INSTANT));
      assertEquals(2, scheduler.stats().threads());
      clock.advance(INSTANT);
      Await.until("it is over", () -> scheduler.stats().threads() == 1, scheduler::stats);
    }
  }

  /** G11. */
  @Test
  void aTimer_firesAtItsDeadline_notBefore() throws Exception {
    try (var scheduler = scheduler(2)) {
      Future<Integer> late = scheduler.schedule(() -> 1, 1, TimeUnit.HOURS);
      assertEquals(Duration.ofHours(1), clock.awaitParked("-timer"));
      clock.advance(Duration.ofHours(1).minus(INSTANT));
      assertEquals(0, scheduler.stats().executed());
      assertFalse(late.isDone());
      clock.advance(INSTANT);
      assertEquals(1, late.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
  }
}
