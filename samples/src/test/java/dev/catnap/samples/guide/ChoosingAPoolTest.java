package dev.catnap.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.Flavor;
import dev.catnap.samples.Printed;
import dev.catnap.samples.guide.ChoosingAPool.Alone;
import dev.catnap.samples.guide.ChoosingAPool.Beside;
import dev.catnap.samples.guide.ChoosingAPool.Case;
import dev.catnap.samples.guide.ChoosingAPool.Extent;
import dev.catnap.samples.guide.ChoosingAPool.Figure;
import dev.catnap.samples.guide.ChoosingAPool.Row;
import dev.catnap.samples.guide.ChoosingAPool.Together;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The program behind the tables of the guide: every row did the work that it names. How fast is not
 * looked at; whether each answer was right and came once, and each computation too, is what the
 * program checks itself.
 */
@Timeout(120)
class ChoosingAPoolTest {
  /** The work is a fraction of what the page says, so that also a slow machine has done soon. */
  private static final Extent SMALL = new Extent(2, 1, 0.03, 1);

  @Test
  void everyRowDoesTheWorkThatItNames() {
    Map<Case, List<Row>> rows = ChoosingAPool.measure(SMALL);
    for (Alone each : ChoosingAPool.flavors()) {
      for (Row row : rows.get(each)) {
        assertEquals(16 * 64, row.requests(), each.toString());
        assertEquals(16 * 64, row.listed(), each.toString());
        assertTrue(row.figures().get(Figure.LIST_MILLIS) > 0, each.toString());
      }
    }
    for (Together each : ChoosingAPool.pools()) {
      for (Row row : rows.get(each)) {
        assertEquals(6 * 64, row.requests(), each.toString());
        if (each.beside() == Beside.NONE) {
          assertEquals(0, row.computations(), each.toString());
        } else {
          assertTrue(row.computations() >= SMALL.workers(), each.toString());
          assertTrue(row.figures().get(Figure.COMPUTATIONS) > 0, each.toString());
        }
      }
    }
    rows.forEach(
        (each, all) -> {
          assertEquals(SMALL.rounds(), all.size(), each.toString());
          for (Row row : all) {
            double median = row.figures().get(Figure.P50_MICROS);
            assertTrue(median > 0, each.toString());
            assertTrue(row.figures().get(Figure.P99_MICROS) >= median, each.toString());
          }
        });
    assertEquals(4 + 14, rows.size());
    var report = new ChoosingAPoolReport(SMALL, rows, "choosing-a-pool");
    assertThrows(IllegalStateException.class, report::write, "for so little work");
  }

  /** The whole program, with tasks as long as the page says. */
  @Tag("long")
  @Test
  void everyRowIsPrinted() throws Exception {
    assertRows(Printed.by(args -> ChoosingAPool.main(new String[] {"5", "2"})));
  }

  @Test
  void everyRowHasItsLine() {
    assertRows(new ChoosingAPoolReport(new Extent(2, 400, 1, 3), rows(1), "").lines());
  }

  private static void assertRows(List<String> lines) {
    List<String> rows =
        lines.stream().filter(line -> line.matches("\\| (un)?even, .*\\d.*")).toList();
    assertEquals(4 + 14 + 12, rows.size(), rows.toString());
  }

  @Test
  void theLoadsHaveTheSameWorkInAllWhereverItIs() {
    assertEquals(64 * 1_500, sum(ServerLoad.even(64, 1_500)));
    for (int seed = 0; seed < 5; seed++) {
      int[] uneven = ServerLoad.uneven(64, 1_500, seed);
      assertEquals(64 * 1_500, sum(uneven));
      assertEquals(4, Arrays.stream(uneven).filter(units -> units == 12 * 1_500).count());
    }
    assertEquals(0, new Extent(2, 411.7, 1, 1).stepUnits() % 15);
  }

  private static int sum(int[] work) {
    return Arrays.stream(work).sum();
  }

  @Test
  void eachConnectionSendsAsOftenAsAnyOther() {
    var schedule = ServerLoad.Schedule.of(64, 33_333, 0.1, 7);
    int[] sent = new int[64];
    IntStream.range(0, schedule.requests()).forEach(r -> sent[schedule.connection(r)]++);
    int[] expected = new int[64];
    Arrays.fill(expected, 52);
    assertEquals(Arrays.toString(expected), Arrays.toString(sent));
  }

  /** What a scheduler may not do, the measurement would see. */
  @Test
  void aTaskThatRunsTwiceIsNoticed() {
    Executor twice =
        task -> {
          task.run();
          task.run();
        };
    var load = new ServerLoad(twice, c -> twice, ServerLoad.even(16, 15));
    var schedule = ServerLoad.Schedule.of(16, 1e6, 1e-4, 1);
    assertThrows(IllegalStateException.class, () -> load.serve(schedule));
    assertThrows(IllegalStateException.class, () -> load.finish(2));
  }

  @Test
  void workOfAnotherCostThanThePageSaysIsNoticed() {
    Extent extent = new Extent(2, 400, 1, 3);
    assertEquals(List.of(), new ChoosingAPoolReport(extent, rows(1), "").untrue());
    assertEquals(List.of(), new ChoosingAPoolReport(extent, rows(1.15), "").untrue());
    // What the JIT compiler folds.
    assertEquals(34, new ChoosingAPoolReport(extent, rows(0.13), "").untrue().size());
    assertEquals(30, new ChoosingAPoolReport(extent, rows(1.3), "").untrue().size());
  }

  @Test
  void thePageHasItsMarksAndTheTablesGoBetweenThem() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "guide", "choosing.md"));
    var report = new ChoosingAPoolReport(new Extent(2, 400, 1, 3), rows(1), "choosing-a-pool");
    String written = report.between(page);
    assertTrue(written.startsWith(page.substring(0, page.indexOf(ChoosingAPoolReport.BEGIN))));
    assertTrue(written.endsWith(page.substring(page.indexOf(ChoosingAPoolReport.END))));
    assertTrue(written.contains("| even: stealing / thread per core | 1.00 [1.00..1.00] level |"));
    assertEquals(written, report.between(written));
    assertThrows(IllegalArgumentException.class, () -> report.between("no marks"));
  }

  /** Three rounds in which all work had so many times the cost that is said. */
  private static Map<Case, List<Row>> rows(double cost) {
    List<Case> cases = new ArrayList<>(ChoosingAPool.flavors());
    cases.addAll(ChoosingAPool.pools());
    Map<Case, List<Row>> rows = new HashMap<>();
    for (Case each : cases) {
      Map<Figure, Double> figures = new EnumMap<>(Figure.class);
      for (Figure figure : Figure.values()) {
        figures.put(figure, 1.0);
      }
      figures.put(Figure.STEP_MICROS, 10 * cost);
      figures.put(Figure.LIST_MILLIS, 500 * cost);
      if (each instanceof Together(_, Beside beside, _)) {
        figures.put(Figure.TASK_MILLIS, beside == Beside.AS_ONE ? 30 * cost : 2 * cost);
      } else if (each instanceof Alone(_, Flavor flavor) && flavor == Flavor.WORK_STEALING) {
        figures.remove(Figure.BUSIEST);
      }
      Row row = new Row(figures, 1, 1, 1);
      rows.put(each, List.of(row, row, row));
    }
    return rows;
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    refused(": 0", "0");
    refused(": 0", "5", "0");
    refused("1, 2, 3]", "1", "2", "3");
  }

  private static void refused(String end, String... args) {
    var e = assertThrows(IllegalArgumentException.class, () -> ChoosingAPool.main(args));
    assertTrue(e.getMessage().endsWith(end), e.getMessage());
  }
}
