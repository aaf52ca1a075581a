package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What comes from the injector at once is the share of one of those that are awake. */
@ExtendWith(NoThreadLeft.class)
class InjectedSharesTest {
  private static final int WORKERS = 4;
  private static final int INJECTED = 40;

  @Test
  void threeThatRunShareByThree_theOneThatSleepsHasNoShare() throws Exception {
    assertEquals(14, taken(3));
  }

  @Test
  void oneThatRunsTakesAllThatABatchHolds() throws Exception {
    assertEquals(INJECTED, taken(1));
  }

  /** How many come to one worker when {@code running} run and the others sleep. */
  private static int taken(int running) throws Exception {
    CountingParker parker = new CountingParker();
    // No sentinel calls anybody up for what is not published.
    SchedulerTuning tuning = SchedulerTuning.production().withSentinel(0, 0).withParker(parker);
    try (var scheduler = TestPools.withoutSpares(WORKERS).tuning(tuning).build()) {
      AtomicReference<Pool> pool = new AtomicReference<>();
      CountDownLatch run = new CountDownLatch(running);
      CountDownLatch hold = new CountDownLatch(1);
      for (int i = 0; i < running; i++) {
        scheduler.execute(
            () -> {
              pool.set(((Worker) ((WorkerThread) Thread.currentThread()).worker()).pool());
              run.countDown();
              Await.quietly(hold);
            });
      }
      Await.latch("the tasks that hold workers", run, scheduler::stats);
      // In their parks: who is on its way there would see it all the same.
      Await.until(
          "the others are parked", () -> parker.parked() == WORKERS - running, scheduler::stats);
      for (int i = 0; i < INJECTED; i++) {
        pool.get().queues().injector().push(() -> {}); // not published: nobody wakes
      }
      WorkerDeque deque = new WorkerDeque(64, 0);
      assertNotNull(pool.get().queues().pollInjected(deque));
      hold.countDown();
      return 1 + deque.size();
    }
  }
}
