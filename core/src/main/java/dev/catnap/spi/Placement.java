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
  /** Behind everything that this worker would run before, injected tasks included: for a yield. */
  YIELDED
}
