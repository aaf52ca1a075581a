package dev.catnap.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What docs/guide/current-thread.md shows is what is compiled and run. */
class CurrentThreadGuideTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ""));

  @Test
  void theGuideShowsTheSamples() throws IOException {
    String guide = Files.readString(MODULE.resolve("../docs/guide/current-thread.md"));
    String java = read("java/dev/catnap/samples/HelloCurrentThread.java");
    String shown = java.substring(java.indexOf("\n\n") + 2);
    assertTrue(guide.contains("\n" + shown + "```"), () -> "not in the guide:\n" + shown);
    String kotlin = read("kotlin/dev/catnap/samples/HelloOneThread.kt");
    int start = kotlin.indexOf("fun <T>");
    String extension = kotlin.substring(start, kotlin.indexOf("\n\n", start) + 1);
    assertTrue(guide.contains("\n" + extension + "```"), () -> "not in the guide:\n" + extension);
  }

  private static String read(String path) throws IOException {
    return Files.readString(MODULE.resolve("src/main").resolve(path));
  }
}
