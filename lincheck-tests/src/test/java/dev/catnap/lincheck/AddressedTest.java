package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1 for what only one worker can take: it is published while that worker falls asleep, becomes a
 * spare, retires, or ends. Nobody else helps, so a wake that is lost here hangs.
 */
class AddressedTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 80;

  /** An invocation takes some 50 ms: a thread is started in each. */
  private static final int FEWER = 40;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void aTaskComesWhileItsWorkerFallsAsleep() {
    explore(
        INVOCATIONS,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
          ModelCheckedLatch ran = new ModelCheckedLatch();
          checked.scheduler().adapter().publishTo(0, ran::open);
          ran.await();
          checked.awaitQuiescence();
          checked.dismiss();
        });
  }

  /** The other worker sleeps, searches, or takes the task from outside. */
  @Test
  void aTaskComesBesideAnotherThatAnybodyMayTake() {
    explore(
        INVOCATIONS,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
          ModelCheckedLatch ran = new ModelCheckedLatch(2);
          checked.scheduler().execute(ran::open);
          checked.scheduler().adapter().publishTo(1, ran::open);
          ran.await();
          checked.awaitQuiescence();
          checked.dismiss();
        });
  }

  /** Rayon's broadcast slept for ever: its last look before sleeping forgot that queue. */
  @Test
  void aBroadcastComesWhileTheWorkersFallAsleep() {
    explore(
        INVOCATIONS,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
          ModelCheckedLatch ran = new ModelCheckedLatch(2);
          var all = checked.scheduler().broadcast(ran::open);
          ran.await();
          checked.awaitQuiescence();
          check(!all.isCompletedExceptionally(), "of the broadcast", all);
          checked.dismiss();
        });
  }

  /** G6: each worker has run it or is told of, whatever of the end it is published in between. */
  @Test
  void aBroadcastRacesWithShutdownNow() {
    explore(FEWER, AddressedTest::broadcastAndShutdownNow);
  }

  private static void broadcastAndShutdownNow() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger handedBack = new AtomicInteger();
    Submitter other =
        Submitter.start(task -> handedBack.set(scheduler.shutdownNow().size()), () -> {});
    CompletableFuture<Void> all = null;
    try {
      all = scheduler.broadcast(runs::incrementAndGet);
    } catch (RejectedExecutionException e) {
      check(scheduler.isShutdown(), "refused before", e);
    }
    Canary.join(other);
    checked.close();
    check(handedBack.get() == 0, "an object of the scheduler's own", handedBack);
    if (all == null) {
      check(runs.get() == 0, "refused as a whole, and ran", runs);
    } else {
      check(all.isDone(), "nobody completes it any more", all);
      check(all.isCompletedExceptionally() == runs.get() < 2, "not all of them ran it", runs);
    }
  }

  /** Worker 0 comes back from a section, finds itself one too many, and becomes a spare. */
  @Test
  void aTaskComesWhileItsWorkerBecomesASpare() {
    explore(
        FEWER,
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
          addressAWorkerThatWasReplaced(checked);
          checked.awaitQuiescence();
          checked.dismiss();
        });
  }

  /** The script in Addressing.addressable. */
  @Test
  void aTaskComesWhileItsWorkerRetires() {
    explore(
        FEWER,
        () -> {
          try (ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2, Duration.ZERO)) {
            addressAWorkerThatWasReplaced(checked);
          }
        });
  }

  /** The scripts in Starter.hasThread and Sleep.retire: its first new thread cannot be started. */
  @Test
  void twoTasksComeWhileTheirRetiredWorkerCannotBeStarted() {
    explore(
        FEWER,
        () -> {
          AtomicInteger threadsOfZero = new AtomicInteger();
          try (ModelCheckedScheduler checked =
              ModelCheckedScheduler.start(
                  1,
                  2,
                  Duration.ZERO,
                  body -> {
                    if (body.index() == 0 && threadsOfZero.incrementAndGet() == 2) {
                      throw new IllegalStateException();
                    }
                  })) {
            replaceWorkerZero(
                checked,
                () -> {
                  Thread other = startElsewhere(() -> runIfAccepted(checked.scheduler()));
                  runIfAccepted(checked.scheduler());
                  Canary.join(other);
                });
          }
        });
  }

  private static void runIfAccepted(WorkStealingScheduler scheduler) {
    ModelCheckedLatch ran = new ModelCheckedLatch();
    try {
      scheduler.adapter().publishTo(0, ran::open);
    } catch (IllegalStateException e) {
      return; // refused: then it need not run
    }
    ran.await();
  }

  private static void addressAWorkerThatWasReplaced(ModelCheckedScheduler checked) {
    ModelCheckedLatch ran = new ModelCheckedLatch();
    replaceWorkerZero(
        checked,
        () -> {
          checked.scheduler().adapter().publishTo(0, ran::open);
          ran.await();
        });
  }

  /** {@code then} runs while worker 0 finds itself one too many. */
  private static void replaceWorkerZero(ModelCheckedScheduler checked, Runnable then) {
    WorkStealingScheduler scheduler = checked.scheduler();
    ModelCheckedLatch replaced = new ModelCheckedLatch();
    ModelCheckedLatch sectionOver = new ModelCheckedLatch();
    ModelCheckedLatch goOn = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    scheduler.execute(
        () -> {
          block(scheduler, replaced::await);
          sectionOver.open();
        });
    scheduler.execute(
        () -> {
          replaced.open();
          goOn.await(); // keeps its right: worker 0 is one too many
          over.open();
        });
    sectionOver.await();
    then.run();
    goOn.open();
    over.await();
  }

  /** G6: what was accepted runs, though nobody else can take it and the others rest. */
  @Test
  void aTaskIsAddressedToAnotherWorkerWhileThePoolDrains() {
    explore(FEWER, AddressedTest::addressWhileClosing);
  }

  private static void addressWhileClosing() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    AtomicInteger accepted = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    scheduler
        .adapter()
        .publishTo(
            0,
            () -> {
              if (scheduler.adapter().publishContinuationTo(1, runs::incrementAndGet)) {
                accepted.incrementAndGet();
              }
            });
    checked.close();
    check(accepted.get() == 1, "refused while its scheduler drains", accepted);
    check(runs.get() == 1, "accepted and run", runs);
  }
}
