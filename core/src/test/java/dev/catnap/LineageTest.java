package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/lineage.md names code and tests: they are there. */
class LineageTest {
  private static final List<String> PRODUCTION = List.of("core", "dispatcher", "loom-scheduler");

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("`([a-z-]+): (\\w+)#(\\w+)`");

  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
  private static final Pattern BLANK_LINE = Pattern.compile("\\n\\s*\\n");
  private static final Pattern IS_TEST =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest)\\b");

  private final List<String[]> rows;

  LineageTest() throws IOException {
    rows = Sources.rows("docs/lineage.md", "| from ", "## Left out");
    assertTrue(rows.size() > 20, "the table was read");
    rows.forEach(cells -> assertEquals(6, cells.length, () -> String.join("|", cells)));
  }

  @Test
  void theCodeIsDeclared() throws Exception {
    List<String> missing = new ArrayList<>();
    for (String[] cells : rows) {
      List<String> names = QUOTED.matcher(cells[3]).results().map(m -> m.group(1)).toList();
      assertFalse(names.isEmpty(), () -> "no code for" + cells[2]);
      for (String name : names) {
        if (!isDeclared(name)) {
          missing.add(name);
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  /** {@code Class}, or {@code Class.member} of the core, which is loaded here. */
  private static boolean isDeclared(String name) throws Exception {
    String[] parts = name.split("\\.", -1);
    List<Path> files = new ArrayList<>();
    for (String module : PRODUCTION) {
      files.addAll(Sources.named(module, "main", parts[0]));
    }
    if (files.size() != 1) {
      return false;
    }
    if (parts.length == 1) {
      return true;
    }
    Path root = Sources.ROOT.resolve("core/src/main/java");
    if (!files.get(0).startsWith(root)) {
      return false;
    }
    String path = root.relativize(files.get(0)).toString();
    Class<?> type = Class.forName(path.replaceFirst("\\.java$", "").replace('/', '.'));
    for (int i = 1; i < parts.length - 1; i++) {
      String nested = parts[i];
      type =
          Stream.of(type.getDeclaredClasses())
              .filter(c -> c.getSimpleName().equals(nested))
              .findFirst()
              .orElseThrow(() -> new AssertionError(name));
    }
    String member = parts[parts.length - 1];
    return Stream.of(
            Arrays.stream(type.getDeclaredMethods()).map(m -> m.getName()),
            Arrays.stream(type.getDeclaredFields()).map(f -> f.getName()),
            Arrays.stream(type.getDeclaredClasses()).map(c -> c.getSimpleName()))
        .flatMap(names -> names)
        .anyMatch(member::equals);
  }

  @Test
  void theTestsAreTestsOfTheirModules() throws IOException {
    List<String> missing = new ArrayList<>();
    for (String[] cells : rows) {
      String[] tests = cells[4].strip().split(", ", -1);
      for (String test : tests) {
        Matcher name = TEST.matcher(test);
        assertTrue(name.matches(), () -> test + " of" + cells[2] + "is not `module: Class#method`");
        if (!isTest(name.group(1), name.group(2), name.group(3))) {
          missing.add(test);
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  /** Between the blank line before it and its name, a test has its annotations. */
  private static boolean isTest(String module, String className, String method) throws IOException {
    List<Path> files = Sources.named(module, "test", className);
    if (files.size() != 1) {
      return false;
    }
    String code = COMMENT.matcher(Sources.read(files.get(0))).replaceAll("");
    Matcher declaration = Pattern.compile("\\b(void|fun) " + method + "\\(").matcher(code);
    if (!declaration.find()) {
      return false;
    }
    String[] before = BLANK_LINE.split(code.substring(0, declaration.start()), -1);
    String annotations = before[before.length - 1];
    return IS_TEST.matcher(annotations).find() && !annotations.contains("@Disabled");
  }

  @Test
  void whatIsLeftOutSaysWhy() {
    String page = Sources.read(Sources.ROOT.resolve("docs/lineage.md"));
    List<String> leftOut =
        page.substring(page.indexOf("## Left out"))
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| from "))
            .toList();
    assertFalse(leftOut.isEmpty());
    for (String line : leftOut) {
      String[] cells = line.split("\\|", -1);
      assertEquals(5, cells.length, line);
      assertFalse(cells[3].isBlank(), line);
    }
  }
}
