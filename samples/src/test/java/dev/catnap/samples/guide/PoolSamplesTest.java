package dev.catnap.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.samples.Printed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the guide says of lanes, shutdown and several pools is what the programs print. */
@Timeout(60)
class PoolSamplesTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ""));

  @Test
  void blockingSection() throws Exception {
    String line = String.join("\n", Printed.by(BlockingSection::main));
    // One of two, and another one: on a busy machine a spare may have come before.
    assertTrue(line.matches("hello-worker-(\\d+) was answered by hello-worker-(?!\\1$)\\d+"), line);
  }

  @Test
  void blockingWork() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(System.getProperty("java.home"), "conf"))) {
      files = all.filter(Files::isRegularFile).toList();
    }
    long bytes = files.stream().mapToLong(PoolSamplesTest::size).sum();
    List<String> lines = Printed.by(BlockingWork::main);
    assertEquals(files.size() + " files, " + bytes + " bytes", lines.get(0));
    // A place is free a moment after its future is done.
    assertTrue(lines.get(1).matches("full after (8|9|1[0-2]), and it says so"), lines.get(1));
    assertEquals("meanwhile a worker computed 42", lines.get(2));
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The time is a second: in that all tasks have run, if they get a processor. */
  @Tag("timing")
  @Test
  void endWithinATime() throws Exception {
    assertEquals(
        List.of(
            "the task that waited was interrupted",
            "1000 tasks ran",
            "INTERRUPTED",
            "taken back: true"),
        Printed.by(EndWithinATime::main));
  }

  @Test
  void twoPools() throws Exception {
    List<String> lines = Printed.by(TwoPools::main);
    assertEquals(3, lines.size(), lines::toString);
    assertEquals("3 of 6 threads in use", lines.get(0));
    assertTrue(lines.get(1).matches("answered by hello-interactive-worker-\\d+"), lines.get(1));
    assertEquals("0 of 6 threads in use", lines.get(2));
  }

  @ParameterizedTest
  @CsvSource({
    "BlockingSection, blocking-lane",
    "BlockingWork, blocking-lane",
    "EndWithinATime, shutdown",
    "TwoPools, several-pools"
  })
  void theGuideShowsTheSampleWithoutItsPackageLine(String sample, String page) throws IOException {
    String source =
        Files.readString(
            MODULE.resolve("src/main/java/dev/catnap/samples/guide").resolve(sample + ".java"));
    String shown = source.substring(source.indexOf("\n\n") + 2);
    String text = Files.readString(MODULE.resolve("../docs/guide").resolve(page + ".md"));
    assertTrue(text.contains("\n" + shown + "```"), () -> "not in " + page + ".md:\n" + shown);
  }
}
