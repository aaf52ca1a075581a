package dev.catnap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The sources of this project, for tests of what its pages name. */
final class Sources {
  static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");

  private Sources() {}

  /** Name of a class to its source; of several with one name, one of them. */
  static Map<String, String> of(String... modules) throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        files
            .filter(f -> f.toString().endsWith(".java") || f.toString().endsWith(".kt"))
            .forEach(f -> sources.put(className(f), read(f)));
      }
    }
    return sources;
  }

  /** The files of one module's {@code main} or {@code test} in which a class of that name is. */
  static List<Path> named(String module, String part, String className) throws IOException {
    Path sources = ROOT.resolve(module).resolve("src").resolve(part);
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(f -> f.toString().endsWith(".java") || f.toString().endsWith(".kt"))
          .filter(f -> className(f).equals(className))
          .toList();
    }
  }

  /** The rows of the first table of a page before {@code end}, in cells, without its head. */
  static List<String[]> rows(String page, String head, String end) throws IOException {
    String text = read(ROOT.resolve(page));
    return text.substring(0, text.indexOf(end))
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith(head))
        .map(line -> line.split("\\|", -1))
        .toList();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String className(Path file) {
    return file.getFileName().toString().replaceFirst("\\.\\w+$", "");
  }
}
