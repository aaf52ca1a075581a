package dev.catnap.lincheck;

import dev.catnap.SchedulerStats;
import dev.catnap.WorkStealingScheduler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G8: a worker of one pool is a stranger to the other. What it publishes there runs there, is
 * counted there, and unparks workers of that pool only.
 */
class TwoPoolsTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 50;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** A task of one pool waits for a task of the other, which publishes back. */
  @Test
  void aTaskWaitsForATaskOfAnotherPool() {
    explore(INVOCATIONS, TwoPoolsTest::publishAcrossAndBack);
  }

  private static void publishAcrossAndBack() {
    ModelCheckedScheduler a = ModelCheckedScheduler.start(1);
    ModelCheckedScheduler b = ModelCheckedScheduler.start(1);
    ModelCheckedLatch there = new ModelCheckedLatch();
    ModelCheckedLatch back = new ModelCheckedLatch();
    a.scheduler()
        .execute(
            () -> {
              b.scheduler()
                  .execute(
                      () -> {
                        a.scheduler().execute(back::open);
                        there.open();
                      });
              there.await();
            });
    back.await();
    there.await();
    checkTasks(b, 1);
    checkTasks(a, 2);
  }

  /** Two tasks, one in each pool, that publish into the other at the same time. */
  @Test
  void twoPoolsPublishIntoEachOther() {
    explore(INVOCATIONS, TwoPoolsTest::publishBothWays);
  }

  private static void publishBothWays() {
    ModelCheckedScheduler a = ModelCheckedScheduler.start(1);
    ModelCheckedScheduler b = ModelCheckedScheduler.start(1);
    ModelCheckedLatch all = new ModelCheckedLatch(4);
    a.scheduler().execute(publishInto(b.scheduler(), all));
    b.scheduler().execute(publishInto(a.scheduler(), all));
    all.await();
    checkTasks(a, 2);
    checkTasks(b, 2);
  }

  /**
   * A worker of one pool publishes into the other while its own pool has a worker that searches or
   * sleeps: neither answers for the other pool, whose only worker must be woken.
   */
  @Test
  void aSearcherOfOnePoolDoesNotAnswerForTheOther() {
    explore(INVOCATIONS, TwoPoolsTest::publishAcrossBesideASearcher);
  }

  private static void publishAcrossBesideASearcher() {
    ModelCheckedScheduler a = ModelCheckedScheduler.start(2);
    ModelCheckedScheduler b = ModelCheckedScheduler.start(1);
    ModelCheckedLatch there = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    a.scheduler()
        .execute(
            () -> {
              b.scheduler().execute(there::open);
              there.await();
              over.open();
            });
    over.await();
    checkTasks(b, 1);
    checkTasks(a, 1);
  }

  private static Runnable publishInto(WorkStealingScheduler other, ModelCheckedLatch latch) {
    return () -> {
      other.execute(latch::open);
      latch.open();
    };
  }

  /** It compares the unparks of this pool's parker with the wakes that its publishes made. */
  private static void checkTasks(ModelCheckedScheduler checked, int tasks) {
    SchedulerStats stats = checked.awaitQuiescence();
    check(stats.executed() == tasks && stats.injected() == tasks, "tasks", stats);
    checked.dismiss();
  }
}
