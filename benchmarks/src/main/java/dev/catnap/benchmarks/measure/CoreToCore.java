package dev.catnap.benchmarks.measure;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long what one processor has written takes to another, which spins for it. Two virtual
 * processors may be neighbours for an hour and then be far apart, where nobody can see it, and all
 * that passes tasks between them takes up to twice as long.
 */
public final class CoreToCore {
  private static final int ROUND_TRIPS = 5_000;

  /** The first are not compiled; in others somebody may have had a processor. */
  private static final int TIMES = 10;

  private static final int ENOUGH_PROCESSORS = 2;

  private CoreToCore() {}

  /**
   * Measures, in some 20 ms: the least of ten averages over 10,000 ways.
   *
   * @return nanoseconds, of one way; empty if there is but one processor
   * @throws InterruptedException if interrupted
   */
  public static OptionalLong nanos() throws InterruptedException {
    if (Runtime.getRuntime().availableProcessors() < ENOUGH_PROCESSORS) {
      return OptionalLong.empty();
    }
    AtomicInteger turn = new AtomicInteger();
    Thread other = new Thread(() -> play(turn, 1, 2 * TIMES * ROUND_TRIPS), "core-to-core");
    other.setDaemon(true);
    other.start();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TIMES; i++) {
      long start = System.nanoTime();
      play(turn, 2 * i * ROUND_TRIPS, 2 * (i + 1) * ROUND_TRIPS);
      least = Math.min(least, System.nanoTime() - start);
    }
    other.join();
    return OptionalLong.of(least / (2 * ROUND_TRIPS));
  }

  /** Adds one to each second number, as soon as the other has added one to those in between. */
  private static void play(AtomicInteger turn, int from, int to) {
    for (int i = from; i < to; i += 2) {
      while (turn.get() != i) {
        Thread.onSpinWait();
      }
      turn.set(i + 1);
    }
  }
}
