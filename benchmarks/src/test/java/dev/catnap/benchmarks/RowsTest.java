package dev.catnap.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

class RowsTest {
  private static final OutputFormat SILENT =
      OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);

  @Test
  void names_unique() {
    List<String> names =
        Rows.ALL.stream()
            .flatMap(row -> row.cases().stream().map(program -> row.id() + program.name()))
            .toList();
    assertEquals(names.size(), names.stream().distinct().count());
  }

  /** The annotation processor wrote down every method that a row names. */
  @Test
  void methods_knownToJmh() {
    List<String> known =
        BenchmarkList.defaultList().getAll(SILENT, List.of()).stream()
            .map(entry -> entry.getUsername())
            .toList();
    for (Row row : Rows.ALL) {
      for (Case program : row.cases()) {
        String method = program.benchmark().getName() + "." + program.method();
        assertTrue(known.contains(method), method);
      }
    }
  }
}
