package dev.catnap;

/** How a scheduler spreads its tasks over its workers. */
public enum Flavor {
  /** A worker without work takes half of another's queue. */
  WORK_STEALING,

  /**
   * Every task stays on the worker that it was given to, and so does what it spawns. A worker
   * without work sleeps, also while others have too much: for many small, even tasks, and for state
   * that belongs to one worker and needs no synchronisation.
   *
   * <p>Nobody takes over for a worker that blocks or computes for long: what belongs to it waits.
   * So {@link WorkStealingScheduler#blocking} just runs its section, {@code maxThreads} is the
   * parallelism, and that cannot be changed. After Pingora's runtime that does not steal.
   */
  THREAD_PER_CORE
}
