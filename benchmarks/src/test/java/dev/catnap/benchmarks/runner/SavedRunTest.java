package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
    var refused = assertThrows(IllegalArgumentException.class, () -> SavedRun.read(file));
    assertTrue(refused.getMessage().contains("raw.json"), refused.getMessage());
    assertTrue(refused.getMessage().contains("X9"), refused.getMessage());
  }

  private String write(RunData data) throws IOException {
    Path file = folder.resolve("raw.json");
    RawData.write(file, data, List.of());
    return Files.readString(file);
  }
}
