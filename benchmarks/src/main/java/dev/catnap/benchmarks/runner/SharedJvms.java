package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * One JVM per number of workers, for everything that runs with so many: the start of a JVM takes
 * longer than nearly every workload. What ran before in the same JVM moves the figures, so this is
 * for runs whose figures mean nothing.
 */
final class SharedJvms implements Forks {
  private final Path log;
  private final Map<Integer, SharedJvm> byWorkers = new TreeMap<>();

  /**
   * For one run.
   *
   * @param log what JMH's own output is added to
   */
  SharedJvms(Path log) {
    this.log = log;
  }

  @Override
  public RunResult run(Case program, Peer peer, int workers) throws RunnerException {
    boolean succeeded = false;
    try {
      SharedJvm jvm = byWorkers.get(workers);
      if (jvm == null) {
        jvm = SharedJvm.start(workers, log);
        byWorkers.put(workers, jvm);
      }
      RunResult result = jvm.run(Request.of(program, peer, workers));
      succeeded = true;
      return result;
    } catch (IOException e) {
      throw new RunnerException(e + "; see " + log);
    } finally {
      if (!succeeded) {
        forget(workers);
      }
    }
  }

  /** A scheduler that failed may still run, and fail those after it. */
  private void forget(int workers) {
    SharedJvm jvm = byWorkers.remove(workers);
    if (jvm != null) {
      jvm.close();
    }
  }

  @Override
  public void close() {
    byWorkers.values().forEach(SharedJvm::close);
  }
}
