package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More workers than processors: those that would only take the processors from each other are on
 * standby, asleep, and nothing waits for good because of that (G1, G9).
 */
@ExtendWith(NoThreadLeft.class)
class StandbyTest {
  private static final int WORKERS = 8;
  private static final Duration DELAY = Duration.ofMillis(5);

  private final CountingParker parker = new CountingParker();
  private final ManualClock clock = new ManualClock();

  /** Whatever those that are awake publish, or others; what is more is up to the sentinel. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void asManyRunAsThereAreProcessors(int processors) {
    try (var scheduler = whereTimeStandsStill(WORKERS, processors)) {
      int tasks = 1_000;
      CountDownLatch published = new CountDownLatch(processors);
      CountDownLatch publish = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch ran = new CountDownLatch((1 + processors) * tasks);
      long before = parker.unparks();
      for (int i = 0; i < processors; i++) {
        CountDownLatch begun = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              begun.countDown();
              Await.quietly(publish);
              submit(scheduler, tasks, ran);
              published.countDown();
              Await.quietly(release);
            });
        Await.latch("one for each processor", begun, scheduler::stats);
      }
      submit(scheduler, tasks, ran);
      publish.countDown();
      Await.latch("each publishes", published, scheduler::stats);
      assertEquals(processors, parker.unparks() - before);
      assertEquals(WORKERS - processors, parker.parked());
      release.countDown();
      Await.latch("all ran", ran, scheduler::stats);
    }
  }

  private static void submit(WorkStealingScheduler scheduler, int tasks, CountDownLatch ran) {
    for (int i = 0; i < tasks; i++) {
      scheduler.execute(ran::countDown);
    }
  }

  /** All of them meet, so all must be awake at once: nobody may wait for those that are. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void tasksThatWaitForEachOtherHaveAllWorkers(int processors) {
    try (var scheduler = scheduler(WORKERS, processors)) {
      for (int round = 0; round < 20; round++) {
        CountDownLatch met = new CountDownLatch(WORKERS);
        for (int i = 0; i < WORKERS; i++) {
          scheduler.execute(
              () -> {
                met.countDown();
                Await.quietly(met);
              });
        }
        Await.latch("they met", met, scheduler::stats);
      }
    }
  }

  /** The same for tasks that compute until the last one has begun. */
  @Test
  void hogsHaveAllWorkers() {
    try (var scheduler = scheduler(WORKERS, 1)) {
      CountDownLatch met = new CountDownLatch(WORKERS);
      long start = System.nanoTime();
      for (int i = 0; i < WORKERS; i++) {
        scheduler.execute(
            () -> {
              met.countDown();
              while (met.getCount() > 0
                  && System.nanoTime() - start
                      < TimeUnit.SECONDS.toNanos(2 * Await.DEADLINE_SECONDS)) {
                Thread.onSpinWait();
              }
            });
      }
      Await.latch("all of them hog", met, scheduler::stats);
    }
  }

  /** The other worker is never out of work, and so does not look elsewhere. */
  @Test
  void behindAHogTasksRun_thoughAsManyGetOnAsThereAreProcessors() {
    try (var scheduler = scheduler(4, 2)) {
      CountDownLatch ran = new CountDownLatch(1);
      CountDownLatch hogEnded = new CountDownLatch(1);
      Runnable chain =
          new Runnable() {
            @Override
            public void run() {
              if (ran.getCount() > 0) {
                scheduler.execute(this);
              }
            }
          };
      scheduler.execute(chain);
      long start = System.nanoTime();
      scheduler.execute(
          () -> {
            for (int i = 0; i < 2; i++) { // one more than the slot holds
              scheduler.execute(ran::countDown);
            }
            while (ran.getCount() > 0
                && System.nanoTime() - start
                    < TimeUnit.SECONDS.toNanos(2 * Await.DEADLINE_SECONDS)) {
              Thread.onSpinWait();
            }
            hogEnded.countDown();
          });
      Await.latch("what waits behind the hog", ran, scheduler::stats);
      Await.latch("the hog", hogEnded, scheduler::stats);
    }
  }

  /** Who published saw one worker awake, and one processor. Then that worker blocks. */
  @Test
  void whoBlocksAfterAPublishIsReplacedAtOnce() throws Exception {
    try (var scheduler = whereTimeStandsStill(2, 1)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch published = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            begun.countDown();
            Await.quietly(published);
            Sections.block(scheduler, () -> Await.quietly(release));
          });
      Await.latch("it runs", begun, scheduler::stats);
      scheduler.execute(release::countDown);
      assertEquals(1, parker.parked(), "the other sleeps on");
      published.countDown();
      Await.latch("the other task ran", release, scheduler::stats);
    }
  }

  /** A worker in a blocking section needs no processor. */
  @Test
  void besideOneThatBlocksAnotherIsAwake() throws Exception {
    try (var scheduler = whereTimeStandsStill(3, 1)) {
      CountDownLatch blocked = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      scheduler.execute(
          () ->
              Sections.block(
                  scheduler,
                  () -> {
                    blocked.countDown();
                    Await.quietly(release);
                  }));
      Await.latch("it blocks", blocked, scheduler::stats);
      scheduler.execute(release::countDown);
      Await.latch("the other task ran", release, scheduler::stats);
    }
  }

  /**
   * G11: there is no processor for who would be woken; they wait a millisecond, as where all run.
   */
  @Test
  void timersThatAreDueAreLeftToThoseWhoRun() {
    try (var scheduler = whereTimeStandsStill(3, 1)) {
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch fired = armBeside(scheduler, () -> Await.quietly(release));
      long before = parker.unparks();
      clock.advance(DELAY);
      assertEquals(1, scheduler.stats().armedTimers());
      assertEquals(0, parker.unparks() - before);
      clock.advance(Duration.ofMillis(1));
      assertEquals(0, scheduler.stats().armedTimers(), "the timer thread has fired it");
      Await.until(
          "the sentinel calls one up",
          () -> {
            clock.advance(Duration.ofMillis(1));
            return fired.getCount() == 0;
          },
          scheduler::stats);
      release.countDown();
    }
  }

  /** G11: the processor of one that blocks is free, and nobody is left who would look. */
  @Test
  void timersThatWereLeftToOneThatBlocksWakeAnother() {
    try (var scheduler = whereTimeStandsStill(3, 1)) {
      CountDownLatch block = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch fired =
          armBeside(
              scheduler,
              () -> {
                Await.quietly(block);
                Sections.block(scheduler, () -> Await.quietly(release));
              });
      clock.advance(DELAY);
      assertEquals(1, scheduler.stats().armedTimers());
      block.countDown();
      Await.latch("the timer, while time stands still", fired, scheduler::stats);
      release.countDown();
    }
  }

  private CountDownLatch armBeside(WorkStealingScheduler scheduler, Runnable task) {
    CountDownLatch begun = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          begun.countDown();
          task.run();
        });
    Await.latch("as many run as there are processors", begun, scheduler::stats);
    CountDownLatch fired = new CountDownLatch(1);
    ScheduledFuture<?> timer =
        scheduler.schedule(fired::countDown, DELAY.toNanos(), TimeUnit.NANOSECONDS);
    assertFalse(timer.isDone());
    assertEquals(DELAY, clock.awaitParked("-timer"));
    return fired;
  }

  /** Nobody would call up those on standby. */
  @Test
  void withoutASentinelEveryPublishWakes() {
    SchedulerTuning tuning = SchedulerTuning.production().withSentinel(0, 0).withProcessors(1);
    try (var scheduler =
        WorkStealingScheduler.builder().parallelism(WORKERS).tuning(tuning).build()) {
      CountDownLatch met = new CountDownLatch(WORKERS);
      for (int i = 0; i < WORKERS; i++) {
        scheduler.execute(
            () -> {
              met.countDown();
              Await.quietly(met);
            });
      }
      Await.latch("they met", met, scheduler::stats);
    }
  }

  /** The number of those on standby is that of the new parallelism. */
  @Test
  void aSchedulerThatGrowsHasMoreOnStandby() {
    try (var scheduler = scheduler(1, 1)) {
      scheduler.setParallelism(WORKERS);
      CountDownLatch met = new CountDownLatch(WORKERS);
      for (int i = 0; i < WORKERS; i++) {
        scheduler.execute(
            () -> {
              met.countDown();
              Await.quietly(met);
            });
      }
      Await.latch("they met", met, scheduler::stats);
      scheduler.setParallelism(1);
      CountDownLatch ran = new CountDownLatch(1);
      scheduler.execute(ran::countDown);
      Await.latch("the one that is left runs it", ran, scheduler::stats);
    }
  }

  private static WorkStealingScheduler scheduler(int workers, int processors) {
    return build(workers, SchedulerTuning.production().withProcessors(processors));
  }

  /** The sentinel is there, and none of its ticks comes; every worker is in its park. */
  private WorkStealingScheduler whereTimeStandsStill(int workers, int processors) {
    var scheduler =
        build(
            workers,
            SchedulerTuning.production()
                .withProcessors(processors)
                .withParker(parker)
                .withClock(clock));
    startSentinel(scheduler);
    // In their parks: one that is on its way there sees what comes, and needs no wake.
    Await.until("all are parked", () -> parker.parked() == workers, scheduler::stats);
    // And the sentinel in its own. In the middle of a round, it may have passed those who are awake
    // next when they slept, and sees what they leave waiting: it calls up as many.
    Duration unused = clock.awaitParked("-sentinel");
    return scheduler;
  }

  private static WorkStealingScheduler build(int workers, SchedulerTuning tuning) {
    return WorkStealingScheduler.builder().parallelism(workers).tuning(tuning).build();
  }

  /** While its thread is being started nobody relies on it, and each publish wakes. */
  private static void startSentinel(WorkStealingScheduler scheduler) {
    // Into the slot, however long it took to come here.
    scheduler.execute(() -> scheduler.adapter().publish(() -> {}, Placement.REQUEUED));
    Await.until("it has looked", () -> scheduler.stats().sentinelRounds() > 0, scheduler::stats);
  }
}
