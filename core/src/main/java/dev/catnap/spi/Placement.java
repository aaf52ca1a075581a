package dev.catnap.spi;

/**
 * Where a task published on a worker goes. From elsewhere, every task goes behind the injected
 * ones.
 */
public enum Placement {
  /**
   * Next on this worker: into its LIFO slot; what was there goes into its queue. For the receiver
   * of a message. At most {@link SchedulerTuning#lifoBudget} tasks in a row are taken from there.
   */
  NEXT,
  /** Behind this worker's queue. */
  QUEUED,
  /**
   * Behind this worker's queue too; if there is nothing in it, nobody is woken unless this worker
   * does not come back to take the task: for one that waited and goes on, while the one that it
   * waited for is about to wait or end.
   */
  RESUMED,
  /**
   * As {@link #RESUMED}, for a task that this worker has just left, and whose turn is over: it was
   * resumed before it had quite stopped.
   */
  REQUEUED,
  /** Behind everything that this worker would run before, injected tasks included: for a yield. */
  YIELDED,
  /**
   * Into a queue of the whole pool that a worker takes from when it has found nothing else
   * anywhere, and once in a long while although it has (G5): for work that gives way to other work.
   * First in, first out; also from elsewhere than a worker.
   */
  BACKGROUND
}
