package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.OtherBuild;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import java.io.File;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** Lets JMH run one fork, which is one JVM with one scheduler. */
final class ForkRunner implements Forks {
  private static final String CLASS_PATH = "java.class.path";

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
    if (!(peer instanceof OtherBuild build)) {
      return fork(program, peer, workers);
    }
    // JMH starts a fork with the class path of this JVM, as this property has it at that moment.
    String own = System.getProperty(CLASS_PATH);
    String others =
        OtherBuild.classes(build.checkout()).stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    System.setProperty(CLASS_PATH, others + File.pathSeparator + own);
    try {
      return fork(program, peer, workers);
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  private RunResult fork(Case program, Peer peer, int workers) throws RunnerException {
    Request request = Request.of(program, peer, workers);
    return request.run(
        request
            .options(pace.forCase(program))
            .forks(1)
            .jvmArgs(JvmArgs.of(workers).toArray(String[]::new)),
        log);
  }
}
