package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G11: timers that a worker fires, beside what comes through the injector. */
@ExtendWith(NoThreadLeft.class)
class TimerOrderTest {
  /** Fewer than a worker fires at once. */
  private static final int TIMERS = 30;

  /**
   * So many tasks after its look at the injector the worker fires the timers: the next look would
   * come when a part of them has run.
   */
  private static final int TASKS_BEFORE = 40;

  private final CountDownLatch over = new CountDownLatch(1);

  /**
   * A script of one worker: the other one is held in a task, the timer thread in a timer, and
   * nobody sleeps.
   */
  @Test
  void whatIsInjectedLater_doesNotOvertakeTimersThatTheWorkerHasFired() {
    List<Integer> order = new CopyOnWriteArrayList<>();
    CountDownLatch left = new CountDownLatch(TIMERS + 1);
    try (var scheduler = TestPools.withoutSpares(2).build()) {
      try {
        CountDownLatch held = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              held.countDown();
              Await.quietly(over);
            });
        Await.latch("one worker is held", held, scheduler::stats);
        scheduler.execute(
            () -> {
              holdTheTimerThread();
              for (int i = 1; i < TASKS_BEFORE; i++) {
                scheduler.execute(() -> {});
              }
              scheduler.execute(() -> armAll(scheduler, order, left));
            });
        Await.latch("all have run", left, scheduler::stats);
      } finally {
        over.countDown();
      }
    }
    assertEquals(IntStream.rangeClosed(0, TIMERS).boxed().toList(), order);
  }

  private void holdTheTimerThread() {
    CountDownLatch firing = new CountDownLatch(1);
    Worker worker = (Worker) ((WorkerThread) Thread.currentThread()).worker();
    assertTrue(worker.pool().timers().arm(new Holding(firing, over), 0));
    Await.quietly(firing);
  }

  /** All are due at once; while the first one runs, an outsider injects the last number. */
  @SuppressWarnings("FutureReturnValueIgnored") // the latch tells more
  private static void armAll(
      WorkStealingScheduler scheduler, List<Integer> order, CountDownLatch left) {
    for (int i = 0; i < TIMERS; i++) {
      int number = i;
      scheduler.schedule(
          () -> {
            order.add(number);
            left.countDown();
            if (number == 0) {
              inject(
                  scheduler,
                  () -> {
                    order.add(TIMERS);
                    left.countDown();
                  });
            }
          },
          0,
          TimeUnit.NANOSECONDS);
    }
  }

  private static void inject(WorkStealingScheduler scheduler, Runnable task) {
    Thread outsider = new Thread(() -> scheduler.execute(task), "outsider");
    outsider.start();
    Await.until("it is injected", () -> !outsider.isAlive(), scheduler::stats);
  }

  /** Keeps the thread that fires it. */
  private static final class Holding extends TimerNode {
    private final CountDownLatch firing;
    private final CountDownLatch over;

    Holding(CountDownLatch firing, CountDownLatch over) {
      this.firing = firing;
      this.over = over;
    }

    @Override
    protected void fire() {
      firing.countDown();
      Await.quietly(over);
    }

    @Override
    protected boolean survivesShutdown() {
      return true;
    }

    @Override
    protected void dropped() {
      throw new AssertionError("it survives a shutdown");
    }
  }
}
