package dev.catnap.jcstress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the JCStress tests, and fails for each that saw a forbidden outcome or could not be run, and
 * for each canary whose race was not seen. {@code -Dcatnap.jcstress.mode} selects:
 *
 * <ul>
 *   <li>{@code gate}: all but the canaries in this JVM, a moment each; red only if something is
 *       broken, for whether a race is seen is luck;
 *   <li>{@code short}: all in this JVM, a fraction of a second each;
 *   <li>{@code long}: each in JVMs of its own, several times, as JCStress does it.
 * </ul>
 *
 * {@code -Dcatnap.jcstress.tests} is a regular expression that selects tests by name.
 */
class StressTest {
  private static final String CANARIES = "dev.catnap.jcstress.canary.";

  /** Not sure to be seen in one JVM: for the long mode only, see there. */
  private static final String LONG_CANARIES = CANARIES + "CompilerReorders.";

  private static final int GATE_MILLIS = 20;
  private static final int SHORT_MILLIS = 50;

  /** Seen within one, mostly; with five times as many busy threads as processors, within three. */
  private static final int CANARY_RUNS = 30;

  /** The long mode runs all tests in here. */
  @TestFactory
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  Stream<DynamicTest> stress() throws Exception {
    String tests = System.getProperty("catnap.jcstress.tests", ".");
    String mode = System.getProperty("catnap.jcstress.mode", "short");
    return switch (mode) {
      case "gate" ->
          names(tests).stream()
              .filter(name -> !name.startsWith(CANARIES))
              .map(
                  name ->
                      DynamicTest.dynamicTest(
                          name, () -> check(name, List.of(ShortRun.run(name, GATE_MILLIS)))));
      case "short" ->
          names(tests).stream()
              .filter(name -> !name.startsWith(LONG_CANARIES))
              .map(name -> DynamicTest.dynamicTest(name, () -> runAndCheck(name)));
      case "long" -> {
        Map<String, List<TestResult>> results =
            LongRun.run(tests).stream()
                .collect(
                    Collectors.groupingBy(TestResult::getName, TreeMap::new, Collectors.toList()));
        assertEquals(names(tests), results.keySet(), "tests that were run");
        yield results.entrySet().stream()
            .map(
                e ->
                    DynamicTest.dynamicTest(
                        e.getKey(), () -> checkOrRunAgain(e.getKey(), e.getValue())));
      }
      default -> throw new IllegalArgumentException("catnap.jcstress.mode: " + mode);
    };
  }

  /** Tests in which the regular expression is found. */
  private static SortedSet<String> names(String regex) {
    Pattern pattern = Pattern.compile(regex);
    SortedSet<String> names = new TreeSet<>(TestList.tests());
    names.removeIf(name -> !pattern.matcher(name).find());
    return names;
  }

  /** A canary gets some more time if its race was not seen at once: other load delays it. */
  private static void runAndCheck(String name) throws Exception {
    List<TestResult> results = new ArrayList<>();
    int most = name.startsWith(CANARIES) ? CANARY_RUNS : 1;
    do {
      results.add(ShortRun.run(name, SHORT_MILLIS));
    } while (results.size() < most && results.stream().noneMatch(r -> r.grading().hasInteresting));
    check(name, results);
  }

  private static void checkOrRunAgain(String name, List<TestResult> results) throws Exception {
    if (name.startsWith(CANARIES) && results.stream().noneMatch(r -> r.grading().hasInteresting)) {
      results.addAll(LongRun.runAgain(name));
    }
    check(name, results);
  }

  private static void check(String name, Collection<TestResult> results) {
    long samples = 0;
    long interesting = 0;
    for (TestResult result : results) {
      assertEquals(
          Status.NORMAL,
          result.status(),
          () -> "could not be run: " + result.getMessages() + result.getVmErr());
      String observed =
          result.grading().gradingResults.values().stream()
              .map(g -> "\n  " + g.id + "  x" + g.count + "  " + g.expect + ": " + g.description)
              .collect(Collectors.joining());
      assertTrue(result.grading().isPassed, () -> "forbidden outcome:" + observed);
      for (GradingResult g : result.grading().gradingResults.values()) {
        samples += g.count;
        if (g.expect == Expect.ACCEPTABLE_INTERESTING) {
          interesting += g.count;
        }
      }
    }
    assertFalse(samples == 0, "nothing was observed");
    System.out.println("covered: " + samples + " samples");
    if (name.startsWith(CANARIES)) {
      System.out.println(name + ": the race was seen " + interesting + " times in " + samples);
      assertTrue(interesting > 0, "the race was not seen in " + samples + ": this run is blind");
    }
  }
}
