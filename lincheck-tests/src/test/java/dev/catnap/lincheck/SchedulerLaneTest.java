package dev.catnap.lincheck;

import dev.catnap.BlockingLane;
import dev.catnap.WorkStealingScheduler;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1 and G6 of a lane for blocking tasks: a task that was accepted starts without any further
 * event, also when it relies on a runner that is about to leave; a worker that waits for a place is
 * woken; and at the end each task ran, was refused, or was handed back.
 */
class SchedulerLaneTest extends ModelCheckedSuite {
  /** An invocation takes some 50 ms: a thread is started in each. */
  private static final int INVOCATIONS = 80;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** The second comes while the runner of the first looks whether more waits. */
  @Test
  void aTaskThatReliesOnARunnerAboutToLeaveRuns() {
    explore(INVOCATIONS, SchedulerLaneTest::submitTwice);
  }

  private static void submitTwice() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    BlockingLane lane = checked.scheduler().blockingLane("lane", 1, 1);
    ModelCheckedLatch both = new ModelCheckedLatch(2);
    Thread other = startElsewhere(() -> lane.execute(both::open));
    lane.execute(both::open);
    both.await();
    Canary.join(other);
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** It finds the only place taken, by a task that runs or that nobody has begun. */
  @Test
  void aWorkerThatWaitsForAPlaceGetsIt() {
    explore(INVOCATIONS, SchedulerLaneTest::waitForAPlaceOnAWorker);
  }

  private static void waitForAPlaceOnAWorker() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    WorkStealingScheduler scheduler = checked.scheduler();
    BlockingLane lane = scheduler.blockingLane("lane", 1, 0);
    ModelCheckedLatch all = new ModelCheckedLatch(3);
    lane.execute(all::open);
    scheduler.execute(
        () -> {
          executeAwaiting(lane, all::open);
          all.open();
        });
    all.await();
    checked.awaitQuiescence();
    checked.dismiss();
  }

  /** F13, F14: a submit, a runner, and the end of the scheduler. */
  @Test
  void shutdownNowAccountsForTheTaskOfALane() {
    explore(INVOCATIONS, SchedulerLaneTest::submitAndShutdownNow);
  }

  private static void submitAndShutdownNow() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    BlockingLane lane = checked.scheduler().blockingLane("lane", 1, 1);
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger accepted = new AtomicInteger();
    Thread other =
        startElsewhere(
            () -> {
              try {
                lane.execute(runs::incrementAndGet);
                accepted.incrementAndGet();
              } catch (RejectedExecutionException e) {
                return; // closed: not accepted
              }
            });
    List<Runnable> handedBack = checked.scheduler().shutdownNow();
    checked.close();
    Canary.join(other);
    int accounted = runs.get() + handedBack.size();
    check(accounted == accepted.get(), "ran or handed back", accounted);
    check(lane.isTerminated(), "the lane is over", lane);
  }

  private static void executeAwaiting(BlockingLane lane, Runnable task) {
    try {
      lane.executeAwaiting(task);
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts here", e);
    }
  }
}
