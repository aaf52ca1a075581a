package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G6: whatever the end races with, it comes, and each task either ran, once, or was refused, or was
 * handed back.
 */
class SchedulerCloseTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 160;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    assertTasksComeBack(INVOCATIONS, WorkStealingScheduler::shutdownNow);
  }

  /** F13, with the production threads and the production {@code close}. */
  @Test
  void closeRacesWithASubmit() {
    explore(INVOCATIONS, SchedulerCloseTest::submitAndClose);
  }

  private static void submitAndClose() {
    WorkStealingScheduler scheduler =
        WorkStealingScheduler.builder()
            .name("checked")
            .parallelism(1)
            .maxThreads(1)
            .tuning(SchedulerTuning.smallest().withParker(new ModelCheckedParker(1)))
            .build();
    AtomicInteger runs = new AtomicInteger();
    Submitter submitter = Submitter.start(scheduler, runs::incrementAndGet);
    scheduler.close();
    Canary.join(submitter);
    check(scheduler.isTerminated(), "close has returned", scheduler);
    check(runs.get() == (submitter.accepted() ? 1 : 0), "ran", runs);
  }

  /** F13 with two workers, one of which may have ended when the task arrives. */
  @Test
  void closeOfTwoWorkersRacesWithASubmit() {
    explore(INVOCATIONS, SchedulerCloseTest::submitAndCloseTwoWorkers);
  }

  private static void submitAndCloseTwoWorkers() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    AtomicInteger runs = new AtomicInteger();
    Submitter submitter = Submitter.start(checked.scheduler(), runs::incrementAndGet);
    checked.close();
    Canary.join(submitter);
    check(runs.get() == (submitter.accepted() ? 1 : 0), "ran", runs);
  }

  /** A task spawns another while the pool closes, and waits for it if it was accepted. */
  @Test
  void closeRacesWithATaskThatSpawnsAndWaits() {
    explore(2 * INVOCATIONS, SchedulerCloseTest::spawnAndWaitWhileClosing);
  }

  private static void spawnAndWaitWhileClosing() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          if (scheduler.adapter().publish(childRan::open, Placement.QUEUED)) {
            childRan.await();
          }
        });
    checked.close();
  }

  /**
   * The pool is closed, and one worker resumes something and waits for it while the other rests.
   */
  @Test
  void aRestRacesWithATaskThatResumesAndWaits() {
    explore(INVOCATIONS, SchedulerCloseTest::resumeAndWaitBesideARest);
  }

  private static void resumeAndWaitBesideARest() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch runs = new ModelCheckedLatch();
    ModelCheckedLatch closed = new ModelCheckedLatch();
    ModelCheckedLatch resumed = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          runs.open();
          closed.await();
          if (scheduler.adapter().publishContinuation(resumed::open, Placement.QUEUED)) {
            resumed.await();
          }
        });
    runs.await();
    scheduler.shutdown();
    closed.open();
    checked.close();
  }

  /** F20: from two threads. */
  @Test
  void closeRacesWithClose() {
    explore(4 * INVOCATIONS, SchedulerCloseTest::closeTwice);
  }

  private static void closeTwice() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    Submitter other = Submitter.start(task -> checked.scheduler().shutdown(), () -> {});
    checked.close();
    Canary.join(other);
  }

  /** F14 and F13: accepted = ran + handed back. */
  @Test
  void shutdownNowRacesWithASubmit() {
    explore(INVOCATIONS, SchedulerCloseTest::submitAndShutdownNow);
  }

  private static void submitAndShutdownNow() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    AtomicInteger runs = new AtomicInteger();
    Submitter submitter = Submitter.start(checked.scheduler(), runs::incrementAndGet);
    List<Runnable> handedBack = checked.scheduler().shutdownNow();
    checked.close();
    Canary.join(submitter);
    int accounted = runs.get() + handedBack.size();
    check(accounted == (submitter.accepted() ? 1 : 0), "ran or handed back", accounted);
  }

  /** Two threads close at once, each in its way, and a third submits. */
  @Test
  void shutdownRacesWithShutdownNow() {
    explore(INVOCATIONS, SchedulerCloseTest::shutdownAndShutdownNow);
  }

  private static void shutdownAndShutdownNow() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    WorkStealingScheduler scheduler = checked.scheduler();
    AtomicInteger runs = new AtomicInteger();
    Submitter other = Submitter.start(task -> scheduler.shutdown(), () -> {});
    Submitter submitter = Submitter.start(scheduler, runs::incrementAndGet);
    List<Runnable> handedBack = scheduler.shutdownNow();
    Canary.join(other);
    checked.close();
    Canary.join(submitter);
    int accounted = runs.get() + handedBack.size();
    check(accounted == (submitter.accepted() ? 1 : 0), "ran or handed back", accounted);
  }
}
