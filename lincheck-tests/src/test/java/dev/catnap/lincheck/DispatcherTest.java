package dev.catnap.lincheck;

import dev.catnap.coroutines.WorkStealingDispatcher;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CoroutineDispatcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1, G2, G6 and G12 of the dispatcher, on a production scheduler: each block that was dispatched
 * runs once, on the dispatcher itself and on its views, which keep to their limits.
 *
 * <p>Not covered: what a closed scheduler refuses. That goes to {@code Dispatchers.IO}, whose
 * threads outlive the checked block, which Lincheck reports as a hang.
 */
class DispatcherTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 40;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    warmUp();
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** What kotlinx.coroutines initializes once must not be part of one invocation only. */
  private static void warmUp() {
    dispatchFromTwoThreads();
    dispatchToALaneFromTwoThreads();
    dispatchToALaneAndClose();
  }

  @Test
  void blocksFromTwoThreadsRunOnce() {
    explore(INVOCATIONS, DispatcherTest::dispatchFromTwoThreads);
  }

  private static void dispatchFromTwoThreads() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    CoroutineDispatcher dispatcher = WorkStealingDispatcher.of(checked.scheduler());
    ModelCheckedLatch ran = new ModelCheckedLatch(2);
    Thread other = startElsewhere(() -> dispatch(dispatcher, ran::open));
    dispatch(dispatcher, ran::open);
    ran.await();
    Canary.join(other);
    check(checked.awaitQuiescence().executed() == 2, "not each run once", checked);
    checked.dismiss();
  }

  /** The first look at a scheduler's dispatcher, from two threads: there is one. */
  @Test
  void aSchedulerHasOneDispatcher() {
    explore(INVOCATIONS, DispatcherTest::findTheDispatcherTwice);
  }

  private static void findTheDispatcherTwice() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    WorkStealingDispatcher[] found = new WorkStealingDispatcher[1];
    Thread other = startElsewhere(() -> found[0] = WorkStealingDispatcher.of(checked.scheduler()));
    WorkStealingDispatcher mine = WorkStealingDispatcher.of(checked.scheduler());
    Canary.join(other);
    check(found[0] == mine, "two dispatchers", mine);
    checked.close();
  }

  /** One at a time although there are two workers, and none is left behind in the queue. */
  @Test
  void aLaneOfOneRunsEachBlockAlone() {
    explore(INVOCATIONS, DispatcherTest::dispatchToALaneFromTwoThreads);
  }

  private static void dispatchToALaneFromTwoThreads() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    CoroutineDispatcher lane =
        WorkStealingDispatcher.of(checked.scheduler()).limitedParallelism(1, null);
    Alone alone = new Alone(2);
    Thread other = startElsewhere(() -> dispatch(lane, alone));
    dispatch(lane, alone);
    alone.ran.await();
    Canary.join(other);
    check(!alone.met, "two at a time", lane);
    checked.dismiss();
  }

  /** A block on {@code io()} waits for one on the dispatcher, whose only worker it has taken. */
  @Test
  void aBlockingBlockLeavesTheWorkerToOthers() {
    explore(INVOCATIONS / 2, DispatcherTest::waitOnIo);
  }

  private static void waitOnIo() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, 2);
    WorkStealingDispatcher dispatcher = WorkStealingDispatcher.of(checked.scheduler());
    ModelCheckedLatch childRan = new ModelCheckedLatch();
    ModelCheckedLatch over = new ModelCheckedLatch();
    dispatch(
        dispatcher.io(),
        () -> {
          childRan.await();
          over.open();
        });
    dispatch(dispatcher, childRan::open);
    over.await();
    checked.dismiss();
  }

  /** What a lane has accepted runs on the scheduler also after its close, one at a time. */
  @Test
  void aLaneRunsWhatItAcceptedBeforeTheClose() {
    explore(INVOCATIONS, DispatcherTest::dispatchToALaneAndClose);
  }

  private static void dispatchToALaneAndClose() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    WorkStealingDispatcher dispatcher = WorkStealingDispatcher.of(checked.scheduler());
    CoroutineDispatcher lane = dispatcher.limitedParallelism(1, null);
    Alone alone = new Alone(2);
    dispatch(lane, alone);
    dispatch(lane, alone);
    dispatcher.close();
    checked.close();
    alone.ran.await();
    check(!alone.met, "two at a time", lane);
  }

  private static void dispatch(CoroutineDispatcher dispatcher, Runnable block) {
    dispatcher.dispatch(EmptyCoroutineContext.INSTANCE, block);
  }

  /** A block that notices another run of itself. */
  private static final class Alone implements Runnable {
    final ModelCheckedLatch ran;
    final AtomicInteger inside = new AtomicInteger();
    volatile boolean met;

    Alone(int runs) {
      ran = new ModelCheckedLatch(runs);
    }

    @Override
    public void run() {
      if (inside.incrementAndGet() != 1) {
        met = true;
      }
      inside.decrementAndGet();
      ran.open();
    }
  }
}
