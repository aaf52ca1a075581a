package dev.catnap.killmatrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A check that no mutant fails proves nothing: this is the check of the checks. */
class KillMatrixTest {
  /** A JVM each; Lincheck runs one thread at a time. */
  private static final int JOBS = Math.max(1, Runtime.getRuntime().availableProcessors());

  private static final Path ROOT = Path.of(System.getProperty("catnap.root", ".."));
  private static final Path PAGE = ROOT.resolve("docs/kill-matrix.md");
  private static final boolean FOR_PAGE =
      System.getProperty("catnap.killmatrix", "steps").equals("page");
  private static final String ONLY = System.getProperty("catnap.killmatrix.only", ".*");

  private final KillMatrix matrix =
      new KillMatrix(ROOT, Path.of("target", "mutants").toAbsolutePath(), JOBS);

  /** In the gate by a killer that is deterministic; for the page by each. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void everyMutantIsNoticedByItsKillers() throws IOException, InterruptedException {
    List<Mutant> mutants = new ArrayList<>();
    for (Mutant m : all()) {
      if (m.name().matches(ONLY)) {
        mutants.add(m);
      }
    }
    matrix.compile(mutants); // also those that the gate does not run: their edits must fit
    List<Mutant> run =
        FOR_PAGE
            ? mutants
            : mutants.stream()
                .map(Mutant::withOneDeterministicKiller)
                .flatMap(Optional::stream)
                .toList();

    Map<Check, Check.Outcome> controls = matrix.controls(run);
    List<String> broken = new ArrayList<>();
    controls.forEach(
        (check, outcome) -> {
          if (!outcome
              .how()
              .equals(CheckRunner.NOTHING)) { // noticed something, or could not be run
            broken.add(check + ": " + outcome.how());
          }
        });
    assertEquals(List.of(), broken, "checks that do not pass on the unchanged code");

    List<KillMatrix.Row> rows = matrix.run(run, controls, KillMatrixTest::print);
    List<String> unnoticed = new ArrayList<>();
    for (KillMatrix.Row row : rows) {
      row.outcomes()
          .forEach(
              (check, outcome) -> {
                if (!outcome.killed()) {
                  unnoticed.add(row.mutant().name() + " by " + check + ": " + outcome.how());
                }
              });
    }
    assertEquals(List.of(), unnoticed);
    if (FOR_PAGE) {
      Files.writeString(PAGE, Page.of(all(), rows, controls, Files.readAllLines(PAGE)));
    }
    int kills = rows.stream().mapToInt(row -> row.outcomes().size()).sum();
    System.out.println("covered: " + rows.size() + " mutants");
    System.out.println("covered: " + kills + " kills");
    System.out.println("covered: " + controls.size() + " controls");
  }

  /** The proof lane writes the page; whoever adds or changes a mutant runs that one by it. */
  @Test
  void thePageHasEveryMutantAndNoOther() throws IOException {
    List<String> mutants = all().stream().map(Page::description).toList();
    if (!FOR_PAGE) { // then it is being written
      assertEquals(mutants, Page.describedIn(Files.readAllLines(PAGE)));
    }
  }

  private static List<Mutant> all() throws IOException {
    List<Mutant> mutants = MutantFile.readAll(ROOT.resolve("kill-matrix/mutants"));
    Set<String> names = new HashSet<>();
    for (Mutant m : mutants) {
      assertTrue(names.add(m.name()), "two mutants are called " + m.name());
    }
    return mutants;
  }

  private static void print(KillMatrix.Row row) {
    StringBuilder text = new StringBuilder();
    row.outcomes()
        .forEach(
            (check, outcome) ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "%-40s %5.1f s  %s: %s%n",
                        row.mutant().name(),
                        outcome.seconds(),
                        check,
                        outcome.how())));
    System.out.print(text);
  }
}
