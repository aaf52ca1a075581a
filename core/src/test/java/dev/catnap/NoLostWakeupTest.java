package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** G1, F2: once a publish has returned, the task starts without any further event. */
@ExtendWith(NoThreadLeft.class)
class NoLostWakeupTest {

  /**
   * Enough to meet every phase of falling asleep many times; the model checker does the exhaustive
   * part.
   */
  private static final int ROUNDS = TestScale.of(30_000);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void eachOfManySubmitsIntoAPoolThatFallsAsleepStarts(int parallelism) {
    try (var scheduler = TestPools.withoutSpares(parallelism).build()) {
      for (int i = 0; i < ROUNDS; i++) {
        CountDownLatch started = new CountDownLatch(1);
        scheduler.execute(started::countDown);
        // Varies the distance between "the last task is over" and the next submit (F3).
        for (int spin = i % 500; spin > 0; spin--) {
          Thread.onSpinWait();
        }
        Await.latch("submit " + i + " starts", started, scheduler::stats);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void aSubmitIntoAFullySleepingPoolStarts(int parallelism) {
    try (var scheduler = TestPools.withoutSpares(parallelism).build()) {
      for (int i = 0; i < ROUNDS / 10; i++) {
        Quiescence.await(scheduler);
        CountDownLatch started = new CountDownLatch(1);
        scheduler.execute(started::countDown);
        Await.latch("submit " + i + " starts", started, scheduler::stats);
      }
    }
  }

  /**
   * The publisher never comes back to its queue: the task must be found by the other worker, slot
   * or not, and no spare comes to the rescue.
   */
  @ParameterizedTest
  @EnumSource(Placement.class)
  void aTaskPublishedByAWorkerThatThenHogsItsThreadStartsElsewhere(Placement placement) {
    try (var scheduler = TestPools.withoutSpares(2).build()) {
      int rounds = ROUNDS / 6;
      for (int i = 0; i < rounds; i++) {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              assertTrue(scheduler.adapter().publish(started::countDown, placement));
              Await.latch("the published task starts", started, scheduler::stats);
              ended.countDown();
            });
        Await.latch("the publisher's task ends", ended, scheduler::stats);
      }
      Quiescence.await(scheduler);
      assertEquals(2L * rounds, scheduler.stats().executed());
      assertEquals(0, scheduler.stats().uncaughtExceptions());
    }
  }
}
