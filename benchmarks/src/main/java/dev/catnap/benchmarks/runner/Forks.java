package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Runs forks, one at a time. */
@FunctionalInterface
interface Forks extends AutoCloseable {
  /**
   * Runs one.
   *
   * @param program what
   * @param peer on which scheduler
   * @param workers with how many workers
   * @return its result
   * @throws RunnerException if the workload failed or JMH did
   */
  RunResult run(Case program, Peer peer, int workers) throws RunnerException;

  /** Ends what is kept from one to the next. */
  @Override
  default void close() {}
}
