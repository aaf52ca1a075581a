package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G1: a FinalCheck that overlooks one place strands what is published there. */
@ExtendWith(NoThreadLeft.class)
class WorkViewTest {
  @Test
  void aTaskInTheQueueOfAWorkerIsVisible() {
    assertVisible(scheduler -> scheduler.adapter().publish(() -> {}, Placement.QUEUED));
  }

  @Test
  void aTaskInTheSlotOfAWorkerIsVisible() {
    assertVisible(scheduler -> scheduler.adapter().publish(() -> {}, Placement.NEXT));
  }

  @Test
  void aTaskInTheBackgroundIsVisible() {
    assertVisible(scheduler -> scheduler.adapter().publish(() -> {}, Placement.BACKGROUND));
  }

  @Test
  void aTaskFromOutsideIsVisible() {
    assertVisible(
        scheduler -> {
          Thread outside = new Thread(() -> scheduler.execute(() -> {}), "outside");
          outside.start();
          Await.until("the thread has ended", () -> !outside.isAlive(), scheduler::stats);
        });
  }

  /**
   * While the sentinel is on duty, the slot is left to its worker until the sentinel exposes it.
   */
  @Test
  void aGuardedSlotIsVisibleOnceItIsExposed() {
    CountDownLatch looked = new CountDownLatch(1);
    boolean[] visible = new boolean[2];
    long never = TestPools.NEVER_NANOS;
    try (var scheduler = scheduler(SchedulerTuning.production().withSentinel(never, never))) {
      scheduler.execute(
          () -> {
            Worker worker = currentWorker();
            scheduler.adapter().publish(() -> {}, Placement.NEXT);
            Sentinel sentinel = worker.pool().sentinel();
            Await.until("on duty", sentinel::guardSlot, scheduler::stats);
            // Its first look takes back what was exposed before; the second never comes.
            Await.until("it has looked", () -> waitsForItsTick(sentinel), scheduler::stats);
            visible[0] = worker.pool().isWorkVisible();
            worker.expose(true);
            visible[1] = worker.pool().isWorkVisible();
            looked.countDown();
          });
      Await.latch("the look", looked, scheduler::stats);
    }
    assertFalse(visible[0], "guarded");
    assertTrue(visible[1], "exposed");
  }

  private static WorkStealingScheduler scheduler(SchedulerTuning tuning) {
    return TestPools.withoutSpares(1).tuning(tuning).build();
  }

  private static boolean waitsForItsTick(Sentinel sentinel) {
    Thread thread = sentinel.thread();
    return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static Worker currentWorker() {
    return (Worker) ((WorkerThread) Thread.currentThread()).worker();
  }

  /** The only worker looks from inside a task, so nobody takes what it sees. */
  private static void assertVisible(Consumer<WorkStealingScheduler> publish) {
    CountDownLatch looked = new CountDownLatch(1);
    boolean[] visible = new boolean[2];
    try (var scheduler = scheduler(SchedulerTuning.production().withSentinel(0, 0))) {
      scheduler.execute(
          () -> {
            Pool pool = currentWorker().pool();
            visible[0] = pool.isWorkVisible();
            publish.accept(scheduler);
            visible[1] = pool.isWorkVisible();
            looked.countDown();
          });
      Await.latch("the look", looked, scheduler::stats);
    }
    assertFalse(visible[0], "nothing was published yet");
    assertTrue(visible[1], "published and not seen");
  }
}
