package dev.catnap.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A part of the proof lane: the tests of one module on one JDK.
 *
 * @param title what the page calls it
 * @param module the module's directory
 * @param reports where in {@code target} Surefire leaves what came out
 */
record Part(String title, String module, String reports) {
  private static final String REPORTS = "surefire-reports";

  /** In the order in which Maven runs them. */
  static final List<Part> ALL =
      List.of(
          new Part("Core", "core", REPORTS),
          new Part("Dispatcher, with the soak", "dispatcher", REPORTS),
          new Part("Scheduler of virtual threads, with the storms", "loom-scheduler", REPORTS),
          new Part("Agent, with the storms", "agent", REPORTS),
          new Part("Lincheck", "lincheck-tests", REPORTS),
          new Part("Lincheck on the older JDK", "lincheck-tests", "surefire-reports-jdk17"),
          new Part("JCStress", "jcstress-tests", REPORTS),
          new Part("TLC", "model-tests", REPORTS),
          new Part("Kill matrix", "kill-matrix", REPORTS),
          new Part("Benchmarks, every workload once on everybody", "benchmarks", REPORTS),
          new Part("Samples", "samples", REPORTS),
          new Part("This page", "proof", REPORTS));

  /**
   * What came out.
   *
   * @param part of which
   * @param classes of tests, in the order of their ends
   */
  record Result(Part part, List<TestReport> classes) {
    int tests() {
      return classes.stream().mapToInt(TestReport::tests).sum();
    }

    int skipped() {
      return classes.stream().mapToInt(TestReport::skipped).sum();
    }

    /** From the start of the first class to the end of the last one: some run two at a time. */
    Duration time() {
      Instant start = classes.stream().map(TestReport::start).min(Comparator.naturalOrder()).get();
      Instant end = classes.stream().map(TestReport::end).max(Comparator.naturalOrder()).get();
      return Duration.between(start, end);
    }

    /** What all classes counted together, by unit. */
    Map<String, Long> counted() {
      Map<String, Long> sums = new LinkedHashMap<>();
      for (TestReport report : classes) {
        report.counted().forEach((unit, n) -> sums.merge(unit, n, Long::sum));
      }
      return sums;
    }
  }

  /**
   * Reads what came out.
   *
   * @param root of the repository
   * @param since reports that are older are of another build
   * @param complaints gets a line for each class that failed, or that has no report of this build
   */
  Result read(Path root, Instant since, List<String> complaints) throws IOException {
    Path target = root.resolve(module).resolve("target");
    List<TestReport> classes = new ArrayList<>();
    for (String name : testClasses(target.resolve("test-classes"))) {
      Path file = target.resolve(reports).resolve("TEST-" + name + ".xml");
      if (!Files.exists(file) || Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
        complaints.add(title + ": " + name + " was not run");
        continue;
      }
      TestReport report = TestReport.read(file);
      if (report.failed() > 0) {
        complaints.add(title + ": " + name + ": " + report.failed() + " failed");
      }
      classes.add(report);
    }
    if (classes.isEmpty()) {
      complaints.add(title + ": nothing was run");
    }
    classes.sort(Comparator.comparing(TestReport::end));
    return new Result(this, classes);
  }

  /** Those that Surefire takes for tests here: a JVM that died leaves no report of the others. */
  private static TreeSet<String> testClasses(Path directory) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .map(file -> directory.relativize(file).toString())
            .filter(name -> name.endsWith("Test.class") && !name.contains("$"))
            .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
            .forEach(names::add);
      }
    }
    return names;
  }
}
