package dev.catnap.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.samples.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The samples of the guide about workers print what is true, and the guide shows them. */
@Timeout(60)
class WorkerSamplesTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ""));

  @Test
  void hooks() throws Exception {
    assertEquals(List.of("10000 tasks counted"), Printed.by(HelloHooks::main));
  }

  @Test
  void cpuLimit() throws Exception {
    assertEquals(
        List.of("parallelism 1", "three tasks ran at once, parallelism 3"),
        Printed.by(HelloCpuLimit::main));
  }

  @Test
  void wakeRules() throws Exception {
    List<String> lines = Printed.by(args -> WakeRules.main(new String[] {"5"}));
    assertEquals(2 + 3 * 2 * 2, lines.size(), lines::toString);
    for (String line : lines.subList(2, lines.size())) {
      String[] cells = line.split("\\|", -1);
      double wakes = Double.parseDouble(cells[4]);
      double futile = Double.parseDouble(cells[5]);
      double moved = Double.parseDouble(cells[6]);
      // From a worker there is one task more, which spawns the others.
      double bound = 1_001 + (cells[3].contains("INSERT") ? moved : 1_001);
      assertTrue(wakes >= 1 && wakes <= bound, line);
      assertTrue(futile <= wakes, line);
    }
  }

  @Test
  void workerStates() throws Exception {
    List<String> lines = Printed.by(WorkerStates::main);
    assertEquals(
        List.of(
            "nothing to do: sleeping",
            "in a task: awake",
            "in a blocking section, for the other half of a join: waiting, awake",
            "one worker too many: sleeping, spare",
            "shut down in the middle of a task: notified, sleeping"),
        lines.subList(0, 5));
    assertEquals(
        List.of(
            "one worker too many: sleeping, retired",
            "shut down in the middle of a task: notified, retired"),
        lines.subList(8, lines.size()));
    String guide = Files.readString(MODULE.resolve("../docs/guide/wakes.md"));
    assertTrue(guide.contains("```\n" + String.join("\n", lines) + "\n```"), guide);
  }

  @ParameterizedTest
  @CsvSource({"HelloHooks, hooks.md", "HelloCpuLimit, hooks.md", "WorkerStates, wakes.md"})
  void theGuideShowsTheSampleWithoutItsPackageLine(String sample, String page) throws IOException {
    String source =
        Files.readString(
            MODULE.resolve("src/main/java/dev/catnap/samples/guide").resolve(sample + ".java"));
    String shown = source.substring(source.indexOf("\n\n") + 2);
    String guide = Files.readString(MODULE.resolve("../docs/guide").resolve(page));
    assertTrue(guide.contains("\n" + shown + "```"), () -> "not in " + page + ":\n" + shown);
  }
}
