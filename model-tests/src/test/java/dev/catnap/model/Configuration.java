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
 *   \* run: build                        or   \* run: build, long    or   \* run: full
 *                                            \* run: build, walks
 * </pre>
 *
 * <p>{@code long} takes half a minute or more, and is for the proof lane alone. {@code walks} is
 * for a violation that lies deep: random behaviours, the same in each run, reach it in seconds, all
 * states up to its depth in minutes.
 *
 * @param expected {@code hold}, or {@code violates} and the name of the invariant or property
 * @param inBuild small enough for the proof lane
 * @param search how TLC goes through the behaviours
 * @param properties the temporal properties; TLC does not say which one was violated, so a
 *     configuration that expects a violation has only one
 */
record Configuration(
    Path file,
    String module,
    String expected,
    boolean inBuild,
    Search search,
    List<String> properties) {

  enum Search {
    /** All states, and soon. */
    ALL,
    /** All states, in a time in which the second compiler pays for itself. */
    ALL_LONG,
    /** Random walks until one shows the violation. */
    WALKS
  }

  private static final Pattern EXPECT = Pattern.compile("\\\\\\* expect: (hold|violates \\w+)");
  private static final Pattern RUN =
      Pattern.compile("\\\\\\* run: (build|build, long|build, walks|full)");
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
    String expected = header(EXPECT, lines.get(0), name);
    String run = header(RUN, lines.get(1), name);
    Search search =
        switch (run) {
          case "build" -> Search.ALL;
          case "build, walks" -> Search.WALKS;
          default -> Search.ALL_LONG;
        };
    if (search == Search.WALKS && expected.equals("hold")) {
      throw new IllegalStateException(name + ": walks show a violation, not that there is none");
    }
    return new Configuration(
        file,
        name.substring(0, dash),
        expected,
        !run.equals("full"),
        search,
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
