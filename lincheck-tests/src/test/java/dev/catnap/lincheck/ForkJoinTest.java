package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Fork/join on a whole scheduler. A branch that its worker does not come back to is taken by
 * another one (G1), and the worker that waits for it, and falls asleep meanwhile, is woken at its
 * end. Each check hangs if one of the two wakes is lost.
 */
class ForkJoinTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 80;

  /** An invocation takes some 50 ms: a thread is started in each. */
  private static final int FEWER = 30;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** The left branch waits for the right one: the other worker must take it. */
  @Test
  void aBranchBehindABlockedOwnerIsTaken() {
    explore(INVOCATIONS, ForkJoinTest::leftWaitsForRight);
  }

  private static void leftWaitsForRight() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch right = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          scheduler.join(right::await, right::open);
          over.open();
        });
    over.await();
    checked.dismiss();
  }

  /** The right branch ends while the worker that forked it falls asleep. */
  @Test
  void aWorkerThatFallsAsleepInAJoinIsWokenAtTheEndOfTheBranch() {
    explore(INVOCATIONS, ForkJoinTest::waitForAStolenBranch);
  }

  private static void waitForAStolenBranch() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch begun = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          scheduler.join(begun::await, begun::open);
          over.open();
        });
    over.await();
    checked.awaitQuiescence(); // no unpark that nobody accounts for
    checked.dismiss();
  }

  /** The branch goes on until a task has run that only the worker that waits can run. */
  @Test
  void aWorkerThatWaitsRunsOtherTasks() {
    explore(INVOCATIONS, ForkJoinTest::runWhileWaiting);
  }

  private static void runWhileWaiting() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch begun = new ModelCheckedLatch();
    ModelCheckedLatch other = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          scheduler.join(
              begun::await,
              () -> {
                begun.open();
                other.await();
              });
          over.open();
        });
    begun.await();
    scheduler.execute(other::open);
    over.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** The last subtask ends while the worker of the scope falls asleep. */
  @Test
  void aScopeIsOverWhenItsLastSubtaskIs() {
    explore(
        INVOCATIONS,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
          WorkStealingScheduler scheduler = checked.scheduler();
          int[] ran = new int[2];
          ModelCheckedLatch over = new ModelCheckedLatch();
          scheduler.execute(
              () -> {
                scheduler.<Integer>scope(
                    scope -> {
                      scope.fork(() -> ran[0]++);
                      scope.fork(() -> ran[1]++);
                      return 0;
                    });
                check(ran[0] == 1 && ran[1] == 1, "each subtask once", ran[0] + ran[1]);
                over.open();
              });
          over.await();
          checked.awaitQuiescence();
          checked.dismiss();
        });
  }

  /** In a declared section: it parks uncounted, and a spare runs the branch. */
  @Test
  void aWorkerThatWaitsInABlockingSectionIsWoken() {
    explore(
        FEWER,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
          WorkStealingScheduler scheduler = checked.scheduler();
          ModelCheckedLatch begun = new ModelCheckedLatch();
          ModelCheckedLatch over = new ModelCheckedLatch();
          scheduler.execute(
              () -> {
                block(scheduler, () -> scheduler.join(begun::await, begun::open));
                over.open();
              });
          over.await();
          checked.awaitQuiescence();
          checked.dismiss();
        });
  }

  /** One worker each: the one that asks sleeps, and a worker of another pool wakes it (G8). */
  @Test
  void aWorkerWaitsForAnotherPool() {
    explore(
        FEWER,
        () -> {
          ModelCheckedScheduler a = ModelCheckedScheduler.start(1);
          ModelCheckedScheduler b = ModelCheckedScheduler.start(1);
          ModelCheckedLatch over = new ModelCheckedLatch();
          int[] ran = new int[2];
          a.scheduler()
              .execute(
                  () -> {
                    b.scheduler().join(() -> ran[0]++, () -> ran[1]++);
                    over.open();
                  });
          over.await();
          check(ran[0] == 1 && ran[1] == 1, "each branch once", ran[0] + ran[1]);
          a.awaitQuiescence();
          b.awaitQuiescence();
          a.dismiss();
          b.dismiss();
        });
  }

  /** Tasks of two pools that call each other. */
  @Test
  void twoPoolsThatCallEachOtherBothGetOn() {
    explore(
        FEWER,
        () -> {
          ModelCheckedScheduler a = ModelCheckedScheduler.start(1);
          ModelCheckedScheduler b = ModelCheckedScheduler.start(1);
          ModelCheckedLatch over = new ModelCheckedLatch(2);
          a.scheduler().execute(() -> call(b.scheduler(), over));
          b.scheduler().execute(() -> call(a.scheduler(), over));
          over.await();
          a.dismiss();
          b.dismiss();
        });
  }

  private static void call(WorkStealingScheduler other, ModelCheckedLatch over) {
    other.join(() -> {}, () -> {});
    over.open();
  }

  /** G6: a pool that drains does not end while a worker waits in the middle of a task. */
  @Test
  void aPoolIsClosedWhileAWorkerWaits() {
    explore(
        FEWER,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
          WorkStealingScheduler scheduler = checked.scheduler();
          ModelCheckedLatch begun = new ModelCheckedLatch();
          int[] ran = new int[1];
          scheduler.execute(
              () -> {
                scheduler.join(begun::await, begun::open);
                scheduler.join(() -> ran[0]++, () -> {});
              });
          begun.await();
          checked.close();
          check(ran[0] == 1, "what came after the wait", ran[0]);
        });
  }
}
