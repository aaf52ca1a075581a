package dev.catnap.internal.blocking;

import dev.catnap.internal.atomic.PaddedInt;
import java.lang.invoke.VarHandle;

/**
 * Rights to run. There are as many as the parallelism; every worker that runs, searches or sleeps
 * holds one. A worker that enters a blocking section releases its right <i>at once</i>, but nobody
 * gets it before it is needed: when work is visible and all that hold a right run. A section that
 * is over before that costs two additions and a look. As long as somebody searches or sleeps, that
 * one sees to what is published.
 *
 * <p>The word counts the rights that nobody holds. Above zero: a deficit, because nobody has needed
 * them yet, or no spare could be had (the cap of threads is reached, or a thread failed to start).
 * Below zero: a surplus, because a blocked worker came back and went on at once; the next worker
 * between two tasks becomes a spare.
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
 *
 * <p>Where neither a spare nor a thread can be had, one is left that could run: a worker that waits
 * in the middle of a task, and has given up its right to whoever looks into the queues meanwhile.
 * It believes itself replaced when no right is unclaimed; but one may be on its way, from a worker
 * that is relieved, or to a spare that turns out not to be there, and who has got one may block
 * later:
 *
 * <pre>
 *   T1 sentinel                           T2 waits, in the middle of a task
 *   takes the right of T2
 *                                         takes it back: one worker too many
 *                                         releases it: none is left, so it is replaced, and parks
 *   releases the right: nobody has it
 * </pre>
 *
 * so whoever leaves a right unclaimed recalls such a worker, and that one reads the rights again
 * after it can be seen to wait.
 */
public final class RunRights {

  /** The side that owns the threads. */
  public interface Crew {
    /** Gives the caller's right to a parked spare or to a new thread; false: neither can be had. */
    boolean activate();

    /**
     * Whether a spare is parked or about to be, or can be started (again). Called after the right
     * was given back: a crew that shares threads with others and has none left has itself called
     * from here on when one comes back.
     */
    boolean hasSpare();

    /** Whether all workers that hold a right run, and work is visible. */
    boolean needsMore();

    /**
     * Nobody can have the rights that are unclaimed: wakes workers that wait in the middle of a
     * task for want of a right, one for each.
     */
    void recall();
  }

  private final PaddedInt unclaimed;
  private final Crew crew;

  /** Rights may be unclaimed, and spares there for them. */
  private volatile boolean awaitsDemand;

  /** All rights are held. */
  public RunRights(Crew crew) {
    this.unclaimed = new PaddedInt(0);
    this.crew = crew;
  }

  /** A right goes to somebody else now, or stays to be claimed. */
  public void release() {
    unclaimed.getAndAdd(1);
    handOut();
  }

  /**
   * As {@link #release}, by a worker that goes on itself if nobody can have its right.
   *
   * @return false: it has to, and reclaims it. True: somebody has got the right; but whoever can be
   *     {@linkplain Crew#recall recalled} looks at {@link #unclaimed} once more
   */
  public boolean tryRelease() {
    unclaimed.getAndAdd(1);
    return tryHandOut();
  }

  /**
   * A worker stops running: its right goes to a spare as soon as it is needed. If that is not now,
   * publishers and searchers tell, see {@link #handOutOnDemand}.
   */
  public void releaseOnDemand() {
    unclaimed.getAndAdd(1);
    if (!awaitsDemand) {
      awaitsDemand = true;
    }
    // The look comes after both, and a fence: it pairs with PushFence. The other way round:
    //   T1 enters a blocking section          T2 publishes
    //   nothing is visible
    //                                         push, fence; everybody runs; no right awaits demand
    //   its right awaits demand, while T2's task waits for it
    VarHandle.fullFence();
    if (crew.needsMore()) {
      handOutOnDemand();
    }
  }

  /**
   * Whether {@link #handOutOnDemand} could help. One read: for a publisher after its fence, and for
   * a searcher that has found work after it is counted as running.
   */
  public boolean awaitsDemand() {
    return awaitsDemand;
  }

  /** More is needed: gives one right that nobody holds to a spare, if there are both. */
  public void handOutOnDemand() {
    while (!tryTake()) {
      // Not before it is known that there is none: who publishes meanwhile would not look, though
      // rights are left. And a look after it, since
      //   T1 enters a blocking section          T2 publishes
      //                                         no right is unclaimed
      //   its right is; reads that demand is awaited, writes nothing
      //                                         no demand is awaited
      awaitsDemand = false;
      if (unclaimed.getVolatile() <= 0) {
        return;
      }
      awaitsDemand = true;
    }
    if (activate()) {
      return; // more may be left
    }
    // Nobody can have it. A worker that becomes a spare looks for rights itself.
    awaitsDemand = false;
    if (crew.hasSpare()) {
      awaitsDemand = true;
      handOut(); // a later demand tries again
    } else {
      crew.recall();
    }
  }

  /** A blocked worker goes on, whether a right is there or not. */
  public void reclaim() {
    unclaimed.getAndAdd(-1);
  }

  /** Gives every unclaimed right to a spare, as far as there are any. */
  public void handOut() {
    boolean none = false;
    try {
      none = tryHandOut();
    } finally {
      if (!none) { // also if there is no memory for a thread
        crew.recall();
      }
    }
  }

  /** As {@link #handOut}. False: some are left, since nobody can have them. */
  public boolean tryHandOut() {
    while (tryTake()) {
      if (!activate() && !crew.hasSpare()) {
        return false;
      }
    }
    return true;
  }

  /**
   * The right that the caller took goes to a spare. False: nobody can have it; it is given back.
   */
  private boolean activate() {
    boolean activated = false;
    try {
      activated = crew.activate();
    } finally {
      if (!activated) { // also if that threw: the right would be lost
        unclaimed.getAndAdd(1);
      }
    }
    return activated;
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
