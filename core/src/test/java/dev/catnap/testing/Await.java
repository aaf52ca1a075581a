package dev.catnap.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for conditions, never for time. */
public final class Await {
  /**
   * Far beyond any hiccup of a shared machine; a test that needs it all has found a hang. Shorter
   * where a hang is expected, in the kill matrix.
   */
  public static final long DEADLINE_SECONDS = Long.getLong("catnap.await.seconds", 60);

  /**
   * How long a task waits for its test. Longer: it began to wait first, and with the same deadline
   * it would give up first, its worker would be free, and what the test waits for would come after
   * all.
   */
  private static final long HELD_SECONDS = DEADLINE_SECONDS + Math.max(2, DEADLINE_SECONDS / 2);

  private Await() {}

  /** Polls until {@code condition} holds, or fails with what {@code state} says. */
  public static void until(String what, BooleanSupplier condition, Supplier<?> state) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(
            "not within " + DEADLINE_SECONDS + " s: " + what + "; " + state.get());
      }
      Thread.yield();
    }
  }

  /** Waits for the latch, or fails with what {@code state} says. */
  public static void latch(String what, CountDownLatch latch, Supplier<?> state) {
    latch(what, latch, DEADLINE_SECONDS, state);
  }

  private static void latch(String what, CountDownLatch latch, long seconds, Supplier<?> state) {
    try {
      if (!latch.await(seconds, TimeUnit.SECONDS)) {
        throw new AssertionError("not within " + seconds + " s: " + what + "; " + state.get());
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting: " + what, e);
    }
  }

  /**
   * Waits until the thread is parked or asleep: one that has just announced that it will wait still
   * computes, and on a busy machine for long enough to be taken for a hog.
   */
  public static void untilItWaits(AtomicReference<@Nullable Thread> thread) {
    until(
        "the thread waits",
        () -> {
          Thread t = thread.get();
          return t != null
              && switch (t.getState()) {
                case WAITING, TIMED_WAITING -> true;
                default -> false;
              };
        },
        () -> String.valueOf(thread.get()));
  }

  /** Waits inside a task, where the checked exception is in the way; longer than the test does. */
  public static void quietly(CountDownLatch latch) {
    latch("a latch that the test opens", latch, HELD_SECONDS, () -> "");
  }

  /** The same in a task that ends when shutdownNow interrupts it. */
  public static void unlessInterrupted(CountDownLatch latch) {
    try {
      if (!latch.await(HELD_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("not within " + HELD_SECONDS + " s: a latch that the test opens");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
