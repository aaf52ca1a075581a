package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/faults.md names tests: they are there, and cite the fault. */
class FaultsTableTest {
  private static final List<String> MODULES =
      List.of("core", "dispatcher", "loom-scheduler", "agent", "lincheck-tests");

  private static final Pattern TEST = Pattern.compile("`([a-z-]+): (\\w+)`");
  private static final Pattern FAULT = Pattern.compile("\\bF\\d{1,2}\\b");

  private final List<String[]> rows;

  FaultsTableTest() throws IOException {
    rows = Sources.rows("docs/faults.md", "| | ", "Not tested by themselves");
    assertTrue(rows.size() > 20, "the table was read");
  }

  @Test
  void theTestsExistAndCiteTheFault() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String[] cells : rows) {
      String fault = cells[1].strip();
      List<MatchResult> tests = TEST.matcher(cells[4]).results().toList();
      assertFalse(tests.isEmpty(), () -> "no test for " + fault);
      for (MatchResult test : tests) {
        List<Path> files = Sources.named(test.group(1), "test", test.group(2));
        if (files.size() != 1 || !faultsIn(Sources.read(files.get(0))).contains(fault)) {
          wrong.add(fault + ": " + test.group());
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void whatATestCitesIsThere() throws IOException {
    Set<String> listed =
        rows.stream().map(cells -> cells[1].strip()).collect(Collectors.toCollection(TreeSet::new));
    Set<String> cited = new TreeSet<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Sources.ROOT.resolve(module).resolve("src/test"))) {
        files
            .filter(f -> f.toString().endsWith(".java") || f.toString().endsWith(".kt"))
            .forEach(f -> cited.addAll(faultsIn(Sources.read(f))));
      }
    }
    cited.removeAll(listed);
    assertEquals(Set.of(), cited, "cited, and not in the table");
  }

  private static Set<String> faultsIn(String source) {
    return FAULT.matcher(source).results().map(MatchResult::group).collect(Collectors.toSet());
  }
}
