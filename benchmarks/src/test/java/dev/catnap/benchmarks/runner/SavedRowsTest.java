package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedRowsTest {
  @TempDir private Path folder;

  @Test
  void save_aRowThatRanAgain_replacesItselfAndNoOther() throws IOException {
    SavedRows rows = new SavedRows(folder.resolve("page.md"));
    rows.save(run("one", 1, 2, 0, 1));
    rows.save(run("two", 2, 1));
    List<RunData> saved = rows.readAll();
    assertEquals(
        List.of(List.of(Rows.ALL.get(0)), List.of(Rows.ALL.get(1)), List.of(Rows.ALL.get(2))),
        saved.stream().map(RunData::rows).toList());
    assertEquals(
        List.of("one", "two", "one"),
        saved.stream().map(run -> run.environment().get("commit")).toList());
    assertEquals(List.of(1.0, 2.0, 1.0), saved.stream().map(SavedRowsTest::time).toList());
  }

  @Test
  void readAll_nothingSaved_noRows() throws IOException {
    assertEquals(List.of(), new SavedRows(folder.resolve("page.md")).readAll());
  }

  @Test
  void readAll_aFileOfOtherRows_refused() throws IOException {
    SavedRows rows = new SavedRows(folder.resolve("page.md"));
    rows.save(run("one", 1, 0));
    Files.writeString(
        folder.resolve("results").resolve(Rows.ALL.get(0).id() + ".json"),
        "{\"environment\": {}, \"cases\": [{\"row\": \"X9\", \"case\": \"\"}]}");
    assertThrows(IllegalArgumentException.class, rows::readAll);
  }

  @Test
  void save_aShortRun_replacesNothingThatWasMeasured() throws IOException {
    SavedRows rows = new SavedRows(folder.resolve("page.md"));
    RunData measured = run("measured", 1, 0);
    rows.save(shortRun("short", 1));
    rows.save(measured);
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> rows.save(shortRun("short", 1, 0)))
            .getMessage();
    assertTrue(refusal.contains(Rows.ALL.get(0).id() + ".json"), refusal);
    assertEquals(
        List.of("measured", "short"),
        rows.readAll().stream().map(run -> run.environment().get("commit")).toList());
    rows.save(shortRun("again", 1));
    rows.save(run("measured", 2, 1));
    assertFalse(rows.readAll().stream().anyMatch(RunData::quick));
  }

  private static double time(RunData run) {
    Measured measured = run.outcomes().get(0).measured();
    return measured.figures(measured.program().lineup().subject(), Metric.TIME)[0];
  }

  private static RunData shortRun(String commit, int... rows) {
    RunData run = run(commit, 1, rows);
    return new RunData(run.environment(), true, run.outcomes());
  }

  private static RunData run(String commit, double time, int... rows) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int index : rows) {
      Row row = Rows.ALL.get(index);
      for (Case program : row.cases()) {
        Measured measured = new Measured(program, 2, 1);
        for (Peer peer : program.lineup().all()) {
          measured.add(peer, new Fork(Map.of(Metric.TIME, time)));
        }
        outcomes.add(new Outcome(row, measured));
      }
    }
    return new RunData(Map.of("commit", commit), false, outcomes);
  }
}
