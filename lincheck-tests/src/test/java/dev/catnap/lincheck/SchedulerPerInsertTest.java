package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WakeRule;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1 where each task has a wake of its own and nobody hands anything on: whatever was published
 * starts without any further event, also what was moved in between, and though its worker blocks.
 */
class SchedulerPerInsertTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 60;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  private static SchedulerTuning perInsert(SchedulerTuning bounds) {
    return bounds.withJec(32, -1).withWakeRule(WakeRule.ONE_PER_INSERT); // rolls over at once
  }

  private static ModelCheckedScheduler startTwo() {
    return ModelCheckedScheduler.start(2, perInsert(SchedulerTuning.smallest()));
  }

  @Test
  void twoPublishersReachTwoWorkers() {
    explore(INVOCATIONS, SchedulerPerInsertTest::publishFromTwoThreads);
  }

  private static void publishFromTwoThreads() {
    ModelCheckedScheduler checked = startTwo();
    ModelCheckedLatch bothRun = new ModelCheckedLatch(2);
    Runnable task =
        () -> {
          bothRun.open();
          bothRun.await();
        };
    Submitter other = Submitter.start(checked.scheduler(), task);
    checked.scheduler().execute(task);
    bothRun.await();
    Canary.join(other);
    check(checked.awaitQuiescence().executed() == 2, "not each run once", checked);
    checked.dismiss();
  }

  /** The second comes before the worker that was woken for the first has begun to search. */
  @Test
  void twoPublishesWakeTwoSleepers() {
    explore(INVOCATIONS, SchedulerPerInsertTest::publishTwiceToSleepers);
  }

  private static void publishTwiceToSleepers() {
    ModelCheckedScheduler checked = startTwo();
    ModelCheckedLatch bothRun = new ModelCheckedLatch(2);
    Runnable task =
        () -> {
          bothRun.open();
          bothRun.await();
        };
    checked.parker().awaitAllParked();
    checked.scheduler().execute(task);
    checked.scheduler().execute(task);
    bothRun.await();
    check(checked.awaitQuiescence().executed() == 2, "not each run once", checked);
    checked.dismiss();
  }

  /** The same from a task, beside which two workers sleep. */
  @Test
  void twoSpawnsWakeTwoSleepers() {
    explore(INVOCATIONS, SchedulerPerInsertTest::spawnTwiceToSleepers);
  }

  private static void spawnTwiceToSleepers() {
    ModelCheckedScheduler checked =
        ModelCheckedScheduler.start(3, perInsert(SchedulerTuning.smallest()));
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch bothRun = new ModelCheckedLatch(2);
    ModelCheckedLatch over = new ModelCheckedLatch();
    Runnable child =
        () -> {
          bothRun.open();
          bothRun.await();
        };
    checked.parker().awaitAllParked();
    scheduler.execute(
        () -> {
          scheduler.execute(child);
          scheduler.execute(child);
          bothRun.await();
          over.open();
        });
    over.await();
    checked.dismiss();
  }

  @Test
  void aTaskInTheSlotOfABlockedOwnerIsTaken() {
    explore(INVOCATIONS, SchedulerPerInsertTest::spawnIntoTheSlotAndWait);
  }

  private static void spawnIntoTheSlotAndWait() {
    ModelCheckedScheduler checked = startTwo();
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childrenRan = new ModelCheckedLatch(2);
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          for (int i = 0; i < 2; i++) { // the second displaces the first
            scheduler.adapter().publish(childrenRan::open, Placement.NEXT);
          }
          childrenRan.await();
          over.open();
        });
    over.await();
    checked.dismiss();
  }

  /** Four children are more than the queue of two holds: some move to the injector. */
  @Test
  void overflowBehindABlockedOwnerIsTaken() {
    explore(INVOCATIONS, SchedulerPerInsertTest::spawnFourAndWait);
  }

  private static void spawnFourAndWait() {
    ModelCheckedScheduler checked = startTwo();
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childrenRan = new ModelCheckedLatch(4);
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          for (int i = 0; i < 4; i++) {
            scheduler.execute(childrenRan::open);
          }
          childrenRan.await();
          over.open();
        });
    over.await();
    checked.dismiss();
  }

  /** Of three injected tasks two come to one worker at once, and it hangs in the first. */
  @Test
  void aBatchBehindABlockedOwnerIsTaken() {
    explore(3 * INVOCATIONS, SchedulerPerInsertTest::injectThreeOfWhichOneWaits);
  }

  private static void injectThreeOfWhichOneWaits() {
    ModelCheckedScheduler checked =
        ModelCheckedScheduler.start(
            2, perInsert(SchedulerTuning.smallest().withQueues(4, 0, 4).withFairness(8, 1)));
    ModelCheckedLatch othersRan = new ModelCheckedLatch(2);
    ModelCheckedLatch over = new ModelCheckedLatch();
    checked
        .scheduler()
        .execute(
            () -> {
              othersRan.await();
              over.open();
            });
    checked.scheduler().execute(othersRan::open);
    checked.scheduler().execute(othersRan::open);
    over.await();
    checked.dismiss();
  }

  /** G9: the worker that was woken may be the one that must become a spare. */
  @Test
  void aPoolShrinksWhileATaskComes() {
    explore(INVOCATIONS / 4, SchedulerPerInsertTest::shrinkBesideATask);
  }

  private static void shrinkBesideATask() {
    ModelCheckedScheduler checked = startTwo();
    ModelCheckedLatch ran = new ModelCheckedLatch();
    checked.scheduler().execute(ran::open);
    checked.scheduler().setParallelism(1);
    ran.await();
    checked.dismiss();
  }
}
