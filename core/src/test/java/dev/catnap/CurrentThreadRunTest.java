package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.AnyThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A scheduler on its caller's thread runs tasks there, nowhere else, and sleeps and wakes there.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what tasks do is looked at
@ExtendWith(NoThreadLeft.class)
class CurrentThreadRunTest {
  private static final int ROUNDS = TestScale.of(20_000);

  /** Not thread-safe, on purpose. */
  private static final class Counter {
    int value;
  }

  @Test
  void tasksFromEverywhereRunOnTheCallersThreadOnly_andNeedNoSynchronisation() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Thread caller = Thread.currentThread();
      Counter counter = new Counter();
      AtomicInteger elsewhere = new AtomicInteger();
      CompletableFuture<@Nullable Void> all = new CompletableFuture<>();
      int n = 4 * TestScale.of(10_000);
      Runnable count =
          () -> {
            if (Thread.currentThread() != caller) {
              elsewhere.incrementAndGet();
            }
            counter.value++;
            if (counter.value == 2 * n) {
              all.complete(null);
            }
          };
      List<Thread> publishers = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Thread publisher =
            new Thread(
                () -> {
                  for (int i = 0; i < n / 4; i++) {
                    current.execute(
                        () -> {
                          count.run();
                          current.scheduler().adapter().publish(count, Placement.NEXT);
                        });
                  }
                });
        publishers.add(publisher);
        publisher.start();
      }
      current.runUntil(all);
      for (Thread t : publishers) {
        t.join();
      }
      assertEquals(2 * n, counter.value);
      assertEquals(0, elsewhere.get());
      assertEquals(2L * n, current.scheduler().stats().executed());
    }
  }

  /** G1: at every distance between falling asleep and the publish. */
  @Test
  void aPublishFromOutsideWakesTheCaller() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      CompletableFuture<Integer> done = new CompletableFuture<>();
      Thread publisher =
          new Thread(
              () -> {
                for (int i = 0; i < ROUNDS; i++) {
                  CountDownLatch started = new CountDownLatch(1);
                  current.execute(started::countDown);
                  for (int spin = i % 500; spin > 0; spin--) {
                    Thread.onSpinWait();
                  }
                  Await.latch("publish " + i, started, current.scheduler()::stats);
                }
                done.complete(ROUNDS);
              });
      publisher.start();
      assertEquals(ROUNDS, current.runUntil(done));
      publisher.join();
      assertEquals(ROUNDS, current.scheduler().stats().executed());
    }
  }

  /** What the run waits for is not a task: nothing else wakes it. */
  @Test
  void theCompletionOfTheStageWakesTheCaller() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      ConcurrentLinkedQueue<CompletableFuture<Integer>> stages = new ConcurrentLinkedQueue<>();
      AtomicBoolean stop = new AtomicBoolean();
      Thread completer =
          new Thread(
              () -> {
                for (int i = 0; !stop.get(); i++) {
                  CompletableFuture<Integer> stage = stages.poll();
                  for (int spin = i % 500; spin > 0; spin--) {
                    Thread.onSpinWait();
                  }
                  if (stage != null) {
                    stage.complete(1);
                  }
                }
              });
      completer.start();
      int sum = 0;
      for (int i = 0; i < ROUNDS; i++) {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        stages.add(stage);
        sum += current.runUntil(stage);
      }
      stop.set(true);
      completer.join();
      assertEquals(ROUNDS, sum);
    }
  }

  /** G4, and G3: one publish, one wake. */
  @Test
  void anIdleCallerParksWithoutATimeout_andIsUnparkedOncePerPublish() throws Exception {
    CountingParker parker = new CountingParker();
    try (var current =
        WorkStealingScheduler.builder()
            .tuning(SchedulerTuning.production().withParker(parker))
            .buildForCurrentThread()) {
      CompletableFuture<Integer> done = new CompletableFuture<>();
      int n = 100;
      Thread publisher =
          new Thread(
              () -> {
                for (int i = 0; i < n; i++) {
                  awaitPark(parker, current);
                  current.execute(() -> {});
                }
                awaitPark(parker, current);
                done.complete(1);
              });
      publisher.start();
      current.runUntil(done);
      publisher.join();
      assertEquals(0, parker.timedParks());
      assertEquals(n, current.scheduler().stats().wakes());
      assertEquals(n + 1, parker.unparks(), "one more for the stage");
    }
  }

  /** One that is merely on its way there sees what comes, and is not woken. */
  private static void awaitPark(CountingParker parker, CurrentThreadScheduler current) {
    Await.until("the caller is parked", () -> parker.parked() == 1, current.scheduler()::stats);
  }

  private static void awaitSleep(CurrentThreadScheduler current) {
    Await.until(
        "the caller sleeps",
        () -> current.scheduler().stats().parkedWorkers() == 1,
        current.scheduler()::stats);
  }

  @Test
  void whatARunLeavesWaitsForTheNext_onWhicheverThread() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Counter counter = new Counter(); // handed from thread to thread by the scheduler (G10)
      int n = 1_000;
      for (int i = 0; i < n; i++) {
        current.execute(() -> counter.value++);
      }
      CompletableFuture<String> complete = CompletableFuture.completedFuture("at once");
      assertEquals("at once", current.runUntil(complete));
      assertEquals(0, counter.value, "returns as soon as the stage is complete");
      int expected = 0;
      for (int i = 0; i < 200; i++) {
        FutureTask<Integer> run =
            new FutureTask<>(
                () ->
                    current.run(
                        () -> {
                          current.execute(() -> counter.value++); // into the worker's own queue
                          current.execute(() -> counter.value++);
                          return counter.value;
                        }));
        AnyThread.start(i % 2 == 1, run);
        assertEquals(i == 0 ? n : expected, run.get());
        expected = run.get() + 2;
      }
      assertEquals(2L, current.scheduler().stats().queued());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aParkedCallerIsWokenForTasksAndTimers_aVirtualThreadToo(boolean virtual) throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      CompletableFuture<Thread> ran = new CompletableFuture<>();
      FutureTask<Thread> run = new FutureTask<>(() -> current.runUntil(ran));
      Thread caller = AnyThread.start(virtual, run);
      awaitSleep(current);
      current
          .scheduler()
          .schedule(() -> ran.complete(Thread.currentThread()), 1, TimeUnit.MILLISECONDS);
      assertSame(caller, run.get());
    }
  }

  @Test
  void aSecondRunAtTheSameTimeIsRefused_andANestedOneToo() throws Exception {
    try (var current = WorkStealingScheduler.builder().name("single").buildForCurrentThread()) {
      CompletableFuture<Integer> first = new CompletableFuture<>();
      FutureTask<Integer> run = new FutureTask<>(() -> current.runUntil(first));
      AnyThread.start(false, run);
      awaitSleep(current);
      AtomicInteger ran = new AtomicInteger();
      var second =
          assertThrows(IllegalStateException.class, () -> current.run(ran::incrementAndGet));
      assertTrue(
          String.valueOf(second.getMessage()).contains("another thread runs single"),
          second::toString);
      first.complete(1);
      assertEquals(1, run.get());
      var nested =
          assertThrows(
              ExecutionException.class, () -> current.run(() -> current.run(() -> "inner")));
      assertTrue(nested.getCause() instanceof IllegalStateException, nested::toString);
      assertTrue(String.valueOf(nested.getMessage()).contains("must not run single"));
      assertEquals(0, ran.get(), "what was refused does not run later");
      assertEquals(0, current.scheduler().stats().queued());
    }
  }

  @Test
  void aTaskMayRunAnotherSchedulerOnTheSameThread() throws Exception {
    try (var outer = CurrentThreadScheduler.create();
        var inner = CurrentThreadScheduler.create();
        var pool = WorkStealingScheduler.builder().parallelism(1).build()) {
      List<String> order = new ArrayList<>();
      Callable<List<String>> nested =
          () -> {
            outer.execute(() -> order.add("outer, later"));
            inner.run(() -> order.add("inner"));
            return order;
          };
      assertEquals(List.of("inner"), outer.run(nested));
      outer.run(() -> order.add("outer"));
      assertEquals(List.of("inner", "outer, later", "outer"), order);
      assertEquals(3, pool.submit(() -> inner.run(() -> 3)).get());
    }
  }

  @Test
  void whatMainThrowsIsTheCause_andWhatAStageCompletedWithToo() {
    try (var current = CurrentThreadScheduler.create()) {
      Error error = new Error("of the task");
      Callable<String> failing =
          () -> {
            throw error;
          };
      assertSame(
          error, assertThrows(ExecutionException.class, () -> current.run(failing)).getCause());
      CompletionStage<String> failed = CompletableFuture.failedStage(error);
      assertSame(
          error, assertThrows(ExecutionException.class, () -> current.runUntil(failed)).getCause());
    }
  }

  /** G7: the caller's thread is as it was, and no task sees what another left on it. */
  @Test
  void whatTasksThrowOrChangeOnTheThreadStaysWithThem() throws Exception {
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    try (var current =
        WorkStealingScheduler.builder()
            .uncaughtExceptionHandler((t, e) -> thrown.add(e))
            .buildForCurrentThread()) {
      Thread self = Thread.currentThread();
      String name = self.getName();
      ClassLoader loader = self.getContextClassLoader();
      Set<String> seen = ConcurrentHashMap.newKeySet();
      for (int i = 0; i < 3; i++) {
        current.execute(
            () -> {
              seen.add(self.getName());
              self.setName("changed");
              self.setContextClassLoader(new ClassLoader() {});
              throw new StackOverflowError("deep");
            });
      }
      assertEquals(name, current.run(self::getName));
      assertEquals(Set.of(name), seen);
      assertSame(loader, self.getContextClassLoader());
      assertEquals(3, thrown.size());
      assertEquals(3, current.scheduler().stats().uncaughtExceptions());
    }
  }

  @Test
  void blockingSectionsJustRun_andLeaveNothingBehind() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Thread self = Thread.currentThread();
      WorkStealingScheduler scheduler = current.scheduler();
      assertSame(self, current.run(() -> scheduler.blocking(Thread::currentThread)));
      assertEquals(1, current.run(() -> 1));
      assertEquals(0, scheduler.stats().blockedWorkers());
      assertEquals(1, scheduler.stats().threads(), "the caller's, whoever that is");
    }
  }

  /** Fork/join knows the caller as a worker: it runs the other branch itself. */
  @Test
  void bothBranchesOfAJoinRunOnTheCallersThread() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Queue<Thread> threads = new ConcurrentLinkedQueue<>();
      Thread self = Thread.currentThread();
      Runnable branch = () -> threads.add(Thread.currentThread());
      current.run(
          () -> {
            current.scheduler().join(branch, branch);
            return 1;
          });
      assertEquals(List.of(self, self), List.copyOf(threads));
    }
  }

  @Test
  void aDumpShowsTheStackOfTheCaller() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      String dump = current.run(() -> current.scheduler().dump());
      assertTrue(dump.contains("aDumpShowsTheStackOfTheCaller"), dump);
      assertNotEquals("", current.toString());
    }
  }

  @Test
  void badInputIsRefused() {
    var builder =
        WorkStealingScheduler.builder()
            .workerThreadFactory(
                body -> {
                  throw new AssertionError("asked for a thread");
                });
    var e = assertThrows(IllegalStateException.class, builder::buildForCurrentThread);
    assertNotNull(e.getMessage());
    try (var current = CurrentThreadScheduler.create()) {
      assertThrows(IllegalArgumentException.class, () -> current.scheduler().setParallelism(2));
    }
  }
}
