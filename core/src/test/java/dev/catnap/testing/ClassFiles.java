package dev.catnap.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the compiler has made of the module whose tests run. */
public final class ClassFiles {
  private static final Path CLASSES = Path.of("target/classes");

  private ClassFiles() {}

  /**
   * Those with that word among their constants. There must be some without.
   *
   * @param word in ASCII
   */
  public static List<Path> thatMention(String word) throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      List<Path> all = files.filter(f -> f.toString().endsWith(".class")).toList();
      List<Path> found = all.stream().filter(f -> mentions(f, word)).toList();
      if (found.size() == all.size()) {
        throw new AssertionError(found.size() + " of " + all.size() + " classes in " + CLASSES);
      }
      return found;
    }
  }

  private static boolean mentions(Path file, String word) {
    try {
      return new String(Files.readAllBytes(file), ISO_8859_1).contains(word);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
