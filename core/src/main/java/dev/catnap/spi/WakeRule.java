package dev.catnap.spi;

/**
 * When a publish wakes a sleeping worker. No task is lost under either: what differs is how many
 * threads are woken for how many tasks. README.md of {@code dev.catnap.internal.sleep} has the
 * proofs.
 */
public enum WakeRule {

  /**
   * One at a time, the default: a publish wakes a worker if none searches, and the last searcher
   * that finds a task wakes the next if more are visible. From Go and Tokio. A publish from outside
   * wakes one more where tasks pile up before those that search, as in Rayon. At most one unpark
   * for each publish and each find, and often far fewer.
   */
  ONE_AT_A_TIME,

  /**
   * One for each task, whenever somebody sleeps, whoever searches, and nobody hands anything on;
   * tasks that a worker moves from queue to queue are published again. From Julia. At most one
   * unpark for each task and each of those moves.
   *
   * <p>For measurements: a push into a LIFO slot is a wake too, since the sentinel leaves slots to
   * searchers. Needs a jobs event counter of 32 bits, which must not roll over while a worker falls
   * asleep.
   */
  ONE_PER_INSERT
}
