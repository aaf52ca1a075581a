package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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

class SavedRunTest {
  @TempDir private Path folder;

  @Test
  void read_everyCase_nothingLost() throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    for (Row row : Rows.ALL) {
      for (Case program : row.cases()) {
        Measured measured = new Measured(program, 8, 2);
        for (Peer peer : program.lineup().all()) {
          measured.add(peer, new Fork(Map.of(Metric.TIME, 1.5e-7, Metric.CPU, Double.NaN)));
        }
        outcomes.add(new Outcome(row, measured));
      }
    }
    RunData data = new RunData(Map.of("command", "a \"b\" \\ c"), true, outcomes);
    String written = write(data);
    assertEquals(written, write(SavedRun.read(folder.resolve("raw.json"))));
  }

  @Test
  void read_otherRows_refused() throws IOException {
    Path file = folder.resolve("raw.json");
    Files.writeString(
        file, "{\"environment\": {}, \"cases\": [{\"row\": \"X9\", \"case\": \"\"}]}");
    assertThrows(IllegalArgumentException.class, () -> SavedRun.read(file));
  }

  @Test
  void readAll_laterRunsReplaceCasesOfEarlierOnes() throws IOException {
    Path earlier = folder.resolve("earlier.json");
    Path later = folder.resolve("later.json");
    RawData.write(earlier, run("one", 1, Rows.ALL.get(0), Rows.ALL.get(1)), List.of());
    RawData.write(later, run("two", 2, Rows.ALL.get(1)), List.of());
    RunData both = SavedRun.readAll(List.of(earlier, later));
    assertEquals(Map.of("commit", "one; then two"), both.environment());
    assertEquals(
        Rows.ALL.get(0).cases().size() + Rows.ALL.get(1).cases().size(), both.outcomes().size());
    for (Outcome outcome : both.outcomes()) {
      Peer subject = outcome.measured().program().lineup().subject();
      assertEquals(
          outcome.row().equals(Rows.ALL.get(0)) ? 1 : 2,
          outcome.measured().figures(subject, Metric.TIME)[0]);
    }
  }

  private static RunData run(String commit, double time, Row... rows) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Row row : rows) {
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

  private String write(RunData data) throws IOException {
    Path file = folder.resolve("raw.json");
    RawData.write(file, data, List.of());
    return Files.readString(file);
  }
}
