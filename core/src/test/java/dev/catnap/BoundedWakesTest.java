package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Parker;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G3 and G8: who is woken, and how often. */
@ExtendWith(NoThreadLeft.class)
class BoundedWakesTest {
  private static final int BURST = 1_000;

  /**
   * The bound is what G3 says and far from what happens, for whoever is on its way counts as
   * searching: {@link #whileTheWokenWorkerIsOnItsWay_aBurstUnparksNobodyElse} is exact.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void aBurstOfSpawnsUnparksAtMostOncePerPublishAndFind(int workers) {
    CountingParker parker = new CountingParker();
    try (var scheduler = pool(workers, parker)) {
      for (int round = 0; round < 20; round++) {
        Quiescence.await(scheduler);
        SchedulerStats before = scheduler.stats();
        long unparksBefore = parker.unparks();
        CountDownLatch done = new CountDownLatch(BURST);
        scheduler.execute(
            () -> {
              for (int i = 0; i < BURST; i++) {
                scheduler.execute(done::countDown);
              }
            });
        Await.latch("the burst", done, scheduler::stats);
        Quiescence.await(scheduler);
        long unparks = parker.unparks() - unparksBefore;
        SchedulerStats after = scheduler.stats();
        assertEquals(unparks, after.wakes() - before.wakes(), "unparks are what stats call wakes");
        assertTrue(unparks >= 1, "a sleeping pool needs one");
        long finds = after.executed() - before.executed(); // each find is a task that was begun
        assertTrue(
            unparks <= BURST + 1 + finds,
            () -> unparks + " unparks, " + finds + " finds: " + after);
        assertTrue(
            after.futileWakes() - before.futileWakes() <= unparks, () -> "futile wakes: " + after);
      }
    }
  }

  /** Parks as usual, but the second worker that is woken is held on its way. */
  private static final class HoldsTheSecond implements Parker {
    final CountingParker counting = new CountingParker();
    final CountDownLatch release = new CountDownLatch(1);
    private final AtomicReference<Thread> held = new AtomicReference<>();

    @Override
    public void park(Object blocker) {
      counting.park(blocker);
      if (held.get() == Thread.currentThread()) {
        Await.quietly(release);
      }
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      counting.parkNanos(blocker, nanos);
    }

    @Override
    public void unpark(Thread thread) {
      if (counting.unparks() == 1) {
        held.set(thread);
      }
      counting.unpark(thread);
    }
  }

  /** One for the task from outside, one for the first that it publishes, and none for 999 more. */
  @Test
  void whileTheWokenWorkerIsOnItsWay_aBurstUnparksNobodyElse() {
    HoldsTheSecond parker = new HoldsTheSecond();
    try (var scheduler = pool(8, parker)) {
      Await.until("all are parked", () -> parker.counting.parkedNow() == 8, scheduler::stats);
      CountDownLatch done = new CountDownLatch(BURST);
      AtomicLong unparks = new AtomicLong();
      scheduler.execute(
          () -> {
            for (int i = 0; i < BURST; i++) {
              scheduler.execute(done::countDown);
            }
            unparks.set(parker.counting.unparks());
            parker.release.countDown();
          });
      Await.latch("the burst", done, scheduler::stats);
      assertEquals(2, unparks.get());
      Quiescence.await(scheduler);
    }
  }

  @Test
  void onePublishIntoASleepingPoolUnparksOneWorker() {
    CountingParker parker = new CountingParker();
    try (var scheduler = pool(8, parker)) {
      for (int i = 1; i <= 1_000; i++) {
        Quiescence.await(scheduler);
        CountDownLatch done = new CountDownLatch(1);
        scheduler.execute(done::countDown);
        Await.latch("the task", done, scheduler::stats);
        Quiescence.await(scheduler);
        assertEquals(i, parker.unparks(), "one unpark for one task, no hand-on without more work");
      }
    }
  }

  @Test
  void aPublishToOnePoolNeverUnparksAWorkerOfAnother() {
    CountingParker parkerA = new CountingParker();
    CountingParker parkerB = new CountingParker();
    try (var a = pool(2, parkerA);
        var b = pool(2, parkerB)) {
      Quiescence.await(a);
      Quiescence.await(b);
      long unparksB = parkerB.unparks();
      CountDownLatch done = new CountDownLatch(BURST);
      a.execute(
          () -> {
            for (int i = 0; i < BURST; i++) {
              a.execute(done::countDown);
            }
          });
      Await.latch("the burst", done, a::stats);
      Quiescence.await(a);
      assertEquals(unparksB, parkerB.unparks());
      // And from a worker of one pool into the other, while the first is fully busy.
      CountDownLatch inB = new CountDownLatch(1);
      CountDownLatch hold = new CountDownLatch(1);
      a.execute(() -> Await.quietly(hold));
      a.execute(
          () -> {
            b.execute(inB::countDown);
            Await.quietly(hold);
          });
      Await.latch("a task published by a worker of the other pool", inB, b::stats);
      hold.countDown();
    }
  }

  private static WorkStealingScheduler pool(int workers, Parker parker) {
    return TestPools.withoutSpares(workers)
        .tuning(SchedulerTuning.production().withParker(parker))
        .build();
  }
}
