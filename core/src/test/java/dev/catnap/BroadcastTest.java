package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestScale;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A broadcast runs once on every worker. */
@ExtendWith(NoThreadLeft.class)
class BroadcastTest {

  /** Between two broadcasts the workers are somewhere on their way to sleep (F: Rayon's). */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void runsOnceOnEveryWorkerAlsoWhileTheyFallAsleep(int parallelism) throws Exception {
    int rounds = TestScale.of(2_000);
    try (var scheduler = WorkStealingScheduler.builder().parallelism(parallelism).build()) {
      for (int round = 0; round < rounds; round++) {
        Queue<Thread> ranOn = new ConcurrentLinkedQueue<>();
        await(scheduler.broadcast(() -> ranOn.add(Thread.currentThread())));
        assertEquals(parallelism, ranOn.size());
        assertEquals(parallelism, Set.copyOf(ranOn).size(), "each on another one");
        for (int i = 0; i < round % 50; i++) {
          Thread.onSpinWait();
        }
      }
      Quiescence.await(scheduler);
      SchedulerStats stats = scheduler.stats();
      assertEquals((long) rounds * parallelism, stats.executed());
      assertTrue(stats.wakes() <= stats.published(), "G3: " + stats);
    }
  }

  @Test
  void reachesABlockedWorkerWhenThatComesBack() throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(2).maxThreads(4).build()) {
      CountDownLatch blocks = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      scheduler
          .confinedTo(1)
          .execute(
              () -> {
                try {
                  scheduler.blocking(
                      () -> {
                        blocks.countDown();
                        Await.quietly(release);
                        return true;
                      });
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      Await.latch("the section", blocks, scheduler::stats);
      Queue<String> ranOn = new ConcurrentLinkedQueue<>();
      CompletableFuture<Void> done =
          scheduler.broadcast(() -> ranOn.add(Thread.currentThread().getName()));
      Await.until("the other worker", () -> ranOn.size() == 1, scheduler::stats);
      assertFalse(done.isDone());
      release.countDown();
      await(done);
      assertEquals(
          Set.of(scheduler.name() + "-worker-0", scheduler.name() + "-worker-1"),
          Set.copyOf(ranOn));
    }
  }

  @Test
  @SuppressWarnings("FutureReturnValueIgnored") // the inner one is waited for
  void fromAWorkerItReachesThatWorkerToo() throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(2).build()) {
      Queue<Thread> ranOn = new ConcurrentLinkedQueue<>();
      await(
          scheduler
              .submit(() -> scheduler.broadcast(() -> ranOn.add(Thread.currentThread())))
              .get());
      assertEquals(2, Set.copyOf(ranOn).size());
    }
  }

  @ParameterizedTest // G1
  @CsvSource({"1, WORK_STEALING", "3, WORK_STEALING", "1, THREAD_PER_CORE", "3, THREAD_PER_CORE"})
  void fromATaskItsOwnShareRunsBeforeItReturns_soThatTheTaskMayWaitForIt(
      int parallelism, Flavor flavor) throws Exception {
    try (var scheduler =
        WorkStealingScheduler.builder().parallelism(parallelism).flavor(flavor).build()) {
      Set<Thread> ranOn =
          scheduler
              .submit(
                  () -> {
                    Queue<Thread> shares = new ConcurrentLinkedQueue<>();
                    CompletableFuture<Void> all =
                        scheduler.broadcast(() -> shares.add(Thread.currentThread()));
                    assertTrue(shares.contains(Thread.currentThread()));
                    await(all);
                    assertEquals(parallelism, shares.size(), "once on each");
                    return Set.copyOf(shares);
                  })
              .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertEquals(parallelism, ranOn.size());
    }
  }

  @Test
  @SuppressWarnings("FutureReturnValueIgnored") // the inner one is waited for
  void fromASpareItRunsOnTheWorkersAndNotThere() throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(1).maxThreads(2).build()) {
      CountDownLatch blocks = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      scheduler
          .confinedTo(0)
          .execute(
              () ->
                  Sections.block(
                      scheduler,
                      () -> {
                        blocks.countDown();
                        Await.quietly(release);
                      }));
      Await.latch("worker 0 blocks", blocks, scheduler::stats);
      Queue<String> ranOn = new ConcurrentLinkedQueue<>();
      CompletableFuture<Void> all =
          scheduler
              .submit(() -> scheduler.broadcast(() -> ranOn.add(Thread.currentThread().getName())))
              .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertNull(ranOn.peek());
      release.countDown();
      await(all);
      assertEquals(List.of(scheduler.name() + "-worker-0"), List.copyOf(ranOn));
    }
  }

  /** What its documentation warns of; when the tasks give up, everything goes on. */
  @Test
  void twoTasksThatWaitForTheirBroadcastsAtTheSameTimeWaitInVain() throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(2).build()) {
      CountDownLatch both = new CountDownLatch(2);
      CountDownLatch published = new CountDownLatch(2);
      CountDownLatch gaveUp = new CountDownLatch(2);
      Queue<CompletableFuture<Void>> broadcasts = new ConcurrentLinkedQueue<>();
      for (int w = 0; w < 2; w++) {
        scheduler
            .confinedTo(w)
            .execute(
                () -> {
                  both.countDown();
                  Await.quietly(both);
                  CompletableFuture<Void> all = scheduler.broadcast(() -> {});
                  broadcasts.add(all);
                  published.countDown();
                  Await.quietly(published);
                  assertThrows(TimeoutException.class, () -> all.get(20, TimeUnit.MILLISECONDS));
                  gaveUp.countDown();
                  Await.quietly(gaveUp); // else the other's share would run now
                });
      }
      Await.latch("both gave up", gaveUp, scheduler::dump);
      for (CompletableFuture<Void> all : broadcasts) {
        await(all);
      }
      assertEquals(0, scheduler.stats().uncaughtExceptions());
    }
  }

  @Test // G6
  void fromATaskAfterTheShutdownItIsRefusedAndRunsNowhere() throws Exception {
    var scheduler = WorkStealingScheduler.builder().parallelism(1).build();
    CountDownLatch shut = new CountDownLatch(1);
    Queue<Thread> ranOn = new ConcurrentLinkedQueue<>();
    Future<?> task =
        scheduler.submit(
            () -> {
              Await.quietly(shut);
              return assertThrows(
                  RejectedExecutionException.class,
                  () -> scheduler.broadcast(() -> ranOn.add(Thread.currentThread())));
            });
    scheduler.shutdown();
    shut.countDown();
    assertNotNull(task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    scheduler.close();
    assertNull(ranOn.peek());
  }

  @Test // G7
  void whatItThrowsGoesToTheFutureAndTheWorkersGoOn() throws Exception {
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(3)
            .uncaughtExceptionHandler((t, e) -> uncaught.add(e))
            .build()) {
      CompletableFuture<Void> done =
          scheduler.broadcast(
              () -> {
                throw new StackOverflowError(Thread.currentThread().getName());
              });
      var e = assertThrows(ExecutionException.class, () -> await(done));
      assertSame(StackOverflowError.class, e.getCause().getClass());
      assertEquals(2, e.getCause().getSuppressed().length, "that of the other two");
      assertNull(uncaught.peek());
      await(scheduler.broadcast(() -> {}));
    }
  }

  @Test // G6
  void refusedAsAWholeAfterTheShutdown() {
    var scheduler = WorkStealingScheduler.builder().parallelism(2).build();
    scheduler.close();
    var e = assertThrows(RejectedExecutionException.class, () -> scheduler.broadcast(List::of));
    assertTrue(e.getMessage().contains("is closed and refuses"), e.getMessage());
    assertThrows(NullPointerException.class, () -> scheduler.broadcast(null));
  }

  @Test // G6: what was accepted runs
  void completesThoughTheSchedulerIsClosedMeanwhile() throws Exception {
    int rounds = TestScale.of(200);
    for (int round = 0; round < rounds; round++) {
      Queue<Thread> ranOn = new ConcurrentLinkedQueue<>();
      var scheduler = WorkStealingScheduler.builder().parallelism(2).build();
      CompletableFuture<Void> done = scheduler.broadcast(() -> ranOn.add(Thread.currentThread()));
      scheduler.close();
      await(done);
      assertEquals(2, Set.copyOf(ranOn).size());
    }
  }

  // ---- the end before it has reached all of them (G6)

  /** As {@code shutdownNow}, or within a time. */
  enum End {
    NOW {
      @Override
      List<Runnable> of(WorkStealingScheduler scheduler) {
        return scheduler.shutdownNow();
      }
    },
    WITHIN_NO_TIME {
      @Override
      List<Runnable> of(WorkStealingScheduler scheduler) {
        return scheduler.close(Duration.ZERO, Duration.ZERO).takenBack();
      }
    };

    abstract List<Runnable> of(WorkStealingScheduler scheduler);
  }

  private static Stream<Arguments> endsAndFlavors() {
    return Stream.of(End.values())
        .flatMap(end -> Stream.of(Flavor.values()).map(flavor -> Arguments.of(end, flavor)));
  }

  @ParameterizedTest // G6: it is not in the list, so its future must tell
  @MethodSource("endsAndFlavors")
  void theFutureOfOneThatReachesNobodyTellsSo_andNothingOfItIsHandedBack(End end, Flavor flavor) {
    var scheduler = // nobody takes over for the worker that is busy
        WorkStealingScheduler.builder().parallelism(1).maxThreads(1).flavor(flavor).build();
    CountDownLatch release = new CountDownLatch(1);
    try {
      keepBusy(scheduler, 0, release);
      AtomicInteger ran = new AtomicInteger();
      CompletableFuture<Void> done = scheduler.broadcast(ran::incrementAndGet);
      Runnable confined = () -> {};
      scheduler.confinedTo(0).execute(confined);
      assertEquals(List.of(confined), end.of(scheduler));
      var e = assertThrows(ExecutionException.class, () -> await(done));
      assertSame(RejectedExecutionException.class, e.getCause().getClass());
      assertTrue(e.getCause().getMessage().contains(scheduler.name()), e::toString);
      assertEquals(0, ran.get());
    } finally {
      release.countDown();
      scheduler.close();
    }
  }

  @ParameterizedTest
  @MethodSource("endsAndFlavors")
  void aRejectionStandsForEachWorkerThatItDoesNotReach(End end, Flavor flavor) {
    var scheduler =
        WorkStealingScheduler.builder().parallelism(3).maxThreads(3).flavor(flavor).build();
    CountDownLatch release = new CountDownLatch(1);
    try {
      keepBusy(scheduler, 1, release);
      keepBusy(scheduler, 2, release);
      AtomicInteger ran = new AtomicInteger();
      CompletableFuture<Void> done = scheduler.broadcast(ran::incrementAndGet);
      Await.until("the one that is free", () -> ran.get() == 1, scheduler::stats);
      assertEquals(List.of(), end.of(scheduler));
      var e = assertThrows(ExecutionException.class, () -> await(done));
      assertSame(RejectedExecutionException.class, e.getCause().getClass());
      assertEquals(1, e.getCause().getSuppressed().length, "that of the other");
      assertEquals(1, ran.get());
    } finally {
      release.countDown();
      scheduler.close();
    }
  }

  /** They run on the thread that ends the scheduler, and nobody who ends must wait for it. */
  @Test
  void whatDependsOnTheFutureMayWaitForTheEnd() {
    var scheduler = WorkStealingScheduler.builder().parallelism(2).maxThreads(2).build();
    CountDownLatch begun = new CountDownLatch(1);
    scheduler
        .confinedTo(1)
        .execute(
            () -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                return; // by the end of the scheduler
              }
            });
    Await.latch("the other is busy", begun, scheduler::stats);
    AtomicReference<Boolean> over = new AtomicReference<>();
    CompletableFuture<?> dependent =
        scheduler
            .broadcast(() -> {})
            .whenComplete((ok, e) -> over.set(awaitTermination(scheduler)));
    // Its last share is missed. If that of the free worker were under way, it would be the last.
    CountDownLatch behind = new CountDownLatch(1);
    scheduler.confinedTo(0).execute(behind::countDown);
    Await.latch("the free worker has run its share", behind, scheduler::stats);
    assertEquals(List.of(), scheduler.shutdownNow());
    assertTrue(dependent.isCompletedExceptionally());
    assertEquals(true, over.get());
  }

  private static boolean awaitTermination(WorkStealingScheduler scheduler) {
    try {
      return scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** G6: what was accepted runs, and it is accepted as a whole. */
  @Test
  void acceptedByTheFirstWorkerItReachesTheOthersThoughTheShutdownComesInBetween()
      throws Exception {
    CountDownLatch published = new CountDownLatch(1);
    AtomicReference<Runnable> inBetween = new AtomicReference<>();
    var scheduler = interrupted(inBetween);
    inBetween.set(scheduler::shutdown);
    Queue<Thread> ranOn = new ConcurrentLinkedQueue<>();
    CompletableFuture<Void> done =
        scheduler.broadcast(
            () -> {
              Await.quietly(published); // the first does not rest before, so the other does not end
              ranOn.add(Thread.currentThread());
            });
    assertTrue(scheduler.isShutdown());
    published.countDown();
    await(done);
    assertEquals(2, Set.copyOf(ranOn).size());
    scheduler.close();
  }

  @Test
  void aWorkerThatHasEndedBeforeItIsAskedIsToldOf() {
    AtomicReference<Runnable> inBetween = new AtomicReference<>();
    var scheduler = interrupted(inBetween);
    inBetween.set(scheduler::close);
    Queue<String> ranOn = new ConcurrentLinkedQueue<>();
    CompletableFuture<Void> done =
        scheduler.broadcast(() -> ranOn.add(Thread.currentThread().getName()));
    var e = assertThrows(ExecutionException.class, () -> await(done));
    assertSame(RejectedExecutionException.class, e.getCause().getClass());
    assertTrue(e.getCause().getMessage().contains("worker 1 of gone"), e::toString);
    assertTrue(e.getCause().getMessage().contains("has ended"), e::toString);
    assertEquals(List.of("gone-worker-0"), List.copyOf(ranOn), "what was accepted runs");
  }

  /**
   * Of two workers, both asleep. The action runs once, on the thread that publishes: between the
   * publish to the first worker, whose thread it unparks, and that to the second.
   */
  private static WorkStealingScheduler interrupted(AtomicReference<Runnable> inBetween) {
    CountingParker parker =
        new CountingParker() {
          @Override
          public void unpark(Thread thread) {
            super.unpark(thread);
            Runnable action = inBetween.getAndSet(null);
            if (action != null) {
              action.run();
            }
          }
        };
    var scheduler =
        WorkStealingScheduler.builder()
            .name("gone")
            .parallelism(2)
            .maxThreads(2)
            .tuning(SchedulerTuning.production().withParker(parker).withSentinel(0, 0))
            .build();
    // In their parks: one that is on its way there sees what comes, and nobody unparks it.
    Await.until("both are parked", () -> parker.parked() == 2, scheduler::stats);
    return scheduler;
  }

  private static void keepBusy(
      WorkStealingScheduler scheduler, int worker, CountDownLatch release) {
    CountDownLatch begun = new CountDownLatch(1);
    scheduler
        .confinedTo(worker)
        .execute(
            () -> {
              begun.countDown();
              while (release.getCount() != 0) {
                Thread.onSpinWait(); // an interrupt does not free it
              }
            });
    Await.latch("it is busy", begun, scheduler::stats);
  }

  private static void await(CompletableFuture<Void> done) throws Exception {
    done.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }
}
