package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.SchedulerStats.WorkerStats;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a scheduler tells of itself is what happened. */
@ExtendWith(NoThreadLeft.class)
class StatsTest {

  /** G4: at rest the counts are exact. */
  @Test
  void eachCountIsWhatHappened() {
    CountingParker parker = new CountingParker();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .name("counted")
            .parallelism(1)
            .maxThreads(1)
            .uncaughtExceptionHandler((t, e) -> {})
            .tuning(SchedulerTuning.production().withParker(parker))
            .build()) {
      Await.until("the worker is in its park", () -> parker.parked() == 1, scheduler::stats);
      var late = scheduler.schedule(() -> {}, 1, TimeUnit.DAYS);
      CountDownLatch done = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            for (int i = 0; i < 9; i++) {
              scheduler.execute(() -> {});
            }
            scheduler.execute(done::countDown);
            throw new IllegalStateException("counted");
          });
      Await.latch("the tasks", done, scheduler::stats);
      Await.until("the worker is in its park", () -> parker.parked() == 1, scheduler::stats);
      SchedulerStats stats = scheduler.stats();
      late.cancel(false);
      assertEquals(
          new SchedulerStats(
              "counted",
              1, // parallelism
              1, // maxThreads
              1, // threads
              0, // budgetThreads
              0, // budgetFree
              11, // published
              11, // executed
              0, // stolen
              1, // injected
              1, // wakes
              0, // futileWakes
              1, // parkedWorkers
              0, // searchingWorkers
              0, // blockedWorkers
              0, // relievedWorkers
              0, // spareThreads
              0, // queued
              1, // armedTimers
              stats.sentinelRounds(),
              1, // uncaughtExceptions
              List.of(
                  new WorkerStats(0, "counted-worker-0", "sleeping", 10, 11, 0, 1, 0, 0, 2, 0))),
          stats);
    }
  }

  /** One state for whatever a worker waits for: a task, a branch, a right to run, a new thread. */
  @ParameterizedTest
  @ValueSource(strings = {"spare", "retired"})
  void theStateOfAWorkerTellsWhatItWaitsFor(String surplus) {
    boolean stays = surplus.equals("spare");
    CountDownLatch begin = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch branch = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .maxThreads(2)
            .keepAlive(stays ? Duration.ofDays(1) : Duration.ZERO)
            .build()) {
      awaitStates(scheduler, "sleeping");
      scheduler.execute(
          () -> {
            Await.quietly(begin);
            Sections.block(
                scheduler,
                () ->
                    scheduler.join(
                        () -> Await.quietly(taken),
                        () -> {
                          taken.countDown();
                          Await.quietly(branch);
                        }));
          });
      awaitStates(scheduler, "awake");
      begin.countDown();
      awaitStates(scheduler, "awake", "waiting");
      branch.countDown();
      awaitStates(scheduler, "sleeping", surplus);
      scheduler.execute(
          () -> {
            begun.countDown();
            Await.quietly(end);
          });
      Await.latch("a task to notify in its middle", begun, scheduler::stats);
      scheduler.shutdown();
      awaitStates(scheduler, "notified", stays ? "sleeping" : "retired");
      end.countDown();
    }
  }

  /** In any order: which of two workers has become the spare is a matter of luck. */
  private static void awaitStates(WorkStealingScheduler scheduler, String... states) {
    Await.until(
        "workers are " + List.of(states),
        () ->
            scheduler.stats().workers().stream()
                .map(WorkerStats::state)
                .sorted()
                .toList()
                .equals(Stream.of(states).sorted().toList()),
        scheduler::dump);
  }
}
