package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G6: the end is clean, from wherever it comes. */
@ExtendWith(NoThreadLeft.class)
class ShutdownTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void aSubmitThatRacesWithCloseRunsOrIsRefused(int parallelism) throws Exception {
    int rounds = TestScale.of(200); // F13: each is one race of four submitters
    for (int round = 0; round < rounds; round++) {
      var scheduler = TestPools.withoutSpares(parallelism).build();
      AtomicInteger accepted = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      CountDownLatch go = new CountDownLatch(1);
      List<Thread> submitters = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Thread submitter =
            new Thread(
                () -> {
                  Await.quietly(go);
                  try {
                    for (; ; ) {
                      scheduler.execute(ran::incrementAndGet);
                      accepted.incrementAndGet();
                    }
                  } catch (RejectedExecutionException e) {
                    return; // closed: the expected end
                  }
                });
        submitter.start();
        submitters.add(submitter);
      }
      go.countDown();
      int headStart = round % 50;
      Await.until("the race is on", () -> ran.get() > headStart, scheduler::stats);
      scheduler.close();
      assertTrue(scheduler.isTerminated());
      for (Thread t : submitters) {
        t.join();
      }
      assertEquals(accepted.get(), ran.get(), "accepted and run");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void shutdownNowReturnsExactlyWhatDidNotRun(int parallelism) throws Exception {
    int rounds = TestScale.of(100);
    for (int round = 0; round < rounds; round++) { // F14
      var scheduler = TestPools.withoutSpares(parallelism).build();
      Set<Integer> ran = ConcurrentHashMap.newKeySet();
      record Task(int id, Set<Integer> ran) implements Runnable {
        @Override
        public void run() {
          assertTrue(ran.add(id), "twice");
        }
      }
      int n = 2_000;
      scheduler.execute(
          () -> {
            for (int i = 0; i < n / 2; i++) { // from inside: queues that are being stolen from
              try {
                scheduler.execute(new Task(i, ran));
              } catch (RejectedExecutionException e) {
                ran.add(i); // refused counts as told
              }
            }
          });
      for (int i = n / 2; i < n; i++) {
        scheduler.execute(new Task(i, ran));
      }
      List<Runnable> left = scheduler.shutdownNow();
      assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      scheduler.close();
      Set<Integer> all = new HashSet<>(ran);
      boolean firstTaskLeft = false;
      for (Runnable r : left) {
        if (r instanceof Task t) {
          assertTrue(all.add(t.id()), () -> "ran and was handed back, or twice: " + t.id());
        } else {
          firstTaskLeft = true; // the one that submits from inside never began
        }
      }
      assertEquals(firstTaskLeft ? n / 2 : n, all.size(), "ran + handed back");
      assertEquals(0, scheduler.stats().uncaughtExceptions());
    }
  }

  /**
   * A worker has taken the task, so it does not come back; and has not begun it, so the interrupt
   * comes too early for it. The hook makes that moment last.
   */
  @Test
  void shutdownNowInterruptsATaskThatIsAboutToBegin() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    AtomicBoolean mayBegin = new AtomicBoolean();
    AtomicBoolean interrupted = new AtomicBoolean();
    WorkerHooks hooks =
        new WorkerHooks() {
          @Override
          public void onUnpark(int worker) {
            taken.countDown();
            while (!mayBegin.get()) { // an interrupt does not end it
              Thread.onSpinWait();
            }
          }
        };
    var scheduler = TestPools.withoutSpares(1).hooks(hooks).build();
    Await.until("it sleeps", () -> scheduler.stats().parkedWorkers() == 1, scheduler::stats);
    scheduler.execute(
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
        });
    Await.latch("a worker has the task", taken, scheduler::dump);
    assertEquals(List.of(), scheduler.shutdownNow());
    mayBegin.set(true);
    assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertTrue(interrupted.get());
  }

  /** Nobody is to be interrupted: the thread ends by itself. */
  @Test
  void whatAHookPublishesAtTheEndOfADrainIsNotInterrupted() {
    AtomicInteger interrupted = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    AtomicReference<WorkStealingScheduler> made = new AtomicReference<>();
    WorkerHooks hooks =
        new WorkerHooks() {
          @Override
          public void onPark(int worker) {
            WorkStealingScheduler scheduler = made.get();
            if (scheduler != null && scheduler.isShutdown() && ran.get() == 0) {
              boolean accepted =
                  scheduler
                      .adapter()
                      .publishContinuation(
                          () -> {
                            ran.incrementAndGet();
                            interrupted.addAndGet(Thread.interrupted() ? 1 : 0);
                          },
                          Placement.QUEUED);
              assertTrue(accepted);
            }
          }
        };
    try (var scheduler = TestPools.withoutSpares(1).hooks(hooks).build()) {
      made.set(scheduler);
      scheduler.execute(() -> {});
    }
    assertEquals(0, interrupted.get());
  }

  /**
   * What a task resumes is accepted in every phase: a sweep until nothing is left would not end
   * before the task, which waits for the interrupt that comes after the sweep (F14). If it is late,
   * they end by themselves. What the gate has of it: {@code SweepTest}.
   */
  @Tag("timing")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shutdownNowEndsBesideTasksThatGoOnResuming(boolean onOneWorker) throws Exception {
    int enough = 20_000_000; // far more than come within a sweep, and they fit into memory
    var scheduler = WorkStealingScheduler.builder().parallelism(4).build();
    CountDownLatch began = new CountDownLatch(3);
    CountDownLatch ended = new CountDownLatch(3);
    AtomicInteger interrupted = new AtomicInteger();
    LongAdder accepted = new LongAdder();
    LongAdder ran = new LongAdder();
    Runnable resumed = ran::increment;
    for (int i = 0; i < 3; i++) {
      scheduler
          .confinedTo(i)
          .execute(
              () -> {
                began.countDown();
                SchedulerAdapter adapter = scheduler.adapter();
                for (int n = 0; n < enough && !Thread.currentThread().isInterrupted(); n++) {
                  boolean taken =
                      onOneWorker
                          ? adapter.publishContinuationTo(3, resumed)
                          : adapter.publishContinuation(resumed, Placement.QUEUED);
                  if (taken) {
                    accepted.increment();
                  }
                }
                interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                ended.countDown();
              });
    }
    Await.latch("all are under way", began, scheduler::dump);
    List<Runnable> left = scheduler.shutdownNow();
    Await.latch("the interrupts", ended, scheduler::dump);
    assertEquals(3, interrupted.get(), "interrupted before they came to an end by themselves");
    assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertEquals(accepted.sum(), ran.sum() + left.size(), "ran or handed back");
    scheduler.close();
  }

  @Test
  void everyMethodThatSubmitsRefusesLoudlyAfterClose() {
    var scheduler = TestPools.withoutSpares(2).name("gone").build();
    scheduler.close();
    for (var attempt :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> scheduler.execute(() -> {}),
            () -> scheduler.submit(() -> 1),
            () -> scheduler.invokeAll(List.of(() -> 1)),
            () -> scheduler.schedule(() -> {}, 1, TimeUnit.SECONDS),
            () -> scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS),
            () -> scheduler.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.SECONDS))) {
      var e = assertThrows(RejectedExecutionException.class, attempt);
      assertTrue(
          String.valueOf(e.getMessage()).contains("gone"),
          () -> "names the pool: " + e.getMessage());
    }
    assertFalse(scheduler.adapter().publish(() -> {}, Placement.NEXT));
    assertFalse(scheduler.adapter().publishContinuation(() -> {}, Placement.QUEUED));
  }

  @Test
  void closeRunsWhatWasAcceptedDelayedTasksIncludedAndEndsPeriodicOnes() throws Exception {
    var scheduler = TestPools.withoutSpares(2).build();
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) {
      scheduler.execute(ran::incrementAndGet);
    }
    var delayed = scheduler.schedule(ran::incrementAndGet, 50, TimeUnit.MILLISECONDS);
    ScheduledFuture<?> periodic =
        scheduler.scheduleAtFixedRate(() -> {}, 0, 1, TimeUnit.MILLISECONDS);
    scheduler.close();
    assertEquals(1_001, ran.get());
    assertTrue(delayed.isDone());
    assertTrue(periodic.isCancelled());
    assertTrue(scheduler.isTerminated());
  }

  @Test
  void shutdownNowHandsBackDelayedTasksAndInterruptsRunningOnes() throws Exception {
    var scheduler = TestPools.withoutSpares(1).build();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          running.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
        });
    var delayed = scheduler.schedule(() -> 1, 1, TimeUnit.HOURS);
    Await.latch("the first task", running, scheduler::stats);
    scheduler.execute(() -> {});
    List<Runnable> left = scheduler.shutdownNow();
    Await.latch("the interrupt", interrupted, scheduler::stats);
    assertEquals(2, left.size());
    assertTrue(left.contains(delayed));
    scheduler.close();
  }

  /** Each that was accepted and will not run: as a ScheduledThreadPoolExecutor does. */
  @Test
  void shutdownNowHandsBackPeriodicTasksToo() {
    var scheduler = TestPools.withoutSpares(1).build();
    Set<Runnable> accepted = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      accepted.add((Runnable) scheduler.schedule(() -> 1, 1, TimeUnit.HOURS));
      accepted.add((Runnable) scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS));
      accepted.add((Runnable) scheduler.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.HOURS));
    }
    List<Runnable> left = scheduler.shutdownNow();
    assertEquals(9, left.size());
    assertEquals(accepted, new HashSet<>(left));
    left.forEach(task -> assertFalse(((ScheduledFuture<?>) task).isCancelled()));
    scheduler.close();
  }

  /** It was due, and lay in the queue of a worker that had something else to do. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterShutdownNoPeriodicTaskRunsOnceMore(boolean fixedRate) {
    var scheduler = TestPools.withoutSpares(1).build();
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger ran = new AtomicInteger();
    scheduler.execute(() -> Await.quietly(release));
    ScheduledFuture<?> periodic =
        fixedRate
            ? scheduler.scheduleAtFixedRate(ran::incrementAndGet, 0, 1, TimeUnit.HOURS)
            : scheduler.scheduleWithFixedDelay(ran::incrementAndGet, 0, 1, TimeUnit.HOURS);
    Await.until("it is due", () -> scheduler.stats().armedTimers() == 0, scheduler::stats);
    scheduler.shutdown();
    release.countDown();
    scheduler.close();
    assertEquals(0, ran.get());
    assertTrue(periodic.isCancelled());
  }

  @Test
  void aTaskMayCloseItsOwnScheduler() {
    var scheduler = TestPools.withoutSpares(2).build();
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch closed = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          scheduler.execute(ran::incrementAndGet);
          scheduler.close(); // F20: does not wait for itself
          closed.countDown();
        });
    Await.latch("close on a worker returns", closed, scheduler::stats);
    scheduler.close();
    assertTrue(scheduler.isTerminated());
    assertEquals(1, ran.get());
  }

  /** What running tasks hand on, such as continuations, may be what they wait for. */
  @Test
  void aClosedPoolKeepsItsWorkersWhileATaskRuns() {
    var scheduler = TestPools.withoutSpares(2).build();
    AtomicInteger ran = new AtomicInteger();
    scheduler.execute(
        () -> {
          scheduler.shutdown();
          for (int i = 0; i < 100; i++) { // the other worker finds nothing, again and again
            CountDownLatch done = new CountDownLatch(1);
            scheduler.adapter().publishContinuation(done::countDown, Placement.QUEUED);
            Await.latch("a task behind a blocked one", done, scheduler::stats);
            ran.incrementAndGet();
          }
        });
    scheduler.close();
    assertEquals(100, ran.get());
    assertTrue(scheduler.isTerminated());
  }

  @RepeatedTest(20)
  void closeFromTwoThreadsAndAWorkerAtOnce() throws Exception {
    var scheduler = TestPools.withoutSpares(2).build();
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      scheduler.execute(ran::incrementAndGet);
    }
    scheduler.execute(scheduler::close);
    Thread a = new Thread(scheduler::close);
    Thread b = new Thread(scheduler::close);
    a.start();
    b.start();
    a.join();
    b.join();
    assertTrue(scheduler.isTerminated());
    assertEquals(100, ran.get());
    scheduler.close();
  }

  @Test
  void anInterruptedCloseStopsTheTasksAndKeepsTheInterrupt() throws Exception {
    var scheduler = TestPools.withoutSpares(1).build();
    CountDownLatch running = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          running.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            return; // what shutdownNow is for
          }
        });
    Await.latch("the task", running, scheduler::stats);
    Thread.currentThread().interrupt();
    scheduler.close();
    assertTrue(Thread.interrupted());
    assertTrue(scheduler.isTerminated());
  }

  @Test
  void theCommonSchedulerIsOneAndCannotBeClosed() {
    var common = WorkStealingScheduler.common();
    assertEquals(common, WorkStealingScheduler.common());
    assertThrows(UnsupportedOperationException.class, common::close);
    assertThrows(UnsupportedOperationException.class, common::shutdown);
    assertThrows(UnsupportedOperationException.class, common::shutdownNow);
    assertFalse(common.isShutdown());
  }

  @Test
  void manyPoolsCreatedAndClosedLeaveNothing() {
    int pools = TestScale.of(500);
    for (int i = 0; i < pools; i++) { // F21; the rule NoThreadLeft does the check
      try (var scheduler = TestPools.withoutSpares(2).build()) {
        scheduler.execute(() -> {});
      }
    }
  }
}
