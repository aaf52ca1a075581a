package dev.catnap.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One {@code .cfg} file: {@code <module>-<name>.cfg}. Its first lines say what comes out of it, and
 * in which runs it takes part:
 *
 * <pre>
 *   \* expect: hold                      or   \* expect: violates NoStrandedWork
 *   \* run: build                        or   \* run: full
 * </pre>
 *
 * @param expected {@code hold}, or {@code violates} and the name of the invariant or property
 * @param inBuild small enough for the proof lane
 * @param properties the temporal properties; TLC does not say which one was violated, so a
 *     configuration that expects a violation has only one
 */
record Configuration(
    Path file, String module, String expected, boolean inBuild, List<String> properties) {

  private static final Pattern EXPECT = Pattern.compile("\\\\\\* expect: (hold|violates \\w+)");
  private static final Pattern RUN = Pattern.compile("\\\\\\* run: (build|full)");
  private static final Pattern EXTENDS = Pattern.compile("(?m)^EXTENDS (\\w+(?:,\\s*\\w+)*)");
  private static final Pattern PROPERTY = Pattern.compile("(?m)^PROPERTY (\\w+)$");

  static List<Configuration> allIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(f -> f.toString().endsWith(".cfg"))
          .sorted()
          .map(Configuration::read)
          .toList();
    }
  }

  private static Configuration read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(file.toString(), e);
    }
    List<String> lines = text.lines().toList();
    String name = file.getFileName().toString();
    int dash = name.indexOf('-');
    if (dash < 0 || lines.size() < 2) {
      throw new IllegalStateException(name + ": not named <module>-<name>.cfg, or empty");
    }
    return new Configuration(
        file,
        name.substring(0, dash),
        header(EXPECT, lines.get(0), name),
        header(RUN, lines.get(1), name).equals("build"),
        PROPERTY.matcher(text).results().map(m -> m.group(1)).toList());
  }

  private static String header(Pattern pattern, String line, String name) {
    Matcher m = pattern.matcher(line);
    if (!m.matches()) {
      throw new IllegalStateException(name + ": instead of \"" + pattern + "\": " + line);
    }
    return m.group(1);
  }

  /** Itself, and every module of the model that it uses. */
  List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>(List.of(file));
    Deque<String> modules = new ArrayDeque<>(List.of(module));
    while (!modules.isEmpty()) {
      Path tla = file.resolveSibling(modules.pop() + ".tla");
      if (Files.exists(tla) && !files.contains(tla)) { // else one of TLA+'s own, or seen before
        files.add(tla);
        EXTENDS
            .matcher(Files.readString(tla))
            .results()
            .forEach(m -> modules.addAll(List.of(m.group(1).split(",\\s*"))));
      }
    }
    return files;
  }

  String name() {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ".cfg".length());
  }
}
