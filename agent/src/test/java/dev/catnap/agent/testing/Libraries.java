package dev.catnap.agent.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What applications bring: the library in several versions, and what it needs. */
public final class Libraries {
  /** That the agent moves. */
  public static final List<String> KNOWN = List.of("1.7.3", "1.8.1", "1.9.0", "1.10.2", "1.11.0");

  /** That it must leave alone. */
  public static final String TOO_OLD = "1.6.4";

  private static final Path FOLDER = Path.of(System.getProperty("catnap.agent.libraries"));

  private Libraries() {}

  /** Of the programs of the tests, and no library. */
  public static Path programs() {
    return Path.of("target", "test-classes").toAbsolutePath();
  }

  /** The jar of kotlinx.coroutines. */
  public static Path coroutines(String version) {
    return only("kotlinx-coroutines-core-jvm-" + version + ".jar");
  }

  /** The jar of the Kotlin library. */
  public static Path kotlin() {
    return only("kotlin-stdlib-");
  }

  /** The jar that makes an executable one. */
  public static Path springBootLoader() {
    return only("spring-boot-loader-");
  }

  /** Programs, Kotlin, and that jar. */
  public static String classPath(Path coroutines) {
    return String.join(
        File.pathSeparator, programs().toString(), kotlin().toString(), coroutines.toString());
  }

  private static Path only(String beginning) {
    try (Stream<Path> all = Files.list(FOLDER)) {
      List<Path> found =
          all.filter(file -> file.getFileName().toString().startsWith(beginning)).toList();
      if (found.size() != 1) {
        throw new AssertionError(beginning + " in " + FOLDER + ": " + found);
      }
      return found.get(0).toAbsolutePath();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
