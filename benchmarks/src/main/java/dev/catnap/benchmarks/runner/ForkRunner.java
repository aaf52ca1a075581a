package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.measure.ContextSwitches;
import dev.catnap.benchmarks.measure.CpuTime;
import dev.catnap.benchmarks.measure.ForeignLoad;
import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.measure.Readings;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.peers.PoolSizes;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Scale;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Lets JMH run one fork, which is one JVM with one scheduler. */
final class ForkRunner implements Forks {
  /** Every iteration ends within this time, or a wakeup was lost. */
  private static final TimeValue TIMEOUT = TimeValue.seconds(60);

  private static final List<String> JVM_ARGS =
      List.of(
          // What the Loom face needs; the same for all, as everything else.
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          // JMH uses Unsafe, and JDK 25 would say so on every start.
          "--sun-misc-unsafe-memory-access=allow",
          // Not left to ergonomics, which look at the machine.
          "-XX:+UseG1GC",
          "-Xms1g",
          "-Xmx1g");

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
    String method = program.benchmark().getName() + "." + program.method();
    List<String> jvmArgs = new ArrayList<>(JVM_ARGS);
    jvmArgs.addAll(PoolSizes.jvmArgs(workers));
    if (pace.equals(Pace.SHORT)) {
      jvmArgs.add(Scale.JVM_ARG);
    }
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(method) + "$")
            .param("scheduler", peer.name())
            .param("workers", Integer.toString(workers))
            .forks(1)
            .threads(1)
            .warmupIterations(pace.warmups())
            .warmupTime(pace.length())
            .measurementIterations(pace.iterations())
            .measurementTime(pace.length())
            .timeout(TIMEOUT)
            .jvmArgs(jvmArgs.toArray(String[]::new))
            // The last one begins last and ends first: it sees least of the others.
            .addProfiler(ContextSwitches.class)
            .addProfiler(ForeignLoad.class)
            .addProfiler(Latencies.class)
            .addProfiler(Readings.class)
            .addProfiler(GCProfiler.class)
            .addProfiler(CpuTime.class)
            .shouldFailOnError(true);
    program.params().forEach(options::param);
    Collection<RunResult> results =
        new Runner(
                options.build(), OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL))
            .run();
    if (results.size() != 1) {
      throw new RunnerException(method + " gave " + results.size() + " results");
    }
    return results.iterator().next();
  }
}
