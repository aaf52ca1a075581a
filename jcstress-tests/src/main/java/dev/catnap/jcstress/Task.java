package dev.catnap.jcstress;

import org.jspecify.annotations.Nullable;

/**
 * What the tests put into queues. Several tasks of one test have the numbers 1, 10, 100 and so on,
 * so that a sum tells how often each was seen.
 */
final class Task implements Runnable {
  /** Returned for a task that is not there. */
  static final int NONE = 0;

  final int number;

  /** A plain field, as those of a user's task are. */
  int payload;

  Task(int number) {
    this.number = number;
  }

  static int number(@Nullable Runnable task) {
    return task == null ? NONE : ((Task) task).number;
  }

  /** What the taker of a task sees in its plain field; -1: there was no task. */
  static int payload(@Nullable Runnable task) {
    return task == null ? -1 : ((Task) task).payload;
  }

  @Override
  public void run() {
    throw new AssertionError("only moved from queue to queue");
  }
}
