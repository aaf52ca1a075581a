package dev.catnap.agent.inside;

import dev.catnap.WorkStealingScheduler;

/** A scheduler for coroutines only. */
public final class PlainWorkers {
  /** As without the agent's settings. */
  private static final int DEFAULT_MAX_THREADS = 256;

  private PlainWorkers() {}

  /**
   * Starts it.
   *
   * @param parallelism how many coroutines run at once
   * @param spares how many threads there may be beside these
   * @return a scheduler of daemons
   */
  public static WorkStealingScheduler start(int parallelism, int spares) {
    return WorkStealingScheduler.builder()
        .name("catnap-coroutines")
        .parallelism(parallelism)
        .maxThreads(Math.max(parallelism + spares, DEFAULT_MAX_THREADS))
        .build();
  }
}
