package dev.catnap.jcstress;

import java.util.List;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * Runs JCStress tests in this JVM: a JVM for each would take four fifths of the time of a short
 * run. What is lost is the control over who compiles which actor, and threads bound to processors.
 */
final class ShortRun {
  private ShortRun() {}

  /**
   * Runs one.
   *
   * @param millis of each of three iterations: each begins with fresh threads
   */
  static TestResult run(String name, int millis) throws Exception {
    TestInfo test = TestList.getInfo(name);
    // The heap size bounds what one stride allocates: a bigger one takes longer to fill than it
    // gains.
    Options options =
        new Options(
            new String[] {"-time", String.valueOf(millis), "-iters", "3", "-f", "1", "-hs", "64"});
    if (!options.parse()) {
      throw new AssertionError("JCStress refuses its options");
    }
    TestConfig config =
        new TestConfig(
            options,
            test,
            0,
            List.of(),
            CompileMode.UNIFIED,
            new SchedulingClass(AffinityMode.NONE, test.threads(), NodeType.PACKAGE));
    Runner<?> runner =
        Class.forName(test.generatedRunner())
            .asSubclass(Runner.class)
            .getConstructor(ForkedTestConfig.class)
            .newInstance(new ForkedTestConfig(config));
    TestResult result = runner.run();
    result.setConfig(config);
    if (runner.forceExit() && result.status() == Status.NORMAL) {
      throw new AssertionError("threads are left over: " + name);
    }
    return result;
  }
}
