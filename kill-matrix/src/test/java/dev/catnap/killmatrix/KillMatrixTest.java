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
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A check that no mutant fails proves nothing: this is the check of the checks. */
class KillMatrixTest {
  /** A JVM each; Lincheck runs one thread at a time. */
  private static final int JOBS = Math.max(1, Runtime.getRuntime().availableProcessors());

  private static final Path ROOT = Path.of(System.getProperty("catnap.root", ".."));
  private static final boolean FOR_PAGE =
      System.getProperty("catnap.killmatrix", "build").equals("page");
  private static final String ALL = ".*";
  private static final String ONLY = System.getProperty("catnap.killmatrix.only", ALL);

  @Test
  void everyMutantIsNoticedByEachOfItsKillers() throws IOException, InterruptedException {
    List<Mutant> mutants = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Mutant m : MutantFile.readAll(ROOT.resolve("kill-matrix/mutants"))) {
      assertTrue(names.add(m.name()), "two mutants are called " + m.name());
      if (m.name().matches(ONLY)) {
        mutants.add(FOR_PAGE ? m : m.withOneKiller());
      }
    }
    Path work = Path.of("target", "mutants").toAbsolutePath();
    List<KillMatrix.Row> rows =
        new KillMatrix(ROOT, work).run(mutants, JOBS, KillMatrixTest::print);
    if (FOR_PAGE && ONLY.equals(ALL)) {
      Files.writeString(ROOT.resolve("docs/kill-matrix.md"), Page.of(rows));
    }
    List<String> unnoticed = new ArrayList<>();
    for (KillMatrix.Row row : rows) {
      row.outcomes()
          .forEach(
              (check, outcome) -> {
                if (!outcome.killed()) {
                  unnoticed.add(row.mutant().name() + " by " + check);
                }
              });
    }
    assertEquals(List.of(), unnoticed);
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
