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
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
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
  void aForkedTaskIsVisible() {
    boolean[] visible = new boolean[1];
    try (var scheduler = scheduler(SchedulerTuning.production().withSentinel(0, 0))) {
      scheduler.join(
          () -> {
            visible[0] = currentWorker().pool().isWorkVisible();
          },
          () -> {});
    }
    assertTrue(visible[0], "forked and not seen");
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
    SchedulerTuning tuning =
        SchedulerTuning.production().withSentinel(never, never).withClock(() -> 0); // a fine task
    try (var scheduler = scheduler(tuning)) {
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

  /** After each way in which it had nothing that anybody need look at. */
  @Test
  void aTaskInTheQueueOfAWorkerThatHasSleptIsVisible() throws Exception {
    try (var scheduler = scheduler(SchedulerTuning.production().withSentinel(0, 0))) {
      Await.until("it sleeps", () -> scheduler.stats().parkedWorkers() == 1, scheduler::stats);
      assertTrue(scheduler.submit(() -> isVisibleInOwnQueue(scheduler)).get(), "not seen");
    }
  }

  @Test
  void aTaskInTheQueueOfAWorkerThatWasASpareIsVisible() throws Exception {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).maxThreads(2).build()) {
      for (int round = 0; round < 3; round++) { // the two take turns: one of them was a spare
        AtomicReference<Boolean> visible = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.execute(
            () ->
                Sections.block(
                    scheduler,
                    () -> {
                      scheduler.execute(
                          () -> {
                            visible.set(isVisibleInOwnQueue(scheduler));
                            ran.countDown();
                          });
                      Await.quietly(ran);
                    }));
        Await.latch("beside the section", ran, scheduler::dump);
        assertTrue(visible.get(), "published and not seen in round " + round);
        Await.until("one is a spare", () -> scheduler.stats().spareThreads() == 1, scheduler::dump);
      }
    }
  }

  /** In a task of the only worker that runs. */
  private static boolean isVisibleInOwnQueue(WorkStealingScheduler scheduler) {
    scheduler.adapter().publish(() -> {}, Placement.QUEUED);
    return currentWorker().pool().isWorkVisible();
  }

  /** G9: who sleeps has nothing; who waits in a blocking section may have. */
  @Test
  void aTaskInTheQueueOfAWorkerThatWaitsIsVisible() throws Exception {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).maxThreads(3).build()) {
      CountDownLatch rightBegan = new CountDownLatch(1);
      CountDownLatch lookerBegan = new CountDownLatch(1);
      CountDownLatch ran = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      AtomicReference<Worker> waiting = new AtomicReference<>();
      scheduler.execute(
          () -> {
            waiting.set(currentWorker());
            Sections.block(
                scheduler,
                () ->
                    scheduler.join(
                        () -> {
                          Await.quietly(lookerBegan);
                          scheduler.execute(ran::countDown);
                        },
                        () -> {
                          rightBegan.countDown();
                          Sections.block(scheduler, () -> Await.quietly(ran));
                        }));
            over.countDown();
          });
      Await.latch("the other branch", rightBegan, scheduler::dump);
      boolean visible =
          scheduler
              .submit(
                  () -> {
                    lookerBegan.countDown();
                    Worker waits = waiting.get();
                    Await.until(
                        "it waits", () -> waits.latchState().equals("waiting"), scheduler::dump);
                    return waits.pool().isWorkVisible();
                  })
              .get();
      assertTrue(visible, "published and not seen");
      Await.latch("all of it", over, scheduler::dump);
    }
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
