package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1, G9: the parallelism changes while workers search, sleep, or wake for a task. Afterwards as
 * many workers sleep as may run, the others are spares, and every task has run.
 */
class SchedulerResizeTest extends ModelCheckedSuite {
  /** An invocation takes some 300 ms; the race is explored closer in SleepLostWakeupTest. */
  private static final int INVOCATIONS = 20;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** The script in Crew.setParallelism. */
  @Test
  void aPoolShrinksWhileItsWorkersFallAsleep() {
    explore(
        INVOCATIONS,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(2, 2);
          checked.scheduler().setParallelism(1);
          checked.awaitQuiescence();
          checked.dismiss();
        });
  }

  /** The worker that is woken for the task may be the one that must become a spare. */
  @Test
  void aPoolShrinksWhileATaskComes() {
    explore(INVOCATIONS, () -> resizeBesideATask(2, 1));
  }

  /** The new worker starts while the old one wakes. */
  @Test
  void aPoolGrowsWhileATaskComes() {
    explore(INVOCATIONS, () -> resizeBesideATask(1, 2));
  }

  /**
   * The same for a task that waits for the new worker, which its publisher may have to start. Then
   * there is one too many for a moment; a third thread may come, and stays as a spare.
   */
  @Test
  void aPoolGrowsWhileATaskComesForTheNewWorker() {
    explore(
        INVOCATIONS,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 3);
          WorkStealingScheduler scheduler = checked.scheduler();
          ModelCheckedLatch ran = new ModelCheckedLatch();
          Thread resizer = startElsewhere(() -> scheduler.setParallelism(2));
          scheduler.adapter().publishTo(1, ran::open);
          ran.await();
          Canary.join(resizer);
          checked.awaitQuiescence();
          checked.dismiss();
        });
  }

  private static void resizeBesideATask(int before, int after) {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(before, 2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch ran = new ModelCheckedLatch();
    scheduler.execute(ran::open);
    scheduler.setParallelism(after);
    ran.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }
}
