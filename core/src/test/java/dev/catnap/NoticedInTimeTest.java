package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * G9 by the clock: every worker is in the way of what waits, and within what time that is noticed.
 * In ticks, and without a clock: {@code SentinelRoundsTest}. That it is noticed at all: {@link
 * UndeclaredBlockingTest}.
 */
@Tag("timing")
@ExtendWith(NoThreadLeft.class)
class NoticedInTimeTest {
  private static final int WORKERS = 2;

  /**
   * Waiting workers are relieved after two ticks of 5 ms, hogs after five. A hundred times that:
   * the machine is shared.
   */
  private static final long NOTICED_NANOS = TimeUnit.SECONDS.toNanos(2);

  enum InTheWay {
    WAITS {
      @Override
      void until(CountDownLatch over) {
        Await.quietly(over);
      }
    },
    SLEEPS {
      @Override
      void until(CountDownLatch over) {
        while (over.getCount() != 0) {
          LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(50));
        }
      }
    },
    COMPUTES {
      @Override
      void until(CountDownLatch over) {
        while (over.getCount() != 0) {
          Thread.onSpinWait();
        }
      }
    };

    abstract void until(CountDownLatch over);
  }

  @ParameterizedTest
  @EnumSource
  void aTaskStartsInTime_withOneThreadMoreForEachThatWaits(InTheWay how) throws Exception {
    try (var scheduler = TestPools.withTheSentinel(WORKERS).build()) {
      CountDownLatch begun = new CountDownLatch(WORKERS);
      CountDownLatch over = new CountDownLatch(1);
      try {
        for (int i = 0; i < WORKERS; i++) {
          scheduler.execute(
              () -> {
                begun.countDown();
                how.until(over);
              });
        }
        Await.latch("all are in the way", begun, scheduler::stats);
        long start = System.nanoTime();
        assertEquals(1, scheduler.submit(() -> 1).get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
        assertTrue(System.nanoTime() - start < NOTICED_NANOS);
        int spares = how == InTheWay.COMPUTES ? 1 : WORKERS; // hogs are relieved one at a time
        assertTrue(scheduler.stats().threads() <= WORKERS + spares, () -> "" + scheduler.stats());
      } finally {
        over.countDown();
      }
    }
  }
}
