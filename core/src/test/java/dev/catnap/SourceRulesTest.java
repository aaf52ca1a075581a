package dev.catnap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules that only a look at the sources, or at what the compiler made of them, can check. */
class SourceRulesTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Path CLASSES = Path.of("target/classes");

  /** F26: a step of the system clock must not move a timer. */
  @Test
  void theCoreNeverReadsTheSystemClock() throws IOException {
    assertEquals(List.of(), linesWith("currentTimeMillis", "Instant.now", "new Date("));
  }

  /**
   * Waiting on an AQS condition or a monitor goes through the facade of a carrier's pool and kills
   * it.
   */
  @Test
  void workersNeverWaitOnConditionsOrMonitors() throws IOException {
    assertEquals(List.of(), linesWith("newCondition(", ".wait(", "managedBlock"));
  }

  /**
   * G7: a concatenation that is linked where the stack ends fails there, and whenever it is reached
   * again.
   */
  @Test
  void noConcatenationIsLinkedByTheJvm() throws IOException {
    assertEquals(List.of(), classesWith("makeConcatWithConstants"));
    assertFalse(classesWith("java/lang/Object").isEmpty(), "the look sees names");
  }

  private static List<Path> classesWith(String name) throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      return files
          .filter(f -> f.toString().endsWith(".class"))
          .filter(f -> new String(bytes(f), ISO_8859_1).contains(name))
          .toList();
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> linesWith(String... words) throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(f -> f.toString().endsWith(".java"))
          .flatMap(SourceRulesTest::lines)
          .filter(line -> Stream.of(words).anyMatch(line::contains))
          .toList();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().map(line -> file + ": " + line);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
