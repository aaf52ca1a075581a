package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G3: a worker that began few tasks may have slept most of the time, or they are coarse. */
@ExtendWith(NoThreadLeft.class)
class FewTasksTest {
  private final AtomicLong now = new AtomicLong();
  private final CountingParker parker = new CountingParker();

  private static final boolean TOLD = true;
  private static final boolean SOON = true;

  @Test
  void whatAFineTaskMakesReadyWakesNobody() throws Exception {
    assertEquals(0, wakesOfAPushAfter(Sentinel.FINE_TASK_NANOS, TOLD, !SOON));
    assertEquals(0, wakesOfAPushAfter(Sentinel.FINE_TASK_NANOS, !TOLD, SOON));
  }

  @Test
  void whatACoarseTaskMakesReadyIsPublished() throws Exception {
    assertEquals(1, wakesOfAPushAfter(Sentinel.FINE_TASK_NANOS + 1, TOLD, !SOON));
  }

  /** The sentinel may look 2.4 ms later. */
  @Test
  void alsoByAWorkerThatTheSentinelHasNotSeenYet() throws Exception {
    assertEquals(1, wakesOfAPushAfter(Sentinel.FINE_TASK_NANOS + 1, !TOLD, SOON));
  }

  /** It does not read the clock. */
  @Test
  void notByAWorkerThatIsSaidToBeginMany() throws Exception {
    assertEquals(0, wakesOfAPushAfter(Sentinel.FINE_TASK_NANOS + 1, !TOLD, !SOON));
  }

  /** It is published like any: as long as the sentinel is not there, searchers look into slots. */
  @Test
  void theSecondThatACoarseTaskMakesReadyCallsNoSentinel() throws Exception {
    try (var scheduler = scheduler()) {
      try {
        boolean called =
            scheduler
                .submit(
                    () -> {
                      now.addAndGet(Sentinel.FINE_TASK_NANOS + 1);
                      parker.hold(); // the other worker, which counts as awake when it is woken
                      scheduler.adapter().publish(() -> {}, Placement.NEXT);
                      scheduler.adapter().publish(() -> {}, Placement.NEXT);
                      return currentWorker().pool().sentinel().isOnDuty();
                    })
                .get(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertFalse(called);
      } finally {
        parker.letAllGo();
      }
    }
  }

  private WorkStealingScheduler scheduler() {
    long never = TestPools.NEVER_NANOS;
    SchedulerTuning tuning =
        SchedulerTuning.production()
            .withSentinel(never, never)
            .withClock(now::get)
            .withParker(parker)
            .withProcessors(2);
    var scheduler = TestPools.withoutSpares(2).tuning(tuning).build();
    Await.until("both are parked", () -> parker.parked() == 2, scheduler::stats);
    return scheduler;
  }

  private static Worker currentWorker() {
    return (Worker) ((WorkerThread) Thread.currentThread()).worker();
  }

  private long wakesOfAPushAfter(long nanos, boolean told, boolean soon) throws Exception {
    try (var scheduler = scheduler()) {
      CountDownLatch submitted = new CountDownLatch(1);
      Future<Long> wakes =
          scheduler.submit(
              () -> {
                // Its wake is counted after it was made.
                Await.latch("the submission is over", submitted, scheduler::stats);
                Worker worker = currentWorker();
                Sentinel sentinel = worker.pool().sentinel();
                // As long as there is something in the slot it stays; its second look never comes.
                scheduler.adapter().publish(() -> {}, Placement.NEXT);
                Await.until("it has looked", () -> waitsForItsTick(sentinel), scheduler::stats);
                assertNotNull(worker.slot.take());
                assertTrue(sentinel.isOnDuty());
                worker.tellBeginsFew(told);
                begin(worker.turns, soon ? Turns.SOON - 2 : Turns.SOON);
                long before = scheduler.stats().wakes();
                now.addAndGet(nanos);
                scheduler.adapter().publish(() -> {}, Placement.NEXT);
                return scheduler.stats().wakes() - before;
              });
      submitted.countDown();
      return wakes.get(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** So many tasks in no time, beside the present one and the look that found it. */
  private static void begin(Turns turns, int tasks) {
    for (int i = 0; i < tasks; i++) {
      boolean ignored = turns.next();
    }
    turns.lookedAtInjector(0);
  }

  private static boolean waitsForItsTick(Sentinel sentinel) {
    Thread thread = sentinel.thread();
    return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
  }
}
