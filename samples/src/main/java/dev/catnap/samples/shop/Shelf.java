package dev.catnap.samples.shop;

import dev.catnap.samples.web.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The items that are for sale: a file each, with its description. */
final class Shelf {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");
  private static final String SUFFIX = ".txt";

  private final Path directory;

  Shelf(Path directory) {
    this.directory = directory;
  }

  String describe(String item) throws IOException, Refusal {
    if (!NAME.matcher(item).matches()) {
      throw new Refusal(400, "not a name: " + item);
    }
    try {
      return Files.readString(directory.resolve(item + SUFFIX));
    } catch (NoSuchFileException e) {
      throw new Refusal(404, "no item " + item);
    }
  }

  List<String> items() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .sorted()
          .toList();
    }
  }
}
