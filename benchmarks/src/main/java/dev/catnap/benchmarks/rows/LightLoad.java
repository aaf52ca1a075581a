package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Scale;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How often requests come in row W8. */
final class LightLoad {
  /** A second; with the last one two processors have a tenth of their time to work. */
  static final List<Integer> RATES = List.of(100, 1_000, 4_000);

  private static final long OPERATION_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** At 100 requests a second the JIT's last tier would take minutes. */
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(Scale.of(4_000));

  private static final long WARM_UP_INTERVAL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private LightLoad() {}

  /** Serves so many requests at such an interval. */
  @FunctionalInterface
  interface Service {
    long serve(long everyNanos, int count) throws InterruptedException;
  }

  static void warmUp(Service service) throws InterruptedException {
    int count = (int) (WARM_UP_NANOS / WARM_UP_INTERVAL_NANOS);
    long ignored = service.serve(WARM_UP_INTERVAL_NANOS, Math.max(1, count));
  }

  static long interval(int perSecond) {
    return TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  static int count(int perSecond) {
    return (int) (OPERATION_NANOS / interval(perSecond));
  }
}
