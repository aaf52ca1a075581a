package dev.catnap.lincheck;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G9: a worker that waits in a declared blocking section is replaced, whether or not there is work
 * at that moment. In each check the section waits for a task that nobody else can run: without a
 * replacement it hangs. Afterwards as many workers sleep as there are rights to run, and the others
 * are spares.
 */
class SchedulerBlockingTest extends ModelCheckedSuite {
  /** An invocation takes some 50 ms: a thread is started in each. */
  private static final int INVOCATIONS = 60;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void aTaskPublishedBeforeTheSectionRuns() {
    explore(INVOCATIONS, () -> publishThenBlock(1, Placement.QUEUED));
  }

  @Test
  void aTaskInTheSlotOfTheBlockedWorkerRuns() {
    explore(INVOCATIONS, () -> publishThenBlock(1, Placement.NEXT));
  }

  /** While that one falls asleep; there are no spares. */
  @Test
  void aTaskInTheSlotOfTheBlockedWorkerIsRunByAnother() {
    explore(INVOCATIONS, () -> publishThenBlock(2, Placement.NEXT));
  }

  private static void publishThenBlock(int parallelism, Placement placement) {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(parallelism, 2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          scheduler.adapter().publish(childRan::open, placement);
          block(scheduler, childRan::await);
          over.open();
        });
    over.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** When the section begins there is nothing to run. */
  @Test
  void aTaskPublishedInsideTheSectionRuns() {
    explore(INVOCATIONS, () -> blockThenPublish(1, Placement.QUEUED));
  }

  @Test
  void aTaskPublishedNextInsideTheSectionRuns() {
    explore(INVOCATIONS, () -> blockThenPublish(1, Placement.NEXT));
  }

  @Test
  void aTaskPublishedNextInsideTheSectionIsRunByAnother() {
    explore(INVOCATIONS, () -> blockThenPublish(2, Placement.NEXT));
  }

  private static void blockThenPublish(int parallelism, Placement placement) {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(parallelism, 2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          block(
              scheduler,
              () -> {
                scheduler.adapter().publish(childRan::open, placement);
                childRan.await();
              });
          over.open();
        });
    over.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /**
   * At the end of a section the worker keeps what it publishes next. By then a spare has its right,
   * so that one of the two becomes a spare: what was kept must not stay with it.
   */
  @Test
  void aTaskPublishedNextAtTheEndOfASectionRuns() {
    explore(INVOCATIONS, SchedulerBlockingTest::publishNextAtTheEnd);
  }

  private static void publishNextAtTheEnd() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    SchedulerAdapter adapter = checked.scheduler().adapter();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch nextRan = new ModelCheckedLatch();
    boolean[] ending = {false};
    checked
        .scheduler()
        .execute(
            () -> {
              assertTrue(adapter.beginBlocking(() -> ending[0]));
              adapter.publish(childRan::open, Placement.QUEUED);
              childRan.await();
              ending[0] = true;
              adapter.publish(nextRan::open, Placement.NEXT);
              adapter.endBlocking();
            });
    nextRan.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** It was not the end after all: what was kept for it is what the section waits for. */
  @Test
  void aTaskKeptForTheEndRunsIfTheSectionGoesOn() {
    explore(INVOCATIONS, () -> publishNextAndGoOn(1));
  }

  @Test
  void aTaskKeptForTheEndIsRunByAnotherIfTheSectionGoesOn() {
    explore(INVOCATIONS, () -> publishNextAndGoOn(2));
  }

  private static void publishNextAndGoOn(int parallelism) {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(parallelism, 2);
    SchedulerAdapter adapter = checked.scheduler().adapter();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    checked
        .scheduler()
        .execute(
            () -> {
              assertTrue(adapter.beginBlocking(() -> true));
              adapter.publish(childRan::open, Placement.NEXT);
              adapter.blockingGoesOn();
              childRan.await();
              adapter.endBlocking();
              over.open();
            });
    over.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** Before, while or after the section begins. */
  @Test
  void aTaskFromAnotherThreadRuns() {
    explore(INVOCATIONS, SchedulerBlockingTest::blockWhileAnotherPublishes);
  }

  private static void blockWhileAnotherPublishes() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          block(scheduler, childRan::await);
          over.open();
        });
    scheduler.execute(childRan::open);
    over.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /**
   * The first section ends while its replacement starts, so there is a worker too many; the second
   * begins while one of them becomes a spare: the script in the documentation of RunRights.
   */
  @Test
  void aSectionThatBeginsWhileAWorkerBecomesASpare() {
    // RunRightsTest begins closer to the race; this one adds the production worker.
    explore(INVOCATIONS, SchedulerBlockingTest::blockTwice);
  }

  private static void blockTwice() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    enterTwoSections(checked);
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** The two latches force the switch to the replacement where it must happen for the race. */
  private static void enterTwoSections(ModelCheckedScheduler checked) {
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch firstOver = new ModelCheckedLatch();
    ModelCheckedLatch goOn = new ModelCheckedLatch();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          block(scheduler, () -> {});
          firstOver.open();
          goOn.await();
          scheduler.execute(childRan::open);
          block(scheduler, childRan::await);
          over.open();
        });
    firstOver.await();
    goOn.open();
    over.await();
  }

  /** The same with a spare that retires at once: the thread of a worker that has none is new. */
  @Test
  void aSectionThatBeginsWhileASpareRetires() {
    explore(INVOCATIONS, SchedulerBlockingTest::blockTwiceWithoutKeepAlive);
  }

  private static void blockTwiceWithoutKeepAlive() {
    try (ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2, Duration.ZERO)) {
      enterTwoSections(checked);
    }
  }

  /** G6: a pool that is closed while a task waits in a section for one that it has spawned. */
  @Test
  void closeRacesWithASection() {
    explore(INVOCATIONS, SchedulerBlockingTest::closeWhileBlocking);
  }

  private static void closeWhileBlocking() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          if (scheduler.adapter().publish(childRan::open, Placement.QUEUED)) {
            block(scheduler, childRan::await);
          }
        });
    checked.close();
  }

  /** G6: nobody ends a spare but the close. */
  @Test
  void closeEndsASpare() {
    explore(INVOCATIONS, SchedulerBlockingTest::closeWhileAWorkerBecomesASpare);
  }

  private static void closeWhileAWorkerBecomesASpare() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    ModelCheckedLatch over = new ModelCheckedLatch();
    checked
        .scheduler()
        .execute(
            () -> {
              block(checked.scheduler(), () -> {});
              over.open();
            });
    over.await();
    checked.close();
  }
}
