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
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** A JVM each; Lincheck runs one thread at a time, and a third of the others waits in vain. */
  private static final int JOBS = (3 * PROCESSORS + 1) / 2;

  private static final Path ROOT = Path.of(System.getProperty("catnap.root", ".."));
  private static final Mode MODE =
      Mode.valueOf(System.getProperty("catnap.killmatrix", "build").toUpperCase(Locale.ROOT));
  private static final String ALL = ".*";
  private static final String ONLY = System.getProperty("catnap.killmatrix.only", ALL);

  private enum Mode {
    /** All are made; one for each step of each class is run, against its first check. */
    BUILD,
    /** Each against its first check. */
    EACH,
    /** Each against all its checks. */
    PAGE
  }

  @Test
  void everyMutantIsNoticedByEachOfItsKillers() throws IOException, InterruptedException {
    List<Mutant> made = new ArrayList<>();
    List<Mutant> mutants = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<List<String>> steps = new HashSet<>();
    for (Mutant m : MutantFile.readAll(ROOT.resolve("kill-matrix/mutants"))) {
      assertTrue(names.add(m.name()), "two mutants are called " + m.name());
      if (m.name().matches(ONLY)) {
        made.add(m);
        boolean first = steps.add(List.of(m.edits().get(0).file(), m.step()));
        if (first || MODE != Mode.BUILD || !ONLY.equals(ALL)) {
          mutants.add(MODE == Mode.PAGE ? m : m.withOneKiller());
        }
      }
    }
    Path work = Path.of("target", "mutants").toAbsolutePath();
    KillMatrix matrix = new KillMatrix(ROOT, work);
    matrix.compile(made, PROCESSORS);
    List<KillMatrix.Row> rows = matrix.run(mutants, JOBS, KillMatrixTest::print);
    if (MODE == Mode.PAGE && ONLY.equals(ALL)) {
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
