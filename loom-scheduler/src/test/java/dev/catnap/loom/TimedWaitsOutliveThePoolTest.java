package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G6, G11 and F16: a pool that was closed strands nobody whose time is not over. */
@ExtendWith(NoThreadLeft.class)
class TimedWaitsOutliveThePoolTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void aSleepingThreadCompletesAndNotEarly(Mode mode) {
    untilOneOutlivesItsPool(
        mode,
        millis -> {
          long start = System.nanoTime();
          Thread.sleep(millis); // the time is the subject
          long slept = System.nanoTime() - start;
          assertTrue(slept >= TimeUnit.MILLISECONDS.toNanos(millis), () -> "slept " + slept);
        });
  }

  @ParameterizedTest
  @MethodSource(MODES)
  @SuppressWarnings("WaitNotInLoop") // nobody notifies
  void aThreadThatWaitsForATimeOnAMonitorCompletes(Mode mode) {
    assumeTrue(
        Runtime.version().feature() >= 24, "JEP 491: before, close waits for what is in a monitor");
    Object monitor = new Object();
    untilOneOutlivesItsPool(
        mode,
        millis -> {
          synchronized (monitor) {
            monitor.wait(millis);
          }
        });
  }

  /** Waits for so many milliseconds. */
  private interface TimedWait {
    void run(long millis) throws InterruptedException;
  }

  /**
   * A virtual thread waits, its pool is closed, and its time ends it. If the time was over before
   * the pool was, which is up to the operating system, nothing was shown, and the next one waits
   * for longer.
   */
  private static void untilOneOutlivesItsPool(Mode mode, TimedWait wait) {
    boolean outlived = false;
    for (long time = 50; !outlived; time *= 2) {
      long millis = time;
      CarrierPool pool = Modes.pool(mode, 2);
      AtomicBoolean waited = new AtomicBoolean();
      AtomicReference<Throwable> failed = new AtomicReference<>();
      Thread thread =
          pool.ofVirtual()
              .uncaughtExceptionHandler((t, e) -> failed.set(e))
              .start(
                  () -> {
                    try {
                      wait.run(millis);
                      waited.set(true);
                      Thread.sleep(1); // and once more, armed when the pool is closed
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
      Deadline.until(
          "it waits", () -> thread.getState() == Thread.State.TIMED_WAITING || waited.get());
      pool.close();
      outlived = !waited.get();
      Deadline.join(thread);
      assertNull(failed.get());
    }
  }
}
