package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1, G2 and G4 of the whole scheduler, with the smallest queues: whatever was published starts
 * without any further event, though its worker blocks in another task.
 */
class SchedulerLostWakeupTest extends ModelCheckedSuite {
  /** An invocation costs about ten times as much as one of the sleep module alone. */
  private static final int INVOCATIONS = 160;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void aTaskFromOutsideRunsAndThePoolComesToRest() {
    explore(INVOCATIONS, SchedulerLostWakeupTest::spawnFromOutside);
  }

  private static void spawnFromOutside() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    ModelCheckedLatch ran = new ModelCheckedLatch();
    checked.scheduler().execute(ran::open);
    ran.await();
    check(checked.awaitQuiescence().executed() == 1, "not run once", checked);
    checked.dismiss();
  }

  /** A task waits for the one that it has spawned: the other worker must take it. */
  @Test
  void aTaskBehindABlockedOwnerIsTaken() {
    explore(INVOCATIONS, () -> spawnAndWait(Placement.QUEUED));
  }

  /** The same for the slot, in which thieves look last. */
  @Test
  void aTaskInTheSlotOfABlockedOwnerIsTaken() {
    explore(2 * INVOCATIONS, () -> spawnAndWait(Placement.NEXT));
  }

  private static void spawnAndWait(Placement placement) {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          scheduler.adapter().publish(childRan::open, placement);
          childRan.await();
          over.open();
        });
    over.await();
    checked.dismiss();
  }

  /** Four children are more than the queue of two holds: the overflow is found too. */
  @Test
  void overflowBehindABlockedOwnerIsTaken() {
    explore(INVOCATIONS, SchedulerLostWakeupTest::spawnFourAndWait);
  }

  private static void spawnFourAndWait() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
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

  /** Two tasks that need a worker each, from two threads. */
  @Test
  void twoPublishersReachTwoWorkers() {
    explore(INVOCATIONS, SchedulerLostWakeupTest::publishFromTwoThreads);
  }

  private static void publishFromTwoThreads() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
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
}
