package dev.catnap.benchmarks.workloads;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Pauses in which a pool falls asleep, the same sequence for everybody. */
public final class Pauses {
  /** Long enough for every peer to stop spinning and park. */
  private static final long SHORTEST_NANOS = 500_000;

  /** Randomised, so as not to beat with timer ticks and periodic helper threads. */
  private static final long LONGEST_NANOS = 2_000_000;

  private final SplittableRandom random = new SplittableRandom(42);

  /** Sleeps for the next of them. */
  public void pause() {
    sleepUntil(System.nanoTime() + random.nextLong(SHORTEST_NANOS, LONGEST_NANOS));
  }

  static void sleepUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
