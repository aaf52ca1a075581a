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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
        .tuning(
            SchedulerTuning.production()
                .withClock(clock)
                .withParker(clock)
                .withProcessors(parallelism)) // nobody is on standby, wherever it runs
        .build();
  }

  /** A task that waits until it is let go, on as many workers as run it. */
  private static final class Waiting implements Runnable, AutoCloseable {
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);

    @Override
    public void run() {
      threads.add(Thread.currentThread());
      Await.quietly(over);
    }

    void awaitWaiting(int workers) {
      Await.until(
          "they wait",
          () ->
              threads.size() == workers
                  && threads.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING),
          () -> threads);
    }

    void letGo() {
      over.countDown();
    }

    @Override
    public void close() {
      letGo();
    }
  }

  /** A task that computes until it is told to end. */
  private static final class Hog implements Runnable, AutoCloseable {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicBoolean over = new AtomicBoolean();

    @Override
    public void run() {
      begun.countDown();
      while (!over.get()) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      over.set(true);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void workersThatWait_areRelievedAtTheSecondLook_notBefore(int parallelism) throws Exception {
    try (var scheduler = scheduler(parallelism);
        Waiting waiting = new Waiting()) {
      awaitRest(scheduler, parallelism);
      for (int i = 0; i < parallelism; i++) {
        scheduler.execute(waiting);
        waiting.awaitWaiting(i + 1);
      }
      Future<Integer> task = scheduler.submit(() -> 1);
      assertEquals(STALL_TICK, clock.awaitParked("-sentinel"));
      clock.advance(STALL_TICK.minus(INSTANT));
      assertEquals(0, scheduler.stats().relievedWorkers());
      clock.advance(INSTANT);
      SchedulerStats relieved = scheduler.stats();
      assertTrue(
          relieved.relievedWorkers() >= 1, relieved::toString); // the others, if more tasks wait
      assertEquals(1, task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      waiting.letGo();
      Await.until(
          "they came back", () -> scheduler.stats().relievedWorkers() == 0, scheduler::stats);
    }
  }

  @Test
  void aWorkerThatComputes_isRelievedAfterFourTicks_notBefore() throws Exception {
    try (var scheduler = scheduler(1);
        Hog hog = new Hog()) {
      awaitRest(scheduler, 1);
      scheduler.execute(hog);
      Await.latch("the hog", hog.begun, scheduler::stats);
      Future<Integer> task = scheduler.submit(() -> 1);
      assertEquals(STALL_TICK, clock.awaitParked("-sentinel"));
      clock.advance(STALL_TICK, 3);
      assertEquals(0, scheduler.stats().relievedWorkers());
      clock.advance(STALL_TICK);
      assertEquals(1, scheduler.stats().relievedWorkers());
      assertEquals(1, task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
  }

  /** G1: a silent push into the slot is left to its worker for one tick, and seen twice in that. */
  @Test
  void aTaskInTheSlotOfAHog_isTakenAtTheSecondLook_notBefore() {
    try (var scheduler = scheduler(2);
        Hog hog = new Hog()) {
      awaitRest(scheduler, 2);
      CountDownLatch taken = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            scheduler.adapter().publish(taken::countDown, Placement.NEXT);
            hog.run();
          });
      assertEquals(SLOT_TICK, clock.awaitParked("-sentinel"));
      clock.advance(SLOT_TICK.minus(INSTANT));
      assertEquals(1, scheduler.stats().parkedWorkers());
      clock.advance(INSTANT);
      Await.latch("the other worker takes it", taken, scheduler::stats);
    }
  }

  /** From here on the sentinel looks at once when it is called, and no worker is about to park. */
  private void awaitRest(WorkStealingScheduler scheduler, int workers) {
    Await.until(
        "nobody waits for time",
        () -> {
          clock.advance(STALL_TICK); // the sentinel lingers
          SchedulerStats stats = scheduler.stats();
          return stats.parkedWorkers() == workers && clock.isAtRest(stats.name());
        },
        scheduler::stats);
  }

  /** G4: at rest nobody waits for time to pass, and nobody runs when it does. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @SuppressWarnings("FutureReturnValueIgnored") // they are counted
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
      awaitRest(scheduler, parallelism);
      long parks = clock.parks();
      SchedulerStats before = scheduler.stats();
      clock.advance(Duration.ofDays(1));
      assertEquals(parks, clock.parks());
      assertEquals(before, scheduler.stats());
    }
  }

  @Test
  void aSpare_retiresWhenItsKeepAliveIsOver_notBefore() throws Exception {
    try (var scheduler = scheduler(1);
        Waiting waiting = new Waiting()) {
      Future<?> section =
          scheduler.submit(
              () ->
                  scheduler.blocking(
                      () -> {
                        waiting.run();
                        return 1;
                      }));
      waiting.awaitWaiting(1);
      scheduler.submit(() -> {}).get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      waiting.letGo();
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
