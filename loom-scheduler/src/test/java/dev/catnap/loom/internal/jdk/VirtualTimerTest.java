package dev.catnap.loom.internal.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.internal.stack.StackReserve;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import java.lang.reflect.Proxy;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G2, G11: a time limit that is not needed any more. */
@ExtendWith(NoThreadLeft.class)
class VirtualTimerTest {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final AtomicInteger fired = new AtomicInteger();

  /** Not asked for anything, as long as the scheduler takes the timer. */
  private final ContinuationSink sink =
      (ContinuationSink)
          Proxy.newProxyInstance(
              ContinuationSink.class.getClassLoader(),
              new Class<?>[] {ContinuationSink.class},
              (self, method, arguments) -> {
                throw new AssertionError(method);
              });

  /**
   * The JDK cancels it when the virtual thread is said to run already: that would be stranded. Such
   * a stack has a task that joins, and runs others meanwhile, in a recursion. Hot as well: compiled
   * into its caller a cancel would ask for all its stack at the beginning of that.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 200_000})
  void whereTheStackEndsItIsCancelled_andHasNothingToDoWhenItsTimeComes(int before)
      throws Exception {
    try (WorkStealingScheduler scheduler =
        WorkStealingScheduler.builder().name("test").parallelism(1).build()) {
      for (int i = 0; i < before; i++) {
        assertTrue(cancels(armed(scheduler)));
      }
      VirtualTimer timer = armed(scheduler);
      FutureTask<Boolean> cancelled = new FutureTask<>(() -> cancelsAtTheEnd(timer));
      Thread deep = new Thread(null, cancelled, "deep", 256 * 1024);
      deep.start();
      Deadline.join(deep);
      assertTrue(cancelled.get(), "where it was called first");
      assertEquals(1, scheduler.stats().armedTimers(), "there was no stack left to disarm it");
      assertTrue(timer.isCancelled());
      assertFalse(timer.cancel(false), "once");
      timer.run();
      assertEquals(0, fired.get());
    }
  }

  private VirtualTimer armed(WorkStealingScheduler scheduler) {
    VirtualTimer timer = new VirtualTimer(sink, fired::incrementAndGet);
    scheduler.adapter().arm(timer, HOUR_NANOS);
    return timer;
  }

  private static boolean cancels(VirtualTimer timer) {
    return timer.cancel(false);
  }

  /** Half of what it takes to disarm it is left there. */
  @SuppressWarnings("InfiniteRecursion") // up to there
  private static boolean cancelsAtTheEnd(VirtualTimer timer) {
    try {
      StackReserve.require(StackReserve.never());
      return cancelsAtTheEnd(timer);
    } catch (StackOverflowError e) {
      return cancels(timer);
    }
  }

  @Test
  void elsewhereItIsDisarmed() {
    try (WorkStealingScheduler scheduler =
        WorkStealingScheduler.builder().name("test").parallelism(1).build()) {
      assertTrue(armed(scheduler).cancel(false));
      assertEquals(0, scheduler.stats().armedTimers());
    }
  }
}
