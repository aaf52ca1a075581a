package dev.catnap.internal.blocking;

import dev.catnap.internal.atomic.PaddedInt;

/**
 * Rights to run. There are as many as the parallelism; every worker that runs, searches or sleeps
 * holds one. A worker that enters a blocking section releases its right <i>at once and whether or
 * not work is visible</i>: a check "is there work?" on entry would lose the publish that comes a
 * moment later.
 *
 * <p>The word counts the rights that nobody holds. Above zero: a deficit, because no spare could be
 * had (the cap of threads is reached, or a thread failed to start). Below zero: a surplus, because
 * a blocked worker came back and went on at once; the next worker between two tasks becomes a
 * spare.
 *
 * <p>The race between handing out and becoming a spare:
 *
 * <pre>
 *   T1 enters a blocking section          T2 becomes a spare
 *   takes the right, finds no spare
 *                                         latch AWAKE to SPARE
 *                                         reads rights = 0: parks
 *   gives the right back: nobody has it
 * </pre>
 *
 * so after giving back T1 looks for spares once more, those included that have retired meanwhile,
 * and T2 reads the rights after its latch. All accesses are sequentially consistent: one of the two
 * sees the other.
 */
public final class RunRights {

  /** The side that owns the threads. */
  public interface Crew {
    /** Gives the caller's right to a parked spare or to a new thread; false: neither can be had. */
    boolean activate();

    /** Whether a spare is parked or about to be, or has retired and can be started again. */
    boolean hasSpare();
  }

  private final PaddedInt unclaimed;
  private final Crew crew;

  /** All rights are held. */
  public RunRights(Crew crew) {
    this.unclaimed = new PaddedInt(0);
    this.crew = crew;
  }

  /** A worker stops running: its right goes to somebody else now, or stays to be claimed. */
  public void release() {
    unclaimed.getAndAdd(1);
    handOut();
  }

  /** A blocked worker goes on, whether a right is there or not. */
  public void reclaim() {
    unclaimed.getAndAdd(-1);
  }

  /** Gives every unclaimed right to a spare, as far as there are any. */
  public void handOut() {
    while (tryTake()) {
      if (!crew.activate()) {
        unclaimed.getAndAdd(1);
        if (!crew.hasSpare()) {
          return;
        }
      }
    }
  }

  /** True: the caller took a right that nobody held. */
  public boolean tryTake() {
    for (; ; ) {
      int n = unclaimed.getVolatile();
      if (n <= 0) {
        return false;
      }
      if (unclaimed.compareAndSet(n, n - 1)) {
        return true;
      }
    }
  }

  /** True: there was a surplus, and the caller must become a spare. */
  public boolean tryGiveUp() {
    for (; ; ) {
      int n = unclaimed.getVolatile();
      if (n >= 0) {
        return false;
      }
      if (unclaimed.compareAndSet(n, n + 1)) {
        return true;
      }
    }
  }

  /** Whether more workers run than should. One read, for the path between two tasks. */
  public boolean isSurplus() {
    return unclaimed.getOpaque() < 0;
  }

  /** Rights that nobody holds; below zero, workers too many. */
  public int unclaimed() {
    return unclaimed.getVolatile();
  }
}
