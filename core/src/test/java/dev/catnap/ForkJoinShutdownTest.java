package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G6: joins and scopes of a scheduler that is closed, before, meanwhile and afterwards. */
@ExtendWith(NoThreadLeft.class)
class ForkJoinShutdownTest {

  private static WorkStealingScheduler scheduler(int parallelism) {
    return WorkStealingScheduler.builder().parallelism(parallelism).build();
  }

  @Test
  void afterTheShutdownItIsRefusedFromOutside() {
    var scheduler = scheduler(1);
    scheduler.close();
    Runnable nothing = () -> {};
    assertThrows(RejectedExecutionException.class, () -> scheduler.join(nothing, nothing));
    assertThrows(RejectedExecutionException.class, () -> scheduler.join(() -> 1, () -> 2));
    assertThrows(RejectedExecutionException.class, () -> scheduler.scope(scope -> 1));
  }

  /** F13: each call either is refused or does all of its work. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aCloseWhileJoinsRunLetsThemEnd(int parallelism) {
    int rounds = TestScale.of(200);
    for (int round = 0; round < rounds; round++) {
      var scheduler = scheduler(parallelism);
      int pause = round * 4_000 / rounds;
      CompletableFuture<Boolean> accepted = new CompletableFuture<>();
      AtomicInteger leaves = new AtomicInteger();
      Thread caller =
          new Thread(
              () -> {
                try {
                  split(scheduler, 8, leaves);
                  accepted.complete(true);
                } catch (RejectedExecutionException e) {
                  accepted.complete(false);
                } catch (Throwable t) {
                  accepted.completeExceptionally(t);
                }
              },
              "caller");
      caller.start();
      for (int i = 0; i < pause; i++) {
        Thread.onSpinWait();
      }
      scheduler.close();
      assertEquals(result(accepted) ? 1 << 8 : 0, leaves.get());
      SchedulerStats stats = scheduler.stats();
      assertEquals(stats.published(), stats.executed(), stats::toString);
      assertEquals(0, stats.queued());
    }
  }

  private static void split(WorkStealingScheduler scheduler, int height, AtomicInteger leaves) {
    if (height == 0) {
      leaves.incrementAndGet();
    } else {
      Runnable half = () -> split(scheduler, height - 1, leaves);
      scheduler.join(half, half);
    }
  }

  /** The pool must not take a worker that waits for one that rests. */
  @Test
  void aWorkerThatWaitsKeepsADrainingPoolAlive() {
    var scheduler = scheduler(2);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger after = new AtomicInteger();
    scheduler.execute(
        () -> {
          scheduler.join(
              () -> Await.quietly(begun),
              () -> {
                begun.countDown();
                Await.quietly(release);
              });
          split(scheduler, 6, after); // a pool that drains still takes what its own tasks fork
        });
    Await.latch("the right branch", begun, scheduler::stats);
    Await.until(
        "the one that waits is asleep",
        () -> scheduler.stats().parkedWorkers() == 1,
        scheduler::stats);
    scheduler.shutdown();
    assertFalse(scheduler.isTerminated());
    release.countDown();
    scheduler.close();
    assertEquals(1 << 6, after.get());
  }

  /** G6, G8: all others of its pool rest. If it rested as well, they would end. */
  @Test
  void aWorkerThatWaitsForAnotherPoolKeepsItsOwnAlive() {
    try (var other = scheduler(1)) {
      var scheduler = scheduler(2);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch stolen = new CountDownLatch(1);
      AtomicBoolean both = new AtomicBoolean();
      scheduler.execute(
          () -> {
            other.join(
                () -> {
                  begun.countDown();
                  Await.quietly(release);
                },
                () -> {});
            scheduler.join(
                () -> {
                  Await.quietly(stolen);
                  both.set(stolen.getCount() == 0);
                },
                stolen::countDown);
          });
      Await.latch("the task in the other pool", begun, scheduler::stats);
      Await.until(
          "both are asleep", () -> scheduler.stats().parkedWorkers() == 2, scheduler::stats);
      List<Long> parks = parks(scheduler);
      scheduler.shutdown();
      Await.until(
          "both have looked at the shutdown, and sleep again",
          () -> parks(scheduler).get(0) > parks.get(0) && parks(scheduler).get(1) > parks.get(1),
          scheduler::stats);
      release.countDown();
      scheduler.close();
      assertTrue(both.get(), "no other worker was left to take a branch");
    }
  }

  private static List<Long> parks(WorkStealingScheduler scheduler) {
    return scheduler.stats().workers().stream().map(SchedulerStats.WorkerStats::parks).toList();
  }

  @Test
  void shutdownNowCancelsBranchesThatHaveNotBegun_andTheirJoinsThrow() {
    var scheduler = TestPools.withoutSpares(1).build(); // which would begin the branch
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    AtomicBoolean ran = new AtomicBoolean();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    scheduler.execute(
        () -> {
          try {
            scheduler.join(
                () -> {
                  running.countDown();
                  awaitUninterruptibly(stopped);
                },
                () -> ran.set(true));
            thrown.completeExceptionally(new AssertionError("the branch was cancelled"));
          } catch (CancellationException e) {
            thrown.complete(e);
          }
        });
    Await.latch("the left branch", running, scheduler::stats);
    List<Runnable> left = scheduler.shutdownNow();
    stopped.countDown();
    assertEquals(List.of(), left, "a branch is a part of a task that runs");
    assertTrue(result(thrown).getMessage().contains(scheduler.name()));
    assertFalse(ran.get());
    scheduler.close();
  }

  /** A caller outside must not wait for what nobody runs. */
  @Test
  void shutdownNowEndsTheWaitOfACallerOutside() {
    var scheduler = TestPools.withoutSpares(1).build(); // which would run it
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          running.countDown();
          awaitUninterruptibly(stopped);
        });
    Await.latch("the worker hogs", running, scheduler::stats);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                scheduler.join(() -> 1, () -> 2);
                thrown.completeExceptionally(new AssertionError("nobody can have run it"));
              } catch (CancellationException e) {
                thrown.complete(e);
              }
            },
            "caller");
    caller.start();
    Await.until("the call waits", () -> scheduler.stats().queued() == 1, scheduler::stats);
    assertEquals(List.of(), scheduler.shutdownNow());
    assertTrue(result(thrown).getMessage().contains(scheduler.name()));
    stopped.countDown();
    scheduler.close();
  }

  /** F14 with forks: whatever was forked ran or was cancelled, and every wait ends. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shutdownNowInTheMiddleOfAScopeEndsIt(int parallelism) {
    int rounds = TestScale.of(200);
    for (int round = 0; round < rounds; round++) {
      var scheduler = scheduler(parallelism);
      AtomicInteger forked = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      CountDownLatch some = new CountDownLatch(50);
      CompletableFuture<Integer> cancelled = new CompletableFuture<>();
      scheduler.execute(
          () -> {
            try {
              scheduler.<Integer>scope(
                  scope -> {
                    for (int i = 0; i < 200; i++) {
                      forked.incrementAndGet();
                      scope.fork(
                          () -> {
                            ran.incrementAndGet();
                            some.countDown();
                          });
                      some.countDown();
                    }
                    return 0;
                  });
              cancelled.complete(0);
            } catch (CancellationException e) {
              cancelled.complete(1 + e.getSuppressed().length);
            } catch (Throwable t) {
              cancelled.completeExceptionally(t);
            }
          });
      Await.latch("some were forked", some, scheduler::stats);
      assertEquals(List.of(), scheduler.shutdownNow());
      int notBegun = result(cancelled); // first: then the others are settled
      assertEquals(forked.get(), ran.get() + notBegun);
      scheduler.close();
    }
  }

  /** It is interrupted as every task that runs, though it waits, or another runs on top of it. */
  @Test
  void shutdownNowInterruptsATaskThatWaits() {
    var scheduler = scheduler(2);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    scheduler.execute(
        () -> {
          scheduler.join(
              () -> Await.quietly(begun),
              () -> {
                begun.countDown();
                awaitUninterruptibly(release);
              });
          interrupted.complete(Thread.interrupted());
        });
    Await.latch("the right branch", begun, scheduler::stats);
    Await.until(
        "the one that waits is asleep",
        () -> scheduler.stats().parkedWorkers() == 1,
        scheduler::stats);
    scheduler.shutdownNow();
    release.countDown();
    assertTrue(result(interrupted));
    scheduler.close();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean over = false;
    while (!over) {
      try {
        latch.await();
        over = true;
      } catch (InterruptedException e) {
        over = latch.getCount() == 0; // what it is told by is not the subject here
      }
    }
  }

  private static <T> T result(CompletableFuture<T> future) {
    return future.orTimeout(Await.DEADLINE_SECONDS, TimeUnit.SECONDS).join();
  }
}
