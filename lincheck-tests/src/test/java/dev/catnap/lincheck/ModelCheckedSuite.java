package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * What the suites share. Each begins with the canaries of the ways in which its checks reach shared
 * state: a suite in which a canary survives proves nothing, whatever else passes. Lincheck is one
 * check at a time per JVM; the build gives each class a JVM of its own.
 */
abstract class ModelCheckedSuite {
  /**
   * {@code -Dcatnap.lincheck.depth=20} explores twenty times as many interleavings as a suite
   * names; the gate a quarter of them, the proof lane four times as many.
   */
  private static final double DEPTH =
      Double.parseDouble(System.getProperty("catnap.lincheck.depth", "1"));

  private static boolean depthIsPrinted;

  /** Explores so many interleavings of {@code block}, or all if there are fewer. */
  static void explore(int invocations, Runnable block) {
    Runnable counted =
        () -> {
          Explored.one();
          block.run();
        };
    printCovered(() -> run(deep(invocations), counted));
  }

  /** The same for a race that must be reported, however shallow the run is otherwise. */
  static void exploreCanary(int invocations, Runnable block) {
    run(invocations, block);
  }

  /**
   * Lincheck changes a class when code that it has changed comes to use it. The code behind {@code
   * Parker.LOCK_SUPPORT} it has not, so a timer thread may be the first to park, and does so for
   * real: the others wait for it until the run is given up as hung.
   */
  private static void run(int invocations, Runnable block) {
    Lincheck.runConcurrentTest(
        invocations,
        () -> {
          LockSupport.unpark(null); // uses it
          block.run();
        });
  }

  /**
   * A canary for the end of a pool. Nothing but the explorer switches threads there, or all that
   * waits would have run, and most races with the end would be out of reach: a loop of ten turns is
   * enough, which Lincheck takes for a wait.
   *
   * @param end ends a pool and returns what it takes back
   */
  static void assertTasksComeBack(
      int invocations, Function<WorkStealingScheduler, List<Runnable>> end) {
    Runnable noneComesBack =
        () -> {
          ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
          checked.scheduler().execute(() -> {});
          List<Runnable> takenBack = end.apply(checked.scheduler());
          checked.close();
          check(takenBack.isEmpty(), "came back", takenBack);
        };
    Canary.assertReported("came back", () -> exploreCanary(invocations, noneComesBack));
  }

  /** So many scenarios of the operations behave as the specification does. */
  static void checkLinearizable(
      ModelCheckingOptions options, int scenarios, Class<?> operations, Class<?> specification) {
    options
        .iterations(deep(scenarios))
        .verifier(CountingVerifier.class)
        .sequentialSpecification(specification);
    printCovered(() -> options.check(operations));
  }

  /** For the page of the proof lane, which adds them up. */
  private static void printCovered(Runnable exploration) {
    long before = Explored.sum();
    exploration.run();
    System.out.println("covered: " + (Explored.sum() - before) + " interleavings");
    if (!depthIsPrinted) {
      System.out.println("covered: depth " + DEPTH); // here: reports drop what @AfterAll prints
      depthIsPrinted = true;
    }
  }

  private static int deep(int invocations) {
    return (int) Math.max(1, Math.round(invocations * DEPTH));
  }

  /** Runs it on another thread, one that Lincheck follows on every JDK. */
  static Thread startElsewhere(Runnable block) {
    Thread other = Submitter.start(Runnable::run, block);
    return other;
  }

  /** A declared blocking section. */
  static void block(WorkStealingScheduler scheduler, Runnable section) {
    try {
      scheduler.blocking(
          () -> {
            section.run();
            return true;
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The message is put together only on failure: Lincheck runs instrumented string code slowly. */
  static void check(boolean condition, String what, Object seen) {
    if (!condition) {
      throw new AssertionError(what + ": " + seen);
    }
  }
}
