package dev.catnap.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about the model has a row for each configuration, and none for others. */
class ModelPageTest {
  private static final Path MODEL =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/model").normalize();

  private static final Pattern RESULT =
      Pattern.compile("(?m)^\\| (\\w+-\\w+) \\| (hold|violates \\w+) \\| [\\d,]+ \\|");

  private static final Pattern SWITCHED =
      Pattern.compile("(?m)^\\| `(\\w+-\\w+)` \\| [^|]+ \\| (hold|violates \\w+) \\|");

  /** The other rule of wakes is a switch, and not wrong. */
  private static final Pattern NO_SWITCH =
      Pattern.compile("(?m)^ *Bugs = \\{(\"OnePerInsert\")?\\}$");

  private static Set<String> rows(Pattern row) throws IOException {
    return row.matcher(Files.readString(MODEL.resolve("README.md")))
        .results()
        .map(m -> m.group(1) + ": " + m.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String row(Configuration c) {
    return c.name() + ": " + c.expected();
  }

  @Test
  void everyConfigurationOfTheBuildHasItsResult() throws IOException {
    Set<String> expected = new TreeSet<>();
    for (Configuration c : Configuration.allIn(MODEL)) {
      if (c.inBuild()) {
        expected.add(row(c));
      }
    }
    assertEquals(expected, rows(RESULT));
  }

  @Test
  void everySwitchedConfigurationSaysWhatWouldBeWrong() throws IOException {
    Set<String> expected = new TreeSet<>();
    List<Configuration> all = Configuration.allIn(MODEL);
    for (Configuration c : all) {
      if (!NO_SWITCH.matcher(Files.readString(c.file())).find()) {
        expected.add(row(c));
      }
    }
    assertEquals(expected, rows(SWITCHED));
  }
}
