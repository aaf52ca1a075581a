package dev.catnap.testing;

import dev.catnap.spi.MonotonicClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test moves it. Threads that wait for it are parked here, and when
 * it is moved, whoever it wakes has parked again before the test goes on: what a round of the
 * sentinel does is then done, however slow the machine is.
 *
 * <p>As the parker of workers too, keep-alives stand still with it.
 */
public final class ManualClock implements MonotonicClock {
  private static final long NEVER = Long.MAX_VALUE;

  private final Map<Thread, Seat> seats = new HashMap<>();
  private long now;

  /** Starts at zero. */
  public ManualClock() {}

  /** Of one thread; guarded by the clock. */
  private static final class Seat {
    boolean permit;

    /** When its park is over; null while it is not parked. */
    @Nullable Long until;

    /** Parks begun. */
    long parks;
  }

  @Override
  public synchronized long nanoTime() {
    return now;
  }

  @Override
  public void park(Object blocker) {
    parkUntil(NEVER);
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (nanos > 0) {
      parkUntil(Math.addExact(nanoTime(), nanos));
    }
  }

  private synchronized void parkUntil(long deadline) {
    Seat seat = seats.computeIfAbsent(Thread.currentThread(), t -> new Seat());
    seat.parks++;
    seat.until = deadline;
    notifyAll(); // the test may wait for this
    while (!seat.permit && now < deadline && !Thread.currentThread().isInterrupted()) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // as LockSupport does
      }
    }
    seat.permit = false;
    seat.until = null;
  }

  @Override
  public synchronized void unpark(Thread thread) {
    seats.computeIfAbsent(thread, t -> new Seat()).permit = true;
    notifyAll();
  }

  /**
   * Moves time on, and waits until each thread whose time has come by that parks again, or is over.
   */
  public synchronized void advance(Duration by) {
    now += by.toNanos();
    Map<Thread, Long> woken = new HashMap<>();
    seats.forEach(
        (thread, seat) -> {
          if (seat.until != null && seat.until <= now) {
            woken.put(thread, seat.parks);
          }
        });
    notifyAll();
    woken.forEach(
        (thread, parks) ->
            await(
                thread + " parks again",
                () -> {
                  Seat seat = seats.get(thread);
                  return !thread.isAlive() || (seat.parks > parks && seat.until != null);
                }));
  }

  /** The same, so many times. */
  public void advance(Duration by, int times) {
    for (int i = 0; i < times; i++) {
      advance(by);
    }
  }

  /** Waits until a thread whose name ends so is parked, and returns for how long yet. */
  public synchronized Duration awaitParked(String name) {
    long[] left = new long[1];
    await(
        name + " is parked",
        () ->
            seats.entrySet().stream()
                .filter(e -> e.getKey().getName().endsWith(name))
                .filter(e -> e.getValue().until != null && !e.getValue().permit)
                .peek(e -> left[0] = e.getValue().until == NEVER ? NEVER : e.getValue().until - now)
                .findAny()
                .isPresent());
    return Duration.ofNanos(left[0]);
  }

  /** Waits until some thread is parked for exactly so long. */
  public synchronized void awaitParkedFor(Duration left) {
    await(
        "somebody is parked for " + left,
        () ->
            seats.values().stream()
                .anyMatch(s -> s.until != null && s.until - now == left.toNanos()));
  }

  /**
   * Whether every living thread whose name begins so is parked without a timeout, those included
   * that have been started and not yet come to run.
   */
  public synchronized boolean isAtRest(String pool) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith(pool + "-"))
        .map(seats::get)
        .allMatch(s -> s != null && s.until != null && s.until == NEVER && !s.permit);
  }

  /** Parks begun by all threads. */
  public synchronized long parks() {
    return seats.values().stream().mapToLong(s -> s.parks).sum();
  }

  private interface Condition {
    boolean holds();
  }

  private void await(String what, Condition condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.DEADLINE_SECONDS);
    while (!condition.holds()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("not within " + Await.DEADLINE_SECONDS + " s: " + what);
      }
      try {
        wait(Math.min(left, 10)); // a thread that ends notifies nobody
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while waiting: " + what, e);
      }
    }
  }

  @Override
  public synchronized String toString() {
    return "at " + Duration.ofNanos(now);
  }
}
