package dev.catnap.loom.internal.jdk;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.internal.stack.StackReserve;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.ForkedJvm;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Cancels a timer near the end of a stack, in a JVM that compiles at once what is hot. */
public final class CancelProbe {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final AtomicInteger FIRED = new AtomicInteger();

  /** Asked for nothing, as long as the scheduler takes the timer. */
  private static final ContinuationSink SINK =
      (ContinuationSink)
          Proxy.newProxyInstance(
              ContinuationSink.class.getClassLoader(),
              new Class<?>[] {ContinuationSink.class},
              (self, method, arguments) -> {
                throw new AssertionError(method);
              });

  private CancelProbe() {}

  static List<String> options() {
    return ForkedJvm.onClassPath("-Xbatch", "-XX:-TieredCompilation");
  }

  /** With the number of those that are cancelled before, where there is stack enough. */
  public static void main(String[] args) throws Exception {
    try (WorkStealingScheduler scheduler = WorkStealingScheduler.builder().parallelism(1).build()) {
      int before = Integer.parseInt(args[0]);
      for (int i = 0; i < before; i++) {
        if (!cancels(armed(scheduler))) {
          throw new AssertionError("with stack enough");
        }
      }
      VirtualTimer timer = armed(scheduler);
      FutureTask<Boolean> cancelled = new FutureTask<>(() -> cancelsAtTheEnd(timer));
      Thread deep = new Thread(null, cancelled, "deep", 256 * 1024);
      deep.start();
      Deadline.join(deep);
      System.out.println("cancelled where it was called first: " + cancelled.get());
      System.out.println("armed: " + scheduler.stats().armedTimers());
      System.out.println("is cancelled: " + timer.isCancelled());
      System.out.println("a second time: " + timer.cancel(false));
      timer.run();
      System.out.println("has nothing to do: " + (FIRED.get() == 0));
    }
  }

  private static VirtualTimer armed(WorkStealingScheduler scheduler) {
    VirtualTimer timer = new VirtualTimer(SINK, FIRED::incrementAndGet);
    scheduler.adapter().arm(timer, HOUR_NANOS);
    return timer;
  }

  /** As the JDK does. */
  private static boolean cancels(VirtualTimer timer) {
    return timer.cancel(false);
  }

  /** Half of the stack is left there that it takes to disarm it. */
  @SuppressWarnings("InfiniteRecursion") // up to there
  private static boolean cancelsAtTheEnd(VirtualTimer timer) {
    try {
      StackReserve.require(StackReserve.never());
      return cancelsAtTheEnd(timer);
    } catch (StackOverflowError e) {
      return cancels(timer);
    }
  }
}
