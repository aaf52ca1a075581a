package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.spi.SchedulerTuning;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G3: a virtual thread that is unparked by another one, and is alone, is the next one there. */
@ExtendWith(NoThreadLeft.class)
class UnparkedThreadTest {
  private static final int PARALLELISM = 2;

  /** Time stands still: the sentinel, to which it is left, looks once. */
  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void ofWhoEndsThenItIsTheNext_andNobodyIsWokenForIt(Mode mode) {
    SchedulerTuning tuning = Modes.lateSentinel().withClock(() -> 0);
    try (CarrierPool pool = Modes.builder(mode, PARALLELISM).tuning(tuning).build()) {
      WorkStealingScheduler scheduler = pool.scheduler();
      Thread parked = pool.ofVirtual().start(LockSupport::park);
      Deadline.until("it is parked", () -> parked.getState() == Thread.State.WAITING);
      Deadline.untilParked(pool);
      long wakes = scheduler.stats().wakes();
      Thread unparks = pool.ofVirtual().start(() -> LockSupport.unpark(parked));
      Deadline.join(unparks, parked);
      assertEquals(wakes + 1, scheduler.stats().wakes(), "for the start of the one that unparks");
    }
  }
}
