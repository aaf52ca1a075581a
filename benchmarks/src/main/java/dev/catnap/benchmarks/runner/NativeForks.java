package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.plan.Case;
import java.util.Set;
import org.openjdk.jmh.runner.RunnerException;

/** Runs native programs: a process each, as {@link Forks} runs JVMs. */
interface NativeForks {
  /** Those that can run. */
  Set<NativePeer> available();

  /**
   * Runs one.
   *
   * @throws RunnerException if it failed or gave a wrong result
   */
  Fork run(Case program, NativePeer peer, int workers) throws RunnerException;
}
