package dev.catnap.internal.timer;

import org.jspecify.annotations.Nullable;

/** One timer, of one queue; the lock of its shard guards its package's fields. */
public abstract class TimerNode {
  static final int NOT_QUEUED = -1;

  /**
   * Where it is armed for the first time, and each further time: who cancels it meanwhile has the
   * right lock. Null before.
   */
  @Nullable TimerShard shard;

  /** A seat in the heap if not negative, a lane below {@link #NOT_QUEUED}. */
  int place = NOT_QUEUED;

  /** Order among equal deadlines: first armed, first fired. */
  long sequence;

  /** Also written before it is armed, and read without the lock to tell how much is left. */
  long deadline;

  // Of a lane.
  @Nullable TimerNode previous;
  @Nullable TimerNode next;

  static int inLane(int lane) {
    return NOT_QUEUED - 1 - lane;
  }

  static boolean isInLane(int place) {
    return place < NOT_QUEUED;
  }

  static int laneOf(int place) {
    return NOT_QUEUED - 1 - place;
  }

  /**
   * The time has come: publishes the task. Runs on the timer thread or on a worker, without the
   * lock; fast.
   */
  protected abstract void fire();

  /**
   * Whether it must fire while every worker computes: where no thread would see to that it is
   * refused.
   */
  protected boolean needsThread() {
    return false;
  }

  /** Whether it still fires after the shutdown of the scheduler. */
  protected abstract boolean survivesShutdown();

  /** Whether {@code shutdownNow} hands it to its caller, who may run it, instead of dropping it. */
  protected boolean isHandedBack() {
    return survivesShutdown();
  }

  /** The scheduler was shut down before the time came, and this timer does not survive that. */
  protected abstract void dropped();
}
