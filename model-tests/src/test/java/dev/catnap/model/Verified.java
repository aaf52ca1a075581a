package dev.catnap.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of the model as TLC last went through all of them: {@code verified.sha256} beside them,
 * in the format of {@code sha256sum}. TLC reads no line of Java: on an unchanged model it says what
 * it has said before.
 */
final class Verified {
  private static final String NAME = "verified.sha256";

  private final Path model;
  private final Map<String, String> digests;

  private Verified(Path model, Map<String, String> digests) {
    this.model = model;
    this.digests = digests;
  }

  /** What is on record for a folder; nothing if there is no record. */
  static Verified read(Path model) throws IOException {
    Map<String, String> digests = new TreeMap<>();
    Path file = model.resolve(NAME);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("  ", 2);
        if (parts.length != 2) {
          throw new IOException(file + ": neither digest nor name: " + line);
        }
        digests.put(parts[1], parts[0]);
      }
    }
    return new Verified(model, digests);
  }

  /** Whether neither the configuration nor a module that it uses has changed since. */
  boolean isUnchanged(Configuration c) throws IOException {
    for (Path file : c.files()) {
      String name = file.getFileName().toString();
      if (!digest(file).equals(digests.get(name))) {
        return false;
      }
    }
    return true;
  }

  /** Names on record of which there is no file any more. */
  List<String> missing() {
    return digests.keySet().stream().filter(n -> !Files.exists(model.resolve(n))).toList();
  }

  /** Puts these configurations and their modules on record, and nothing else. */
  static void write(Path model, List<Configuration> verified) throws IOException {
    TreeSet<Path> files = new TreeSet<>();
    for (Configuration c : verified) {
      files.addAll(c.files());
    }
    StringBuilder text = new StringBuilder();
    for (Path file : files) {
      text.append(digest(file)).append("  ").append(file.getFileName()).append('\n');
    }
    Files.writeString(model.resolve(NAME), text);
  }

  private static String digest(Path file) throws IOException {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
