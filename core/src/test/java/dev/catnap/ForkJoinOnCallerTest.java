package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.AnyThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread that runs a {@link CurrentThreadScheduler}, and calls a join of another scheduler, waits
 * as the worker that it is: nobody else can run what that one has to (G1, G9).
 */
@ExtendWith(NoThreadLeft.class)
class ForkJoinOnCallerTest {

  private static WorkStealingScheduler single() {
    return WorkStealingScheduler.builder().parallelism(1).maxThreads(1).build();
  }

  private static int call(WorkStealingScheduler there, WorkStealingScheduler here, int depth) {
    if (depth == 0) {
      return 1;
    }
    var both = there.join(() -> call(here, there, depth - 1), () -> call(here, there, depth - 1));
    return both.left() + both.right();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPoolAndACallerThatCallEachOtherCrosswiseBothGetOn(boolean virtual) throws Exception {
    int rounds = TestScale.of(200);
    try (var pool = single()) {
      assertEquals(
          1 << 4,
          AnyThread.call(
              virtual,
              () -> {
                try (var current = CurrentThreadScheduler.create()) {
                  for (int round = 0; round < rounds; round++) {
                    int result = current.run(() -> call(pool, current.scheduler(), 4));
                    assertEquals(1 << 4, result);
                  }
                  return current.run(() -> call(pool, current.scheduler(), 4));
                }
              }));
      Quiescence.await(pool);
    }
  }

  @Test
  void twoCallersThatCallEachOtherCrosswiseBothGetOn() throws Exception {
    try (var one = CurrentThreadScheduler.create();
        var other = CurrentThreadScheduler.create()) {
      CompletableFuture<Integer> over = new CompletableFuture<>();
      FutureTask<Integer> second = new FutureTask<>(() -> other.runUntil(over));
      Thread thread = AnyThread.start(false, second);
      assertEquals(
          1 << 6,
          AnyThread.call(false, () -> one.run(() -> call(other.scheduler(), one.scheduler(), 6))));
      over.complete(1);
      assertEquals(1, second.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      thread.join();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whileItWaitsItRunsItsTasksAndTimers(boolean virtual) throws Exception {
    try (var pool = single()) {
      Thread ranOn =
          AnyThread.call(
              virtual,
              () -> {
                try (var current = CurrentThreadScheduler.create()) {
                  AtomicReference<Thread> seen = new AtomicReference<>();
                  current.run(
                      () -> {
                        CountDownLatch ran = new CountDownLatch(2);
                        current.execute(
                            () -> {
                              seen.set(Thread.currentThread());
                              ran.countDown();
                            });
                        var timer =
                            current.scheduler().schedule(ran::countDown, 1, TimeUnit.MILLISECONDS);
                        pool.<Integer>scope(
                            scope -> {
                              scope.fork(() -> Await.quietly(ran));
                              return 0;
                            });
                        assertTrue(timer.isDone());
                        return 0;
                      });
                  assertSame(Thread.currentThread(), seen.get());
                  return Thread.currentThread();
                }
              });
      assertFalse(ranOn.isAlive());
    }
  }

  /** G4, and G3: the end of the branch is its only wake. */
  @Test
  void withoutWorkItSleepsWithoutATimeout() throws Exception {
    CountingParker parker = new CountingParker();
    try (var pool = single()) {
      CountDownLatch release = new CountDownLatch(1);
      CompletableFuture<WorkStealingScheduler> started = new CompletableFuture<>();
      FutureTask<Integer> run =
          new FutureTask<>(
              () -> {
                try (var current =
                    WorkStealingScheduler.builder()
                        .tuning(SchedulerTuning.production().withParker(parker))
                        .buildForCurrentThread()) {
                  return current.run(
                      () -> {
                        started.complete(current.scheduler());
                        return pool.join(
                                () -> {
                                  Await.quietly(release);
                                  return 1;
                                },
                                () -> 0)
                            .left();
                      });
                }
              });
      Thread thread = AnyThread.start(false, run);
      var scheduler = started.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      Await.until("it is parked", () -> parker.parked() == 1, scheduler::stats);
      long parks = parker.parks();
      assertEquals(0, parker.timedParks());
      release.countDown();
      assertEquals(1, run.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      thread.join();
      assertEquals(parks, parker.parks());
    }
  }

  /** What a run waits for may be complete while one of its tasks waits in a join. */
  @Test
  void theEndOfItsErrandDoesNotEndAJoin() throws Exception {
    try (var pool = single();
        var current = CurrentThreadScheduler.create()) {
      CompletableFuture<Integer> stage = new CompletableFuture<>();
      AtomicInteger joined = new AtomicInteger();
      current.execute(
          () -> {
            CountDownLatch looked = new CountDownLatch(1);
            pool.join(
                () -> {
                  stage.complete(7);
                  current.execute(looked::countDown); // it looks after that
                  Await.quietly(looked);
                },
                joined::incrementAndGet);
            joined.incrementAndGet();
          });
      assertEquals(7, AnyThread.call(false, () -> current.runUntil(stage)));
      assertEquals(2, joined.get());
    }
  }

  /** F12: it is for the task, and if that takes no notice, for the run. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptWhileItWaitsIsKept(boolean noticed) throws Exception {
    try (var pool = single();
        var current = CurrentThreadScheduler.create()) {
      CompletableFuture<Integer> stage = new CompletableFuture<>();
      AtomicInteger afterwards = new AtomicInteger();
      Callable<Integer> run =
          () -> {
            Thread self = Thread.currentThread();
            current.execute(
                () -> {
                  pool.join(
                      () -> {
                        Await.until(
                            "it sleeps",
                            () -> current.scheduler().stats().parkedWorkers() == 1,
                            current::toString);
                        self.interrupt();
                      },
                      () -> {});
                  boolean seen = noticed ? Thread.interrupted() : self.isInterrupted();
                  afterwards.set(seen ? 1 : -1);
                  stage.complete(1);
                });
            if (noticed) {
              return current.runUntil(stage);
            }
            CompletableFuture<Integer> never = new CompletableFuture<>();
            assertThrows(InterruptedException.class, () -> current.runUntil(never));
            return 1;
          };
      assertEquals(1, AnyThread.call(false, run));
      assertEquals(1, afterwards.get());
    }
  }

  /** A thread that is between two runs is no worker. */
  @Test
  void afterARunItWaitsAsAnyThread() throws Exception {
    try (var pool = single();
        var current = CurrentThreadScheduler.create()) {
      assertEquals(1 << 2, current.run(() -> call(pool, current.scheduler(), 2)));
      AtomicInteger ran = new AtomicInteger();
      current.execute(ran::incrementAndGet);
      Thread self = Thread.currentThread();
      pool.join(
          () ->
              Await.until(
                  "it waits", () -> self.getState() == Thread.State.WAITING, self::getState),
          () -> {});
      assertEquals(0, ran.get());
    }
  }

  /** A run inside a run: the inner one waits, and the outer one is itself again afterwards. */
  @Test
  void aRunInsideATaskOfAnotherRun_eachWaitsAsTheInnermost() throws Exception {
    try (var pool = single()) {
      int sum =
          AnyThread.call(
              false,
              () -> {
                try (var outer = CurrentThreadScheduler.create();
                    var inner = CurrentThreadScheduler.create()) {
                  return outer.run(
                      () ->
                          inner.run(() -> call(pool, inner.scheduler(), 3))
                              + call(pool, outer.scheduler(), 3));
                }
              });
      assertEquals(2 << 3, sum);
    }
  }

  /** The pool whose task it is gets on too: a spare replaces that worker (G9). */
  @Test
  void aRunInsideATaskOfAPoolWaitsAsTheRun_andThatPoolHasASpare() throws Exception {
    try (var host = WorkStealingScheduler.builder().name("host").parallelism(1).build();
        var pool = single()) {
      int sum =
          host.submit(
                  () -> {
                    try (var current = CurrentThreadScheduler.create()) {
                      return current.run(
                          () ->
                              pool.join(
                                      () -> call(current.scheduler(), pool, 3),
                                      () -> call(host, pool, 3))
                                  .left());
                    }
                  })
              .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertEquals(1 << 3, sum);
      Await.until("no section is left", () -> host.stats().blockedWorkers() == 0, host::stats);
      Quiescence.await(host);
    }
  }

  /** Without a spare that pool's tasks come first, as they did before there was a run. */
  @Test
  void aRunInsideATaskOfAPoolWithoutSparesWaitsAsThatPoolsWorker() throws Exception {
    try (var host = single();
        var pool = single()) {
      int sum =
          host.submit(
                  () -> {
                    try (var current = CurrentThreadScheduler.create()) {
                      return current.run(() -> call(pool, host, 4));
                    }
                  })
              .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertEquals(1 << 4, sum);
      Quiescence.await(host);
    }
  }
}
