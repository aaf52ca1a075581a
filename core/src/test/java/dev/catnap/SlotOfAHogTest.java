package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * G1: a task in the slot of a worker that hogs its core, while nobody else publishes. No spare
 * comes to the rescue.
 */
@ExtendWith(NoThreadLeft.class)
class SlotOfAHogTest {
  @Test
  void itIsTakenByTheOtherWorker() throws Exception {
    takenFromTheSlot(SchedulerTuning.production(), 200, scheduler -> {});
  }

  /**
   * For longer than the hog waits: it comes when it is called, or too late. Time stands still, or
   * what a worker publishes that has hogged before would be told to all.
   */
  @Test
  void itIsTakenAlthoughTheSentinelLingers() throws Exception {
    SchedulerTuning tuning = SchedulerTuning.production();
    takenFromTheSlot(
        tuning.withSentinel(tuning.slotTickNanos(), TestPools.NEVER_NANOS).withClock(() -> 0),
        20,
        SlotOfAHogTest::awaitItsLeave);
  }

  /** On duty it would look anyway. */
  private static void awaitItsLeave(WorkStealingScheduler scheduler) {
    Await.until("it leaves", () -> scheduler.dump().contains("sentinel off duty"), scheduler::dump);
  }

  private static void takenFromTheSlot(
      SchedulerTuning tuning, int rounds, Consumer<WorkStealingScheduler> before) throws Exception {
    try (var scheduler = TestPools.withoutSpares(2).tuning(tuning).build()) {
      for (int round = 0; round < rounds; round++) {
        before.accept(scheduler);
        CountDownLatch started = new CountDownLatch(1);
        scheduler
            .submit(
                () -> {
                  assertTrue(scheduler.adapter().publish(started::countDown, Placement.NEXT));
                  hogUntil(started);
                })
            .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      }
      Quiescence.await(scheduler);
      assertEquals(2L * rounds, scheduler.stats().executed());
    }
  }

  /** Half of the deadline: a sentinel that lingers a minute must not come in time. */
  private static void hogUntil(CountDownLatch started) {
    long start = System.nanoTime();
    long longest = TimeUnit.SECONDS.toNanos(Await.DEADLINE_SECONDS) / 2;
    while (started.getCount() != 0) {
      assertTrue(System.nanoTime() - start < longest, "nobody takes it");
      Thread.onSpinWait();
    }
  }

  /** It does not depend on the sentinel: a push into a slot is then a publish with all steps. */
  @Test
  void withoutASentinelItIsPublished() throws Exception {
    try (var scheduler =
        TestPools.withoutSpares(2)
            .tuning(SchedulerTuning.production().withSentinel(0, 0))
            .build()) {
      CountDownLatch inner = new CountDownLatch(1);
      scheduler
          .submit(
              () -> {
                assertTrue(scheduler.adapter().publish(inner::countDown, Placement.NEXT));
                Await.latch("taken by the other worker", inner, scheduler::stats);
              })
          .get(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertEquals(0, scheduler.stats().sentinelRounds());
      assertEquals(2, scheduler.stats().threads());
    }
  }
}
