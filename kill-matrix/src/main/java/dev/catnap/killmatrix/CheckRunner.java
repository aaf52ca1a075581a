package dev.catnap.killmatrix;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
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

  /** The verdict if nothing failed. */
  static final String NOTHING = "nothing noticed";

  /** Before what the check may explore. */
  static final String BUDGET = "budget: ";

  static final int SURVIVED = 0;
  static final int KILLED = 10;

  private CheckRunner() {}

  public static void main(String[] args) throws Exception {
    Check.Checker checker = Check.Checker.valueOf(args[0]);
    printBudget("one run");
    String failure =
        switch (checker) {
          case LINCHECK, LINCHECK17 -> runLincheck(args[1]);
          case STEPS, UNIT, INTERPRETED -> runUnitTests(args[1]);
          case JCSTRESS -> runStressTests(args[1]);
          case TLC -> throw new IllegalArgumentException("the model is checked by its own module");
        };
    end(failure);
  }

  private static void end(String failure) {
    System.out.println();
    System.out.println(VERDICT + (failure.isEmpty() ? NOTHING : failure));
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
        (scenarios == 0 ? "" : scenarios + " scenarios x ") + invocations + " interleavings");
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
        if (cause == null
            || !(cause instanceof AssertionError || isFailureThatCannotBePrinted(cause))) {
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

  /** Lincheck has noticed something, and throws while it puts the report of that together. */
  static boolean isFailureThatCannotBePrinted(Throwable t) {
    return Arrays.stream(t.getStackTrace())
        .anyMatch(frame -> frame.getClassName().endsWith(".strategy.LincheckFailure"));
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

  /** The property that says how long to go on; 0: one run. */
  static final String STRESS_SECONDS = "catnap.killmatrix.stress.seconds";

  /** A race of one in some thousands is not seen in every run, which is a fraction of a second. */
  private static String runStressTests(String selection) throws ClassNotFoundException {
    System.setProperty("catnap.jcstress.tests", selection);
    long seconds = Long.getLong(STRESS_SECONDS, 0);
    printBudget("short runs for " + seconds + " s");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    do {
      runUnitTests("jcstress.StressTest");
    } while (System.nanoTime() - end < 0);
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
   */
  private static final class FirstFailure implements TestExecutionListener {
    int tests;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        tests++;
      }
      result.getThrowable().ifPresent(thrown -> end(name(test) + ": " + inShort(thrown)));
    }

    /** The method: of one with parameters, the display name is these alone. */
    private static String name(TestIdentifier test) {
      return test.getSource()
          .filter(MethodSource.class::isInstance)
          .map(source -> ((MethodSource) source).getMethodName())
          .orElseGet(test::getDisplayName);
    }

    private static String inShort(Throwable thrown) {
      String message = thrown.getMessage();
      String text = message == null ? thrown.getClass().getName() : message;
      return text.lines().findFirst().orElse("");
    }
  }
}
