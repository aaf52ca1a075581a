package dev.catnap.testing;

import dev.catnap.spi.Parker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Parks as usual, and counts. */
public final class CountingParker implements Parker {
  private final AtomicLong parks = new AtomicLong();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong timedParks = new AtomicLong();
  private final AtomicLong unparks = new AtomicLong();

  /** Counts from zero. */
  public CountingParker() {}

  @Override
  public void park(Object blocker) {
    parks.incrementAndGet();
    inside.incrementAndGet();
    LOCK_SUPPORT.park(blocker);
    inside.decrementAndGet();
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    timedParks.incrementAndGet();
    LOCK_SUPPORT.parkNanos(blocker, nanos);
  }

  @Override
  public void unpark(Thread thread) {
    unparks.incrementAndGet();
    LOCK_SUPPORT.unpark(thread);
  }

  /** Untimed parks begun. */
  public long parks() {
    return parks.get();
  }

  /**
   * Workers in an untimed park. Their FinalCheck is over: one that is merely counted as asleep may
   * still find what is published now, and needs no wake. One that was unparked and has not come to
   * run is here all the same, but not counted as asleep: whoever wants neither asks for both, this
   * last.
   */
  public int parkedNow() {
    return inside.get();
  }

  /** Timed parks begun. */
  public long timedParks() {
    return timedParks.get();
  }

  /** Unparks made. */
  public long unparks() {
    return unparks.get();
  }
}
