package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/guarantees.md names code, tests and mutants: they are there. */
class GuaranteesTest {
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Path INTERNAL =
      Sources.ROOT.resolve("core/src/main/java/dev/catnap/internal");

  private final List<String[]> rows;

  GuaranteesTest() throws IOException {
    rows = Sources.rows("docs/guarantees.md", "| | ", "The last column");
  }

  @Test
  void thereIsARowForEachGuarantee() {
    assertEquals(
        Stream.iterate(1, i -> i + 1).limit(12).map(i -> "G" + i).toList(),
        rows.stream().map(cells -> cells[1].trim()).toList());
  }

  @Test
  void theCodeExists() {
    assertEquals(
        List.of(),
        missing(
            3,
            name -> name.endsWith(".java") || name.endsWith("/"),
            name ->
                Files.exists(INTERNAL.resolve(name)) || Files.exists(Sources.ROOT.resolve(name))));
  }

  @Test
  void theTestsExist() throws IOException {
    Map<String, String> sources =
        Sources.of(
            "core", "dispatcher", "loom-scheduler", "agent", "lincheck-tests", "jcstress-tests");
    Set<String> model = new TreeSet<>();
    try (Stream<Path> files = Files.list(Sources.ROOT.resolve("docs/model"))) {
      model.add(
          files.filter(Files::isRegularFile).map(Sources::read).collect(Collectors.joining()));
    }
    try (Stream<Path> files = Files.list(Sources.ROOT.resolve("docs/model"))) {
      files.forEach(f -> model.add(String.valueOf(f.getFileName())));
    }
    assertEquals(
        List.of(),
        missing(
            4,
            name -> true,
            name ->
                sources.containsKey(name) || model.stream().anyMatch(text -> text.contains(name))));
  }

  @Test
  void theMutantsExist() throws IOException {
    Set<String> mutants = new TreeSet<>();
    try (Stream<Path> files = Files.list(Sources.ROOT.resolve("kill-matrix/mutants"))) {
      files.forEach(
          f ->
              Sources.read(f)
                  .lines()
                  .filter(line -> line.startsWith("= "))
                  .forEach(line -> mutants.add(line.substring(2))));
    }
    assertEquals(List.of(), missing(5, name -> true, mutants::contains));
  }

  /** What a column names and is not there. */
  private List<String> missing(int column, Predicate<String> isAsked, Predicate<String> exists) {
    List<String> asked = new ArrayList<>();
    for (String[] cells : rows) {
      QUOTED
          .matcher(cells[column])
          .results()
          .map(name -> name.group(1))
          .filter(isAsked)
          .forEach(asked::add);
    }
    assertTrue(asked.size() >= rows.size(), "the column was read");
    return asked.stream().filter(exists.negate()).toList();
  }
}
