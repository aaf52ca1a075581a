package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a worker does while it waits for a branch that another one has taken. */
@ExtendWith(NoThreadLeft.class)
class ForkJoinWaitingTest {

  private static WorkStealingScheduler scheduler(int parallelism) {
    return WorkStealingScheduler.builder().parallelism(parallelism).build();
  }

  /** One runs the right branch; no spare runs what is for the other, which waits. */
  private static WorkStealingScheduler twoWithoutSpares() {
    return TestPools.withoutSpares(2).build();
  }

  /**
   * On a worker: the right branch was taken by another one, and goes on until {@code release}
   * opens; {@code left} runs when it has begun.
   */
  private static void joinWithStolenRight(
      WorkStealingScheduler scheduler, Runnable left, CountDownLatch release) {
    joinWithStolenRight(scheduler, new CountDownLatch(1), left, release);
  }

  private static void joinWithStolenRight(
      WorkStealingScheduler scheduler,
      CountDownLatch begun,
      Runnable left,
      CountDownLatch release) {
    scheduler.join(
        () -> {
          Await.quietly(begun);
          left.run();
        },
        () -> {
          begun.countDown();
          Await.quietly(release);
        });
  }

  /** Both branches run when {@code begun} opens: who is asleep afterwards is the one that waits. */
  private static void awaitAsleep(WorkStealingScheduler scheduler, CountDownLatch begun) {
    Await.latch("the right branch", begun, scheduler::stats);
    Await.until(
        "the one that waits is asleep",
        () -> scheduler.stats().parkedWorkers() == 1,
        scheduler::stats);
  }

  @Test
  void itRunsOtherTasks() throws Exception {
    try (var scheduler = twoWithoutSpares()) {
      CountDownLatch ran = new CountDownLatch(100);
      scheduler
          .submit(
              () ->
                  joinWithStolenRight(
                      scheduler,
                      () -> {
                        for (int i = 0; i < 100; i++) {
                          scheduler.execute(ran::countDown);
                        }
                      },
                      ran))
          .get();
      assertEquals(0, ran.getCount());
      Quiescence.await(scheduler);
    }
  }

  /** G4: without work it sleeps, and the end of the branch wakes it. */
  @Test
  void itSleepsWhenThereIsNothingToRun() throws Exception {
    CountingParker parker = new CountingParker();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(2)
            .tuning(SchedulerTuning.production().withParker(parker).withSentinel(0, 0))
            .build()) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      var joined =
          scheduler.submit(
              () -> {
                joinWithStolenRight(scheduler, begun, () -> {}, release);
                return Thread.currentThread().getName();
              });
      awaitAsleep(scheduler, begun);
      Await.until("it is parked", () -> parker.parked() == 1, scheduler::stats);
      assertEquals(0, parker.timedParks());
      long parks = parker.parks();
      scheduler.submit(() -> {}).get(); // it is woken for this, and sleeps again
      Await.until("it is parked again", () -> parker.parked() == 1, scheduler::stats);
      assertTrue(parker.parks() > parks);
      assertFalse(joined.isDone());
      release.countDown();
      assertTrue(joined.get().contains("worker"));
      Quiescence.await(scheduler);
      SchedulerStats stats = scheduler.stats();
      assertEquals(stats.wakes(), parker.unparks(), "each unpark is accounted for (G3)");
    }
  }

  /** F2 for waits: the end of the branch against the way to sleep, again and again. */
  @Test
  void itIsNeverLeftAsleep() {
    int rounds = TestScale.of(20_000);
    try (var scheduler = scheduler(2)) {
      AtomicInteger sum = new AtomicInteger();
      for (int round = 0; round < rounds; round++) {
        int pause = round % 64;
        CountDownLatch begun = new CountDownLatch(1);
        scheduler.join(
            () -> Await.quietly(begun),
            () -> {
              begun.countDown();
              for (int i = 0; i < pause * 16; i++) {
                Thread.onSpinWait();
              }
              sum.incrementAndGet();
            });
      }
      assertEquals(rounds, sum.get());
      Quiescence.await(scheduler);
    }
  }

  /** G9: beyond the limit of nesting a spare takes its place. */
  @Test
  void waitsOnTopOfEachOtherAreBounded() {
    int tasks = 100;
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(tasks);
    CountDownLatch over = new CountDownLatch(tasks);
    AtomicInteger deepest = new AtomicInteger();
    ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);
    // Beside an uninvited spare a stack need not come to the limit.
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).build();
        var other = scheduler(tasks)) {
      for (int i = 0; i < tasks; i++) {
        scheduler.execute(
            () -> {
              depth.set(depth.get() + 1);
              deepest.accumulateAndGet(depth.get(), Math::max);
              other.join(
                  () -> {
                    waiting.countDown();
                    Await.quietly(release);
                  },
                  () -> {});
              depth.set(depth.get() - 1);
              over.countDown();
            });
      }
      Await.latch("every task waits", waiting, scheduler::stats);
      int threads = scheduler.stats().threads();
      release.countDown();
      Await.latch("every wait is over", over, scheduler::stats);
      assertEquals(1 + 32, deepest.get(), "on one stack");
      assertTrue(threads >= 4, () -> "threads: " + threads);
      Await.until(
          "all sections over", () -> scheduler.stats().blockedWorkers() == 0, scheduler::stats);
      Quiescence.await(scheduler);
    }
  }

  /** Where no spare can be had it goes on beyond the limit: else the tasks in between never run. */
  @Test
  void withoutASpareWaitsNestBeyondTheLimit() {
    int tasks = 50;
    CountDownLatch waiting = new CountDownLatch(tasks);
    CountDownLatch over = new CountDownLatch(tasks);
    try (var scheduler = TestPools.withoutSpares(1).build();
        var other = scheduler(tasks)) {
      for (int i = 0; i < tasks; i++) {
        scheduler.execute(
            () -> {
              other.join(
                  () -> {
                    waiting.countDown();
                    Await.quietly(waiting);
                  },
                  () -> {});
              over.countDown();
            });
      }
      Await.latch("every wait is over", over, scheduler::stats);
      Quiescence.await(scheduler);
    }
  }

  // ---- containment on top of a task that waits (G7)
  // ----------------------------------------------

  @Test
  void theTasksInBetweenSeeNothingOfTheOneThatWaits_norThatOneOfThem() throws Exception {
    try (var scheduler = twoWithoutSpares()) {
      AtomicReference<String> seen = new AtomicReference<>("");
      AtomicBoolean seenInterrupt = new AtomicBoolean();
      CountDownLatch ran = new CountDownLatch(1);
      String after =
          scheduler
              .submit(
                  () -> {
                    Thread self = Thread.currentThread();
                    String before = self.getName();
                    joinWithStolenRight(
                        scheduler,
                        () -> {
                          self.setName("waits");
                          self.interrupt();
                          scheduler.execute(
                              () -> {
                                seen.set(Thread.currentThread().getName());
                                seenInterrupt.set(Thread.currentThread().isInterrupted());
                                Thread.currentThread().setName("in between");
                                ran.countDown();
                              });
                        },
                        ran);
                    String name = self.getName();
                    self.setName(before);
                    return name + " " + Thread.interrupted();
                  })
              .get();
      assertTrue(seen.get().contains("-worker-"), seen::get);
      assertFalse(seenInterrupt.get());
      assertEquals("waits true", after);
    }
  }

  @Test
  void anInterruptThatATaskInBetweenLeavesBehindIsNotSeen() throws Exception {
    try (var scheduler = twoWithoutSpares()) {
      CountDownLatch ran = new CountDownLatch(1);
      assertFalse(
          scheduler
              .submit(
                  () -> {
                    joinWithStolenRight(
                        scheduler,
                        () ->
                            scheduler.execute(
                                () -> {
                                  Thread.currentThread().interrupt();
                                  ran.countDown();
                                }),
                        ran);
                    return Thread.interrupted();
                  })
              .get());
    }
  }

  /** F12: it is for the task, which cannot see it before its join returns. */
  @Test
  void anInterruptThatComesWhileItSleepsIsKeptForTheTask() throws Exception {
    try (var scheduler = scheduler(2)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      AtomicReference<Thread> waiting = new AtomicReference<>();
      var interrupted =
          scheduler.submit(
              () -> {
                waiting.set(Thread.currentThread());
                joinWithStolenRight(scheduler, begun, () -> {}, release);
                return Thread.interrupted();
              });
      awaitAsleep(scheduler, begun);
      waiting.get().interrupt();
      scheduler.submit(() -> {}).get();
      release.countDown();
      assertTrue(interrupted.get());
    }
  }

  /** A task in between must not end the section of the one that waits. */
  @Test
  void aSectionThatATaskInBetweenDoesNotEndEndsWithIt() throws Exception {
    try (var scheduler = twoWithoutSpares()) {
      CountDownLatch ran = new CountDownLatch(1);
      AtomicInteger blocked = new AtomicInteger(-1);
      scheduler
          .submit(
              () ->
                  joinWithStolenRight(
                      scheduler,
                      () -> {
                        scheduler.execute(() -> scheduler.adapter().beginBlocking());
                        scheduler.execute(
                            () -> {
                              blocked.set(scheduler.stats().blockedWorkers());
                              ran.countDown();
                            });
                      },
                      ran))
          .get();
      assertEquals(0, blocked.get(), "in the next task in between");
      Await.until(
          "no section is left", () -> scheduler.stats().blockedWorkers() == 0, scheduler::stats);
      Quiescence.await(scheduler);
    }
  }

  // ---- with blocking sections and resizing (G9)
  // --------------------------------------------------

  @Test
  void insideABlockingSectionItParksAndRunsOnlyWhatItForked() throws Exception {
    try (var scheduler = scheduler(1)) {
      AtomicReference<Thread> other = new AtomicReference<>();
      AtomicReference<Thread> self = new AtomicReference<>();
      scheduler
          .submit(
              () ->
                  scheduler.blocking(
                      () -> {
                        self.set(Thread.currentThread());
                        CountDownLatch begun = new CountDownLatch(1);
                        CountDownLatch ran = new CountDownLatch(1);
                        scheduler.join(
                            () -> Await.quietly(begun), // the spare takes the right branch
                            () -> {
                              begun.countDown();
                              scheduler.execute(
                                  () -> {
                                    other.set(Thread.currentThread());
                                    ran.countDown();
                                  });
                              waitDeclared(scheduler, ran);
                            });
                        return 0;
                      }))
          .get();
      assertTrue(other.get() != self.get(), "it ran beside the section");
      Await.until(
          "all sections over", () -> scheduler.stats().blockedWorkers() == 0, scheduler::stats);
    }
  }

  /** As many sections as there may be threads, in each of which a scope waits for itself. */
  @Test
  void withoutASpareAScopeInABlockingSectionStillEnds() throws Exception {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      AtomicInteger ran = new AtomicInteger();
      scheduler
          .submit(
              () ->
                  scheduler.blocking(
                      () ->
                          scheduler.<Integer>scope(
                              scope -> {
                                for (int i = 0; i < 200; i++) { // more than a streak
                                  scope.fork(ran::incrementAndGet);
                                }
                                return 0;
                              })))
          .get();
      assertEquals(200, ran.get());
      Quiescence.await(scheduler);
    }
  }

  @Test
  void aPoolThatShrinksTakesTheRightOfAWorkerThatWaits() throws Exception {
    try (var scheduler = scheduler(2)) {
      for (int round = 0; round < 20; round++) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        var joined =
            scheduler.submit(() -> joinWithStolenRight(scheduler, begun, () -> {}, release), round);
        awaitAsleep(scheduler, begun);
        scheduler.setParallelism(1);
        Await.until(
            "it waits without a right",
            () -> scheduler.stats().blockedWorkers() == 1,
            scheduler::stats);
        scheduler.setParallelism(2);
        release.countDown();
        assertEquals(round, joined.get());
        Await.until(
            "all sections over", () -> scheduler.stats().blockedWorkers() == 0, scheduler::stats);
      }
      Quiescence.await(scheduler);
    }
  }

  private static void waitDeclared(WorkStealingScheduler scheduler, CountDownLatch latch) {
    scheduler.adapter().beginBlocking();
    try {
      Await.quietly(latch);
    } finally {
      scheduler.adapter().endBlocking();
    }
  }
}
