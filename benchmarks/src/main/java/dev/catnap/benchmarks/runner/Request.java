package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.measure.ContextSwitches;
import dev.catnap.benchmarks.measure.CpuTime;
import dev.catnap.benchmarks.measure.ForeignLoad;
import dev.catnap.benchmarks.measure.Latencies;
import dev.catnap.benchmarks.measure.Readings;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import java.io.PrintStream;
import java.io.Serializable;
import java.util.Collection;
import java.util.TreeMap;
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

/**
 * What JMH is asked to run: one case on one scheduler.
 *
 * @param method the benchmark method with its class
 * @param params its own parameters
 * @param scheduler the peer
 * @param workers how many
 */
record Request(String method, TreeMap<String, String> params, String scheduler, int workers)
    implements Serializable {
  /** Every iteration ends within this time, or a wakeup was lost. */
  private static final TimeValue TIMEOUT = TimeValue.seconds(60);

  static Request of(Case program, Peer peer, int workers) {
    return new Request(
        program.benchmark().getName() + "." + program.method(),
        new TreeMap<>(program.params()),
        peer.name(),
        workers);
  }

  /** For {@link #run}; the caller adds in which JVM. */
  ChainedOptionsBuilder options(Pace pace) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(method) + "$")
            .param("scheduler", scheduler)
            .param("workers", Integer.toString(workers))
            .threads(1)
            .warmupIterations(pace.warmups())
            .warmupTime(pace.length())
            .measurementIterations(pace.iterations())
            .measurementTime(pace.length())
            .timeout(TIMEOUT)
            // The last one begins last and ends first: it sees least of the others.
            .addProfiler(ContextSwitches.class)
            .addProfiler(ForeignLoad.class)
            .addProfiler(Latencies.class)
            .addProfiler(Readings.class)
            .addProfiler(GCProfiler.class)
            .addProfiler(CpuTime.class)
            .shouldFailOnError(true);
    params.forEach(options::param);
    return options;
  }

  /** Lets JMH run it. */
  RunResult run(ChainedOptionsBuilder options, PrintStream log) throws RunnerException {
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
