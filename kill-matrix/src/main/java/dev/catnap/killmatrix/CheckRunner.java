package dev.catnap.killmatrix;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Timer;
import java.util.TimerTask;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The main class of the JVM in which a mutant is checked: its classes come first on the class path.
 * Exits at the first failure.
 */
final class CheckRunner {
  /** Before the message of what failed, on the last line. */
  static final String VERDICT = "verdict: ";

  /** Before what the check may explore. */
  static final String BUDGET = "budget: ";

  /** For one test; twice what the longest takes where nothing is wrong. */
  private static final int TEST_SECONDS = 40;

  static final int SURVIVED = 0;
  static final int KILLED = 10;

  private CheckRunner() {}

  public static void main(String[] args) throws Exception {
    Check.Checker checker = Check.Checker.valueOf(args[0]);
    printBudget("one run");
    String failure =
        switch (checker) {
          case LINCHECK, LINCHECK17 -> runLincheck(args[1]);
          case UNIT -> runUnitTests(args[1]);
          case JCSTRESS -> runStressTests(args[1]);
          case TLC -> throw new IllegalArgumentException("the model is checked by its own module");
        };
    end(failure);
  }

  private static void end(String failure) {
    System.out.println();
    System.out.println(VERDICT + (failure.isEmpty() ? "nothing noticed" : failure));
    System.out.flush();
    // Not exit: whatever threads the mutant has left behind must not hold this up.
    Runtime.getRuntime().halt(failure.isEmpty() ? SURVIVED : KILLED);
  }

  // ---- Lincheck
  // ----------------------------------------------------------------------------------

  /**
   * Calls the test methods as they are, without the canaries before them: these show that Lincheck
   * sees, and the unchanged classes have shown that in the suite's own run.
   */
  private static String runLincheck(String selection) throws ReflectiveOperationException {
    int hash = selection.indexOf('#');
    String method = hash < 0 ? "" : selection.substring(hash + 1);
    Class<?> suite =
        Class.forName(
            "dev.catnap.lincheck." + (hash < 0 ? selection : selection.substring(0, hash)));
    Constructor<?> constructor = suite.getDeclaredConstructor();
    constructor.setAccessible(true);
    Method[] methods = suite.getDeclaredMethods();
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    int invocations = constant(suite, "INVOCATIONS");
    int scenarios = constant(suite, "SCENARIOS");
    printBudget(
        scenarios == 0
            ? deep(invocations) + " interleavings"
            : deep(scenarios) + " scenarios x " + invocations + " interleavings");
    int found = 0;
    for (Method m : methods) {
      if (!m.isAnnotationPresent(Test.class) || !(method.isEmpty() || m.getName().equals(method))) {
        continue;
      }
      found++;
      m.setAccessible(true);
      try {
        m.invoke(constructor.newInstance());
      } catch (InvocationTargetException e) {
        Throwable cause = e.getCause();
        if (!(cause instanceof AssertionError)) {
          throw e;
        }
        return m.getName() + ": " + firstLine(cause);
      }
    }
    if (found == 0) {
      throw new IllegalArgumentException("no such test: " + selection);
    }
    return "";
  }

  /** As the suites do. */
  private static long deep(int invocations) {
    double depth = Double.parseDouble(System.getProperty("catnap.lincheck.depth", "1"));
    return Math.max(1, Math.round(invocations * depth));
  }

  private static int constant(Class<?> suite, String name) throws IllegalAccessException {
    for (Field f : suite.getDeclaredFields()) {
      if (f.getName().equals(name)) {
        f.setAccessible(true);
        return f.getInt(null);
      }
    }
    return 0;
  }

  private static void printBudget(String budget) {
    System.out.println();
    System.out.println(BUDGET + budget);
  }

  /** Lincheck frames its first line: "= Invalid execution results =". */
  private static String firstLine(Throwable failure) {
    String text = String.valueOf(failure.getMessage());
    String first = text.lines().filter(l -> !l.isBlank()).findFirst().orElse("");
    return first.replace("=", "").strip();
  }

  // ---- JCStress
  // ----------------------------------------------------------------------------------

  /** A race of one in some thousands is not seen in every run, which is a fraction of a second. */
  private static final int STRESS_RUNS = 30;

  private static String runStressTests(String selection) throws ClassNotFoundException {
    System.setProperty("catnap.jcstress.tests", selection);
    printBudget(STRESS_RUNS + " short runs");
    for (int i = 0; i < STRESS_RUNS; i++) {
      runUnitTests("jcstress.StressTest");
    }
    return "";
  }

  // ---- unit tests
  // --------------------------------------------------------------------------------

  private static String runUnitTests(String selection) throws ClassNotFoundException {
    int hash = selection.indexOf('#');
    Class<?> test =
        Class.forName("dev.catnap." + (hash < 0 ? selection : selection.substring(0, hash)));
    var request = LauncherDiscoveryRequestBuilder.request();
    if (hash < 0) {
      request.selectors(selectClass(test));
    } else {
      Method method =
          Arrays.stream(test.getDeclaredMethods())
              .filter(m -> m.getName().equals(selection.substring(hash + 1)))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("no such test: " + selection));
      request.selectors(selectMethod(test, method));
    }
    LauncherDiscoveryRequest built = request.build();
    FirstFailure listener = new FirstFailure();
    LauncherFactory.create().execute(built, listener);
    if (listener.tests == 0) {
      throw new IllegalArgumentException("no such test: " + selection);
    }
    return "";
  }

  /**
   * Ends the JVM at the first failure: with a mutant, each further test may wait for its deadline.
   * And if a test hangs, in the end of a scheduler for example, which has no deadline.
   */
  private static final class FirstFailure implements TestExecutionListener {
    int tests;

    /** Before the tests, which look for threads that are left. */
    private final Timer watchdog = new Timer("watchdog", true);

    private TimerTask hang = new Hang("nothing");

    @Override
    public void executionStarted(TestIdentifier test) {
      if (test.isTest()) {
        hang = new Hang(test.getDisplayName());
        watchdog.schedule(hang, TEST_SECONDS * 1_000L);
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        hang.cancel();
        tests++;
      }
      result
          .getThrowable()
          .ifPresent(
              thrown ->
                  end(
                      test.getDisplayName()
                          + ": "
                          + String.valueOf(thrown.getMessage()).lines().findFirst().orElse("")));
    }
  }

  private static final class Hang extends TimerTask {
    private final String test;

    Hang(String test) {
      this.test = test;
    }

    @Override
    public void run() {
      end(test + ": did not end within " + TEST_SECONDS + " s");
    }
  }
}
