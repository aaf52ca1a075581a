package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G6 with a thread per core: all workers end together, none while another one works. */
@ExtendWith(NoThreadLeft.class)
class PerCoreShutdownTest {
  /** Far more than a race needs; they fit into memory, whoever is late to end it. */
  private static final int ENOUGH = 1_000_000;

  private static WorkStealingScheduler perCore(int workers) {
    return WorkStealingScheduler.builder()
        .flavor(Flavor.THREAD_PER_CORE)
        .parallelism(workers)
        .build();
  }

  /** A worker that has nothing left rests, and must come back for what another one resumes. */
  @Test
  void aContinuationFindsAWorkerThatRests_whileAnotherWorks() {
    int rounds = TestScale.of(300);
    for (int round = 0; round < rounds; round++) {
      var scheduler = perCore(2);
      SchedulerAdapter resting = scheduler.adapter().homes().get(0);
      CountDownLatch began = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger ranThere = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      scheduler
          .confinedTo(1)
          .execute(
              () -> {
                began.countDown();
                Await.quietly(go);
                for (int i = 0; i < 3; i++) {
                  boolean accepted =
                      resting.publishContinuation(
                          () -> ranThere.addAndGet(resting.isWorker() ? 1 : 100), Placement.QUEUED);
                  refused.addAndGet(accepted ? 0 : 1);
                }
              });
      Await.latch("the task", began, scheduler::dump);
      scheduler.shutdown();
      if (round % 3 != 0) { // else the worker is anywhere on its way to rest
        Await.until("it rests", () -> scheduler.stats().parkedWorkers() == 1, scheduler::stats);
      }
      go.countDown();
      scheduler.close();
      assertEquals(0, refused.get());
      assertEquals(3, ranThere.get());
    }
  }

  /** The same again and again, until the last is done: nothing is refused on the way. */
  @Test
  void workersThatResumeEachOtherGoOnAfterTheShutdown() {
    int hops = 2_000;
    var scheduler = perCore(3);
    {
      List<SchedulerAdapter> homes = scheduler.adapter().homes();
      AtomicInteger done = new AtomicInteger();
      List<Placement> places =
          List.of(Placement.NEXT, Placement.QUEUED, Placement.RESUMED, Placement.YIELDED);
      Runnable hop =
          new Runnable() {
            @Override
            public void run() {
              int n = done.incrementAndGet();
              if (n < hops) {
                boolean accepted =
                    homes.get(n % 3).publishContinuation(this, places.get(n % places.size()));
                assertTrue(accepted, "hop " + n);
              }
            }
          };
      homes.get(0).publish(hop, Placement.QUEUED);
      Await.until("it is under way", () -> done.get() > 100, scheduler::dump);
      scheduler.close();
      assertEquals(hops, done.get());
      assertEquals(0, scheduler.stats().uncaughtExceptions());
      assertTrue(scheduler.isTerminated());
      for (SchedulerAdapter home : homes) {
        assertFalse(home.publishContinuation(() -> {}, Placement.QUEUED), "nobody is left");
        assertFalse(home.publish(() -> {}, Placement.QUEUED));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aSubmitThatRacesWithCloseRunsOrIsRefused(int workers) throws Exception {
    int rounds = TestScale.of(100);
    for (int round = 0; round < rounds; round++) { // F13
      var scheduler = perCore(workers);
      AtomicInteger accepted = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      List<Thread> submitters = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        Thread submitter =
            new Thread(
                () -> {
                  try {
                    for (int key = 0; key < ENOUGH; key++) {
                      scheduler.confinedByKey(key).execute(ran::incrementAndGet);
                      accepted.incrementAndGet();
                    }
                  } catch (RejectedExecutionException e) {
                    return; // closed: the expected end
                  }
                });
        submitter.start();
        submitters.add(submitter);
      }
      int headStart = round % 50;
      Await.until("the race is on", () -> ran.get() > headStart, scheduler::stats);
      scheduler.close();
      for (Thread t : submitters) {
        t.join();
      }
      assertEquals(accepted.get(), ran.get(), "accepted and run");
    }
  }

  @Test
  void shutdownNowReturnsExactlyWhatDidNotRun_alsoWhatWorkersResumeMeanwhile() throws Exception {
    int rounds = TestScale.of(200);
    for (int round = 0; round < rounds; round++) { // F14
      var scheduler = perCore(2);
      SchedulerAdapter other = scheduler.adapter().homes().get(1);
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger accepted = new AtomicInteger();
      scheduler
          .confinedTo(0)
          .execute(
              () -> {
                for (int i = 0; i < ENOUGH && !Thread.currentThread().isInterrupted(); i++) {
                  if (other.publishContinuation(ran::incrementAndGet, Placement.QUEUED)) {
                    accepted.incrementAndGet();
                  }
                }
                for (int i = 0; i < 100; i++) { // the other worker may end at this moment
                  if (other.publishContinuation(ran::incrementAndGet, Placement.QUEUED)) {
                    accepted.incrementAndGet();
                  }
                }
              });
      int headStart = round % 20;
      Await.until("the race is on", () -> ran.get() > headStart, scheduler::stats);
      List<Runnable> left = scheduler.shutdownNow();
      assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      assertEquals(accepted.get(), ran.get() + left.size(), "ran or handed back");
    }
  }

  /** The first worker has none: its being through must not end those that have. */
  @Test
  void delayedTasksOfEveryWorkerRunBeforeTheEnd_periodicOnesEnd() throws Exception {
    var scheduler = perCore(3);
    AtomicInteger ran = new AtomicInteger();
    List<ScheduledFuture<?>> delayed = new CopyOnWriteArrayList<>();
    CountDownLatch armed = new CountDownLatch(30);
    for (int i = 0; i < 30; i++) {
      int delay = 20 + 3 * i;
      scheduler
          .confinedTo(1 + i % 2)
          .execute(
              () -> {
                delayed.add(scheduler.schedule(ran::incrementAndGet, delay, TimeUnit.MILLISECONDS));
                armed.countDown();
              });
    }
    Await.latch("all are armed", armed, scheduler::stats);
    var periodic = scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.HOURS);
    scheduler.close();
    assertTrue(periodic.isCancelled());
    assertEquals(30, ran.get());
    assertTrue(delayed.stream().allMatch(ScheduledFuture::isDone));
    assertThrows(
        RejectedExecutionException.class, () -> scheduler.schedule(() -> {}, 1, TimeUnit.HOURS));
    assertTrue(scheduler.shutdownNow().isEmpty());
  }

  @Test
  void shutdownNowHandsBackWhatWaitsOnEveryWorker() throws Exception {
    var scheduler = perCore(3);
    CountDownLatch began = new CountDownLatch(3);
    CountDownLatch interrupted = new CountDownLatch(3);
    List<Runnable> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      scheduler
          .confinedTo(i)
          .execute(
              () -> {
                began.countDown();
                try {
                  Thread.sleep(TimeUnit.HOURS.toMillis(1)); // until it is interrupted
                } catch (InterruptedException e) {
                  interrupted.countDown();
                }
              });
    }
    Await.latch("all workers are in a task", began, scheduler::dump);
    for (int i = 0; i < 30; i++) {
      Runnable task = () -> {};
      waiting.add(task);
      scheduler.adapter().homes().get(i % 3).publish(task, Placement.QUEUED);
    }
    List<Runnable> left = scheduler.shutdownNow();
    Await.latch("all workers are interrupted", interrupted, scheduler::dump);
    assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertEquals(30, left.size());
    assertTrue(waiting.containsAll(left));
  }

  @Test
  void shutdownNowHandsBackDelayedTasksOfEveryWorker() throws Exception {
    var scheduler = perCore(3);
    for (int i = 0; i < 30; i++) {
      var ignored = scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
    }
    assertEquals(30, scheduler.stats().armedTimers());
    assertEquals(30, scheduler.shutdownNow().size());
    assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    scheduler.close();
  }

  @Test
  void anEndWithinATimeTakesBackWhatIsTooLate_fromEveryWorker() {
    var scheduler = perCore(2);
    for (int i = 0; i < 20; i++) {
      var ignored = scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
    }
    ShutdownReport report = scheduler.close(Duration.ofSeconds(60), Duration.ofSeconds(60));
    assertEquals(ShutdownReport.Outcome.DRAINED, report.outcome());
    assertEquals(20, report.takenBack().size());
  }

  @Test
  void aWorkerClosesItsOwnScheduler() {
    var scheduler = perCore(2);
    scheduler.confinedTo(1).execute(scheduler::close);
    Await.until("the end", scheduler::isTerminated, scheduler::dump);
    scheduler.close();
  }

  @Test
  void aWorkerThatCannotBeStartedLeavesNoThreadBehind() {
    WorkerThreadFactory plain = WorkerThreadFactory.platform(true);
    AtomicInteger made = new AtomicInteger();
    var builder =
        WorkStealingScheduler.builder()
            .flavor(Flavor.THREAD_PER_CORE)
            .parallelism(3)
            .workerThreadFactory(
                body -> {
                  if (made.incrementAndGet() == 3) {
                    throw new IllegalStateException("no third thread");
                  }
                  return plain.newThread(body);
                });
    var e = assertThrows(IllegalStateException.class, builder::build);
    assertTrue(e.getMessage().contains("worker 2"), e.getMessage());
    assertTrue(e.getMessage().contains("no third thread"), e.getMessage());
  }
}
