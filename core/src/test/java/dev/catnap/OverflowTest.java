package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What does not fit into the queue of a worker goes to the injector, where any worker finds it. */
@ExtendWith(NoThreadLeft.class)
class OverflowTest {
  private static final int CAPACITY = SchedulerTuning.production().dequeCapacity();
  private static final int SEGMENT = SchedulerTuning.production().segmentSize();

  /** G2, G5: so many of them that the next tasks cost nothing, and the oldest. */
  @Test
  void theTaskThatDoesNotFitSendsTheOldestToTheInjector() {
    // No spare, which would take some of them.
    try (var scheduler = WorkStealingScheduler.builder().parallelism(1).maxThreads(1).build()) {
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger firstThatStayed = new AtomicInteger();
      CountDownLatch done = new CountDownLatch(CAPACITY + 1);
      long[] injected = new long[2];
      scheduler.execute(
          () -> {
            for (int i = 0; i <= CAPACITY; i++) {
              if (i == CAPACITY) {
                injected[0] = scheduler.stats().injected();
              }
              int number = i;
              scheduler.execute(
                  () -> {
                    int turn = ran.incrementAndGet();
                    if (number == SEGMENT) {
                      firstThatStayed.set(turn);
                    }
                    done.countDown();
                  });
            }
            injected[1] = scheduler.stats().injected();
          });
      Await.latch("all of them", done, scheduler::stats);
      assertEquals(1, injected[0], "the first task alone, as long as there is room");
      assertEquals(1 + SEGMENT, injected[1]);
      assertEquals(CAPACITY + 1, ran.get());
      assertEquals(1, firstThatStayed.get(), "it is the oldest that has stayed");
      Quiescence.await(scheduler);
    }
  }

  /** G6: the injector is closed, and takes nothing more; a worker empties its own queues. */
  @Test
  void whatDoesNotFitAfterTheCloseRunsAllTheSame() {
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch closed = new CountDownLatch(1);
    try (var scheduler = WorkStealingScheduler.builder().parallelism(1).maxThreads(1).build()) {
      scheduler.execute(
          () -> {
            Await.quietly(closed);
            for (int i = 0; i <= CAPACITY; i++) {
              assertTrue(
                  scheduler.adapter().publishContinuation(ran::incrementAndGet, Placement.QUEUED));
            }
          });
      scheduler.shutdown();
      closed.countDown();
    }
    assertEquals(CAPACITY + 1, ran.get());
  }
}
