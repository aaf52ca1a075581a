package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
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
  void aTaskFromOutsideIsVisible() {
    assertVisible(
        scheduler -> {
          Thread outside = new Thread(() -> scheduler.execute(() -> {}), "outside");
          outside.start();
          Await.until("the thread has ended", () -> !outside.isAlive(), scheduler::stats);
        });
  }

  /** The only worker looks from inside a task, so nobody takes what it sees. */
  private static void assertVisible(Consumer<WorkStealingScheduler> publish) {
    CountDownLatch looked = new CountDownLatch(1);
    boolean[] visible = new boolean[2];
    try (var scheduler = WorkStealingScheduler.builder().parallelism(1).build()) {
      scheduler.execute(
          () -> {
            Pool pool = ((Worker) ((WorkerThread) Thread.currentThread()).worker()).pool();
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
