package dev.catnap.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README shows is what is compiled and run. */
class ReadmeTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ""));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java/dev/catnap/samples/HelloVirtualThreads.java",
        "kotlin/dev/catnap/samples/HelloCoroutines.kt"
      })
  void theReadmeShowsTheSampleWithoutItsPackageLine(String path) throws IOException {
    String source = Files.readString(MODULE.resolve("src/main").resolve(path));
    String shown = source.substring(source.indexOf("\n\n") + 2);
    String readme = Files.readString(MODULE.resolve("../README.md"));
    assertTrue(readme.contains("\n" + shown + "```"), () -> "not in README.md:\n" + shown);
  }
}
