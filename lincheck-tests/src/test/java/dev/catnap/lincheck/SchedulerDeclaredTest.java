package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G2, G9: tasks that do nothing but block are handed to spares, beside those that have a right to
 * run. Each runs once, and afterwards as many workers sleep as there are rights, the others spares.
 */
class SchedulerDeclaredTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 60;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** While the only worker falls asleep, runs, or has run its task. */
  @Test
  void oneIsPublishedBesideATask() {
    explore(INVOCATIONS, SchedulerDeclaredTest::publishBesideATask);
  }

  private static void publishBesideATask() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    ModelCheckedLatch ran = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    checked.scheduler().execute(over::open);
    publish(checked.scheduler(), ran::open);
    over.await();
    ran.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** The worker waits for it, and is in no section: only a spare can run it. */
  @Test
  void aTaskWaitsForTheOneThatItQueued() {
    explore(INVOCATIONS, () -> queueAndWait(ModelCheckedScheduler.start(1, 2)));
  }

  private static void queueAndWait(ModelCheckedScheduler checked) {
    ModelCheckedLatch over = new ModelCheckedLatch();
    checked
        .scheduler()
        .execute(
            () -> {
              for (int i = 0; i < 2; i++) { // a new thread, and a spare that is parked or about to
                ModelCheckedLatch ran = new ModelCheckedLatch();
                publish(checked.scheduler(), ran::open);
                ran.await();
              }
              over.open();
            });
    over.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** The spare retires while it is called, or gets a new thread. */
  @Test
  void oneIsHandedToASpareThatRetires() {
    explore(
        INVOCATIONS,
        () -> {
          try (var checked = ModelCheckedScheduler.start(1, 3, Duration.ZERO)) {
            ModelCheckedLatch over = new ModelCheckedLatch();
            checked
                .scheduler()
                .execute(
                    () -> {
                      ModelCheckedLatch first = new ModelCheckedLatch();
                      publish(checked.scheduler(), first::open);
                      first.await();
                      ModelCheckedLatch second = new ModelCheckedLatch();
                      publish(checked.scheduler(), second::open);
                      second.await();
                      over.open();
                    });
            over.await();
          }
        });
  }

  /** A right is handed to the spare at the same time. */
  @Test
  void oneIsHandedOverWhileAnotherWorkerBlocks() {
    explore(INVOCATIONS, SchedulerDeclaredTest::handOverBesideASection);
  }

  private static void handOverBesideASection() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 3);
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch first = new ModelCheckedLatch();
    ModelCheckedLatch second = new ModelCheckedLatch();
    ModelCheckedLatch child = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          publish(scheduler, first::open);
          first.await(); // its thread becomes a spare
          scheduler.adapter().publish(child::open, Placement.QUEUED);
          block(scheduler, child::await); // and is handed this worker's right
          over.open();
        });
    first.await();
    publish(scheduler, second::open); // or called for this
    second.await();
    over.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** The spare is notified of something that is addressed to it at the same time. */
  @Test
  void oneIsHandedToASpareToWhichSomethingIsAddressed() {
    explore(INVOCATIONS, SchedulerDeclaredTest::handOverBesideAnAddress);
  }

  private static void handOverBesideAnAddress() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2, 3);
    WorkStealingScheduler scheduler = checked.scheduler();
    scheduler.setParallelism(1); // one of the two becomes a spare
    AtomicInteger runs = new AtomicInteger();
    ModelCheckedLatch queued = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    ModelCheckedLatch addressed = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          publish(
              scheduler,
              () -> {
                runs.incrementAndGet();
                queued.open();
              });
          queued.await();
          over.open();
        });
    scheduler
        .adapter()
        .publishTo(
            0,
            () -> {
              runs.incrementAndGet();
              addressed.open();
            });
    over.await();
    addressed.await();
    checked.awaitQuiescence();
    check(runs.get() == 2, "each once", runs);
    checked.dismiss();
  }

  /** G6. */
  @Test
  void theSchedulerIsClosedMeanwhile() {
    explore(INVOCATIONS, SchedulerDeclaredTest::closeWhileHandingOver);
  }

  private static void closeWhileHandingOver() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    AtomicInteger accepted = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    checked
        .scheduler()
        .execute(
            () -> {
              if (publish(checked.scheduler(), runs::incrementAndGet)) {
                accepted.incrementAndGet();
              }
            });
    checked.close();
    check(runs.get() == accepted.get(), "run as often as accepted " + accepted, runs);
  }

  private static boolean publish(WorkStealingScheduler scheduler, Runnable section) {
    return scheduler.adapter().publishDeclared(() -> block(scheduler, section), Placement.QUEUED);
  }
}
