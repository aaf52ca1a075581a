package dev.catnap.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.model.Configuration.Search;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * TLC finds in every configuration of {@code docs/model} what its first line says: nothing in the
 * protocol as it is, and in each known wrong version the violation that it is known for. Prints a
 * table, and leaves it in {@code target/model/table.md} beside the output of each run.
 *
 * <p>{@code -Dcatnap.model} says which: {@code changed}, those of the build that differ from what
 * is on record as {@link Verified}, but for those that take long; {@code build}, all of them, and
 * then puts them on record; {@code full}, the larger ones as well; or the name of one.
 */
class ModelTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "."));
  private static final Path MODEL = BASE.resolve("../docs/model").normalize();
  private static final Path OUTPUTS = BASE.resolve("target/model");
  private static final String CHOICE = System.getProperty("catnap.model", "changed");

  /** Two processes with one worker each take less time than one with two: most runs are short. */
  private static final int AT_ONCE = 2;

  /**
   * A run of the gate takes seconds, half a minute at most, and the longest of the build three
   * minutes: some times that, on a busy machine. A full one takes hours.
   */
  private static final long TIMEOUT_MINUTES =
      switch (CHOICE) {
        case "changed" -> 5;
        case "build" -> 20;
        default -> 600;
      };

  private static final ExecutorService EXECUTOR = Executors.newFixedThreadPool(AT_ONCE);
  private static final List<Tlc.Result> RESULTS = new ArrayList<>();

  @TestFactory
  Stream<DynamicTest> everyConfigurationHasTheOutcomeThatItExpects() throws IOException {
    Files.createDirectories(OUTPUTS);
    Tlc tlc = new Tlc(OUTPUTS, TIMEOUT_MINUTES);
    List<Configuration> chosen = chosen();
    if (chosen.isEmpty() && !CHOICE.equals("changed")) {
      throw new IllegalArgumentException("-Dcatnap.model=" + CHOICE + " names no configuration");
    }
    List<DynamicTest> tests = new ArrayList<>();
    for (Configuration c : chosen) {
      Future<Tlc.Result> run = EXECUTOR.submit(() -> tlc.run(c));
      tests.add(
          DynamicTest.dynamicTest(
              c.name(),
              () -> {
                Tlc.Result result = run.get();
                RESULTS.add(result);
                assertEquals(c.expected(), result.outcome(), c.name());
                System.out.println("covered: 1 configurations");
                System.out.println("covered: " + result.states() + " distinct states");
              }));
    }
    return tests.stream();
  }

  private static List<Configuration> chosen() throws IOException {
    Verified verified = Verified.read(MODEL);
    List<Configuration> chosen = new ArrayList<>();
    for (Configuration c : Configuration.allIn(MODEL)) {
      boolean isChosen =
          switch (CHOICE) {
            case "changed" ->
                c.inBuild() && c.search() != Search.ALL_LONG && !verified.isUnchanged(c);
            case "build" -> c.inBuild();
            case "full" -> true;
            default -> c.name().equals(CHOICE);
          };
      if (isChosen) {
        chosen.add(c);
      }
    }
    return chosen;
  }

  /** TLC looks only where a configuration points it. */
  @Test
  void everyModuleIsPartOfAConfiguration_andTheRecordNamesOnlyWhatIsThere() throws IOException {
    TreeSet<Path> used = new TreeSet<>();
    for (Configuration c : Configuration.allIn(MODEL)) {
      used.addAll(c.files());
    }
    try (Stream<Path> files = Files.list(MODEL)) {
      assertEquals(
          List.of(),
          files.filter(f -> f.toString().endsWith(".tla") && !used.contains(f)).toList());
    }
    assertEquals(List.of(), Verified.read(MODEL).missing());
  }

  @AfterAll
  static void keepWhatCameOut() throws IOException {
    EXECUTOR.shutdownNow();
    List<Configuration> verified =
        RESULTS.stream().filter(Tlc.Result::isExpected).map(Tlc.Result::configuration).toList();
    if (CHOICE.equals("build")) {
      Verified.write(MODEL, verified);
    }
    if (!RESULTS.isEmpty()) {
      printTable();
    }
  }

  private static void printTable() throws IOException {
    StringBuilder table = new StringBuilder("| configuration | outcome | states | seconds |\n");
    table.append("|---|---|---:|---:|\n");
    for (Tlc.Result r : RESULTS) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %s%s | %,d | %.1f |%n",
              r.configuration().name(),
              r.outcome(),
              r.isExpected() ? "" : ", **expected: " + r.configuration().expected() + "**",
              r.states(),
              r.seconds()));
    }
    Files.writeString(OUTPUTS.resolve("table.md"), table);
    System.out.println(table);
  }
}
