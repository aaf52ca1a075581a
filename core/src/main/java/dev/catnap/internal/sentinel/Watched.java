package dev.catnap.internal.sentinel;

import dev.catnap.internal.blocking.WorkerRight;

/** One worker, as the sentinel sees it. Everything here may be called by any thread. */
public interface Watched {

  /** Whether it may be running a task: not asleep, not a spare, not retired. */
  boolean isAwake();

  /** Tasks begun so far: as long as this stands still, it is in one and the same task. */
  long tasksBegun();

  /** Tasks put into its slot so far. */
  long tasksSlotted();

  /** Volatile, as the look after going off duty needs it. */
  boolean isSlotEmpty();

  /** Whether tasks lie in queues of its own, that another could run. */
  boolean hasQueuedTasks();

  /** Makes its slot visible to searchers, or no longer; only the sentinel says so. */
  void expose(boolean exposed);

  /**
   * Whether it has begun so few tasks since the last look that they may be coarse; then it takes
   * the time of each that makes another one ready. Only the sentinel says so.
   */
  void tellBeginsFew(boolean few);

  /** Whether the task that it runs waits for something: a lock, a latch, a sleep. */
  boolean isWaiting();

  /** Whether it is in a declared blocking section, and has kept its right: that was to be short. */
  boolean keepsRight();

  /** How long ago that section began; or a later one, if it is over. */
  long nanosInSection();

  /** Its right to run. */
  WorkerRight right();
}
