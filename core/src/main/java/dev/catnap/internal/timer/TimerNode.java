package dev.catnap.internal.timer;

/**
 * One timer; in at most one heap at a time. Its package's fields are guarded by the lock of the
 * queue.
 */
public abstract class TimerNode {
  static final int NOT_QUEUED = -1;

  /** Where in the heap it sits. */
  int seat = NOT_QUEUED;

  /** Order among equal deadlines: first armed, first fired. */
  long sequence;

  /**
   * The time has come: publishes the task. Runs on the timer thread or on a worker, without the
   * lock; fast.
   */
  protected abstract void fire();

  /** Whether it still fires after the shutdown of the scheduler. */
  protected abstract boolean survivesShutdown();

  /** The scheduler was shut down before the time came, and this timer does not survive that. */
  protected abstract void dropped();
}
