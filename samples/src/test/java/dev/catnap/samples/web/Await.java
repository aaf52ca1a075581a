package dev.catnap.samples.web;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for conditions, never for time. */
public final class Await {
  private static final int SECONDS = 30;

  private Await() {}

  public static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS)) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
      Thread.yield();
    }
  }
}
