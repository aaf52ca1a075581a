package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import java.io.PrintStream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Lets JMH run one fork, which is one JVM with one scheduler. */
final class ForkRunner implements Forks {
  private final Pace pace;
  private final PrintStream log;

  /**
   * For one run.
   *
   * @param pace how long a fork measures
   * @param log where JMH's own output goes
   */
  ForkRunner(Pace pace, PrintStream log) {
    this.pace = pace;
    this.log = log;
  }

  @Override
  public RunResult run(Case program, Peer peer, int workers) throws RunnerException {
    Request request = Request.of(program, peer, workers);
    return request.run(
        request
            .options(pace.forCase(program))
            .forks(1)
            .jvmArgs(JvmArgs.of(workers).toArray(String[]::new)),
        log);
  }
}
