package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  private static final int FORKS = 3;

  @TempDir private Path folder;

  @Test
  void write_everyRow_inSummaryAndPlotted() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    for (Row row : Rows.ALL) {
      for (Case program : row.cases()) {
        boolean several = program.equals(row.cases().get(0));
        for (int workers : program.workers(several ? List.of(2, 64) : List.of(2))) {
          outcomes.add(new Outcome(row, measured(program, workers)));
        }
      }
    }
    String page = write(new RunData(Map.of(), false, outcomes));
    for (Row row : Rows.ALL) {
      String line = "\n| %-3s |".formatted(row.id());
      assertTrue(page.contains(line), line);
      for (String plot : List.of(row.id() + ".svg", row.id() + "-workers.svg")) {
        if (page.contains(plot.toLowerCase(Locale.ROOT))) {
          parse(folder.resolve("plots").resolve(plot.toLowerCase(Locale.ROOT)));
        }
      }
    }
    assertFalse(page.contains("not run"), page);
    assertTrue(page.contains("\n| S1  | geometric mean of C rows"), page);
    assertTrue(page.contains("\n## S1: every C and V row"), page);
    assertTrue(page.contains("1,000 tasks, 64 workers, p50: catnap / catnap with 2"), page);
  }

  @Test
  void write_nativePeers_shownAndOnlyRayonJudged() throws IOException {
    Row row = Rows.ALL.stream().filter(r -> r.id().equals("J1")).findFirst().orElseThrow();
    Measured measured = measured(row.cases().get(0), 2);
    for (int fork = 0; fork < FORKS; fork++) {
      measured.add(NativePeer.RAYON, new Fork(Map.of(Metric.TIME, 1.0, Metric.CPU, 2.0)));
    }
    RunData data = new RunData(Map.of(), false, List.of(new Outcome(row, measured)));
    Path raw = folder.resolve("raw.json");
    RawData.write(raw, data, List.of());
    String page = write(SavedRun.read(raw));
    assertTrue(page.contains("| rayon (native) |"), page);
    assertTrue(line(page, "time: catnap / rayon").matches(".*<= 1.5 *\\| *missed *\\|"), page);
    assertTrue(line(page, "CPU: catnap / rayon").matches(".*\\| *- *\\| *- *\\|"), page);
    assertFalse(page.contains("best peer (rayon)"), page);
    assertTrue(
        Files.readString(folder.resolve("plots").resolve("j1.svg")).contains("rayon"), "plotted");
  }

  @Test
  void write_noNativePeers_notMentioned() throws IOException {
    Row row = Rows.ALL.stream().filter(r -> r.id().equals("J1")).findFirst().orElseThrow();
    Outcome outcome = new Outcome(row, measured(row.cases().get(0), 2));
    assertFalse(write(new RunData(Map.of(), false, List.of(outcome))).contains("rayon"));
  }

  @Test
  void write_oneRowOneFailed_restSaysSo() throws IOException {
    Row row = Rows.ALL.get(0);
    Measured failed = new Measured(row.cases().get(1), 2, FORKS);
    String page =
        write(
            new RunData(
                Map.of("jdk", "25"),
                true,
                List.of(
                    new Outcome(row, measured(row.cases().get(0), 2)), new Outcome(row, failed))));
    assertTrue(page.contains("| jdk         | 25  |"), page);
    assertTrue(page.contains("the figures mean nothing"), page);
    assertTrue(page.contains("| forks failed "), page);
    assertTrue(page.contains("| not run: needs --workers 2,8,64 "), page);
    assertFalse(page.contains("| met"), page);
  }

  private static String line(String page, String text) {
    return page.lines().filter(line -> line.contains(text)).findFirst().orElseThrow();
  }

  @Test
  void write_rowsOfSeveralRuns_whatDiffersIsToldOfEach() throws IOException {
    String page =
        write(
            run(0, Map.of("commit", "a", "jdk", "25")),
            run(1, Map.of("commit", "b", "jdk", "25")),
            run(2, Map.of("commit", "a", "jdk", "25")));
    assertTrue(page.contains("| jdk         | 25  |"), page);
    assertTrue(page.contains("| C1, C3 | a      |"), page);
    assertTrue(page.contains("| C2     | b      |"), page);
  }

  private static RunData run(int row, Map<String, String> environment) {
    Row one = Rows.ALL.get(row);
    Outcome outcome = new Outcome(one, measured(one.cases().get(0), 2));
    return new RunData(environment, false, List.of(outcome));
  }

  private String write(RunData... runs) throws IOException {
    Path file = folder.resolve("page.md");
    new Page(List.of(runs)).write(file);
    return Files.readString(file);
  }

  private static void parse(Path svg) throws Exception {
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
  }

  private static Measured measured(Case program, int workers) {
    Measured measured = new Measured(program, workers, FORKS);
    List<Peer> all = program.lineup().all();
    for (int fork = 0; fork < FORKS; fork++) {
      for (Peer peer : all) {
        double figure = 10 + all.indexOf(peer) + fork / 2.0;
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
          figures.put(metric, metric == Metric.FOREIGN ? 0 : figure);
        }
        measured.add(peer, new Fork(figures));
      }
    }
    return measured;
  }
}
