package dev.catnap.internal.blocking;

import dev.catnap.spi.MonotonicClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Threads that could not be started. A row of such failures is reported once, however many workers
 * fail at the same time, and publishes try again, but not each of them (F8, F9). Thread-safe.
 */
public final class FailedStarts {
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final MonotonicClock clock;
  private final AtomicBoolean failing = new AtomicBoolean();
  private volatile long lastAt;

  /** The last start, if there was one, did not fail. */
  public FailedStarts(MonotonicClock clock) {
    this.clock = clock;
  }

  /**
   * One more.
   *
   * @return whether it is the first of a row, and to be reported
   */
  public boolean failed() {
    lastAt = clock.nanoTime(); // before the flag: whoever sees that must not try at once
    return !failing.getAndSet(true);
  }

  /** The row is over: a thread was started, or somebody else tells when one can be. */
  public void endRow() {
    if (failing.get()) {
      failing.set(false);
    }
  }

  /** Whether the last start failed. One read. */
  public boolean isFailing() {
    return failing.get();
  }

  /** Whether it did, long enough ago. */
  public boolean isRetryDue() {
    return failing.get() && clock.nanoTime() - lastAt > RETRY_NANOS;
  }
}
