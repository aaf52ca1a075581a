package dev.catnap.lincheck;

import dev.catnap.ThreadBudget;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G9 of two production pools that share their threads: one waits in a section for a task that needs
 * a spare, and the last thread is with the other pool, whose spare retires at some moment. Without
 * the hand-over the section hangs.
 */
class SchedulerBudgetTest extends ModelCheckedSuite {
  /** Two pools and two threads started in each: an invocation takes some 100 ms. */
  private static final int INVOCATIONS = 40;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void aSectionGetsTheThreadOfASpareOfAnotherPool() {
    explore(INVOCATIONS, SchedulerBudgetTest::blockInBoth);
  }

  private static void blockInBoth() {
    ThreadBudget budget = ThreadBudget.of(3);
    ModelCheckedScheduler a = ModelCheckedScheduler.start(1, 2, Duration.ZERO, budget);
    ModelCheckedScheduler b = ModelCheckedScheduler.start(1, 2, Duration.ZERO, budget);
    ModelCheckedLatch over = new ModelCheckedLatch(2);
    b.scheduler()
        .execute(
            () -> {
              block(b.scheduler(), () -> {});
              over.open();
            });
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    a.scheduler()
        .execute(
            () -> {
              a.scheduler().execute(childRan::open);
              block(a.scheduler(), childRan::await);
              over.open();
            });
    over.await();
    a.close();
    b.close();
    check(budget.inUse() == 0, "in use by closed pools", budget);
  }
}
