package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the forks of each row measured, in a file for each row, beside the page that is written from
 * them all. A row that runs again replaces its file and no other, so that the page can be renewed
 * row by row.
 */
final class SavedRows {
  private static final String FOLDER = "results";

  private final Path folder;

  SavedRows(Path page) {
    folder = page.toAbsolutePath().resolveSibling(FOLDER);
  }

  /**
   * Makes the folder.
   *
   * @throws IOException if it cannot be made
   */
  void makeFolder() throws IOException {
    Files.createDirectories(folder);
  }

  /**
   * That a short run, whose figures mean nothing, would replace nothing that was measured.
   *
   * @throws IOException if a file cannot be read
   * @throws IllegalArgumentException if it would; or if a file is no raw data of these rows
   */
  void requireNothingMeasured(List<Row> rows) throws IOException {
    for (Row row : rows) {
      if (Files.exists(file(row)) && !SavedRun.read(file(row)).quick()) {
        throw new IllegalArgumentException(
            file(row) + " was measured; a short run goes to another page: --page FILE.md");
      }
    }
  }

  /**
   * Each row of the run as it is there, whatever an earlier run had of it.
   *
   * @throws IOException if a file cannot be written
   * @throws IllegalArgumentException as {@link #requireNothingMeasured}, if it was short
   */
  void save(RunData run) throws IOException {
    makeFolder();
    if (run.quick()) {
      requireNothingMeasured(run.rows());
    }
    for (Row row : run.rows()) {
      RawData.write(file(row), run.only(row));
    }
  }

  /**
   * All rows that were saved, in the order of the page.
   *
   * @throws IOException if a file cannot be read
   * @throws IllegalArgumentException if one is no raw data of these rows
   */
  List<RunData> readAll() throws IOException {
    List<RunData> saved = new ArrayList<>();
    for (Row row : Rows.ALL) {
      if (Files.exists(file(row))) {
        saved.add(SavedRun.read(file(row)));
      }
    }
    return saved;
  }

  private Path file(Row row) {
    return folder.resolve(row.id() + ".json");
  }
}
