package dev.catnap;

/** How a scheduler spreads its tasks over its workers. */
public enum Flavor {
  /** A worker without work takes half of another's queue. */
  WORK_STEALING,

  /**
   * Every task stays on the worker that it was given to. Not available in this version: the builder
   * refuses it with an {@link UnsupportedOperationException}.
   */
  THREAD_PER_CORE
}
