import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Runs the tests of the published modules on each of the given JDKs, and writes docs/jdks.md. All
 * is compiled once, by the JDK of the build, and installed in the local repository. The reports
 * stay in target/jdk-table, and what is there of this commit is not run again; {@code mvn clean}
 * forgets it. Usage: {@code build/jdk-table JDK_HOME...}
 */
class JdkTable {
  /** The modules, and the oldest JDK that each is for. */
  private static final Map<String, Integer> MODULES = new LinkedHashMap<>();

  static {
    MODULES.put("loom-scheduler", 21); // first, since it differs most between JDKs
    MODULES.put("agent", 21);
    MODULES.put("dispatcher", 17);
    MODULES.put("core", 17);
  }

  /** What became of the tests of one class on one JDK. */
  private record Result(int passed, List<String> skipped, List<String> failed) {
    @Override
    public String toString() {
      List<String> parts = new ArrayList<>();
      if (passed > 0) {
        parts.add(String.valueOf(passed));
      }
      if (!skipped.isEmpty()) {
        parts.add(skipped.size() + " skipped");
      }
      if (!failed.isEmpty()) {
        parts.add("**" + failed.size() + " FAILED**");
      }
      return String.join(", ", parts);
    }
  }

  /** A JDK, and the results of each module's classes on it. */
  private record Column(
      Path home, String version, int feature, Map<String, Map<String, Result>> modules) {

    static Column of(Path home) throws IOException, InterruptedException {
      String release = Files.readString(home.resolve("release"));
      int feature = Integer.parseInt(property(release, "JAVA_VERSION").split("[.\\-+]")[0]);
      return new Column(home, JdkTable.version(home), feature, new HashMap<>());
    }

    Map<String, Result> of(String module) {
      return modules.getOrDefault(module, Map.of());
    }

    String name() {
      return "JDK " + feature;
    }
  }

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    Path page = root.resolve("docs/jdks.md");
    String commit = commit(root);
    List<Column> columns = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      columns.add(Column.of(Path.of(args[i])));
    }
    build(root);
    for (String module : MODULES.keySet()) {
      for (Column column : columns) {
        if (MODULES.get(module) <= column.feature) {
          column.modules.put(module, results(root, commit, column, module));
          Files.writeString(page, page(commit, columns)); // each time, should somebody stop it
        }
      }
    }
    boolean failed =
        columns.stream()
            .flatMap(column -> column.modules.values().stream())
            .flatMap(classes -> classes.values().stream())
            .anyMatch(result -> !result.failed.isEmpty());
    System.err.println(page + (failed ? ": there are failures" : ": all passed"));
    System.exit(failed ? 1 : 0);
  }

  private static Map<String, Result> results(
      Path root, String commit, Column column, String module) throws Exception {
    Path kept =
        root.resolve("target/jdk-table").resolve(commit).resolve(column.version).resolve(module);
    if (!Files.isDirectory(kept)) {
      System.err.println(column.version + ": " + module);
      test(root, column.home, module, kept);
    }
    return read(kept);
  }

  private static void build(Path root) throws IOException, InterruptedException {
    maven(
        root,
        "build",
        List.of(
            "install", "-Dquick", "-DskipTests", "-am", "-pl", String.join(",", MODULES.keySet())));
  }

  private static void test(Path root, Path home, String module, Path kept)
      throws IOException, InterruptedException {
    Path reports = root.resolve(module).resolve("target/surefire-reports");
    for (Path report : xml(reports)) {
      Files.delete(report);
    }
    maven(
        root,
        "test",
        List.of(
            "surefire:test@default-test",
            "-Dmaven.test.failure.ignore=true",
            "-Djvm=" + home.resolve("bin/java").toAbsolutePath(),
            "-pl",
            module));
    Path copy = Files.createTempDirectory(root.resolve("target"), module);
    for (Path report : xml(reports)) {
      Files.copy(report, copy.resolve(report.getFileName()));
    }
    Files.createDirectories(kept.getParent());
    Files.move(copy, kept); // as a whole: what is there is complete
  }

  private static void maven(Path root, String step, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B"));
    command.addAll(arguments);
    Path log =
        Files.createDirectories(root.resolve("target")).resolve("jdk-table-" + step + ".log");
    Process maven =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (maven.waitFor() != 0) {
      throw new IllegalStateException("mvn ended with an error; see " + log);
    }
  }

  /** What is tested; the page itself is no change of it. */
  private static String commit(Path root) throws IOException, InterruptedException {
    String changes = git(root, "status", "--porcelain", "--", ".", ":!docs/jdks.md");
    if (!changes.isEmpty()) {
      throw new IllegalStateException("the page names a commit; not committed are\n" + changes);
    }
    return git(root, "rev-parse", "--short", "HEAD");
  }

  private static String git(Path root, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git = new ProcessBuilder(command).directory(root.toFile()).start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (git.waitFor() != 0) {
      throw new IllegalStateException(command + " failed in " + root);
    }
    return said;
  }

  private static String property(String release, String name) {
    return release
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1).replace("\"", ""))
        .findFirst()
        .orElseThrow();
  }

  /** Of the second line of {@code java -version}: the runtime and its build. */
  private static String version(Path home) throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(home.resolve("bin/java").toString(), "-version")
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    java.waitFor();
    String line =
        said.lines().filter(l -> l.contains("Runtime Environment")).findFirst().orElseThrow();
    return line.replaceFirst(".*Runtime Environment ", "")
        .replaceAll("[()]", "")
        .replaceFirst("build ", "");
  }

  private static List<Path> xml(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> f.getFileName().toString().matches("TEST-.*\\.xml"))
          .sorted()
          .toList();
    }
  }

  private static Map<String, Result> read(Path folder) throws Exception {
    Map<String, Result> classes = new TreeMap<>();
    for (Path report : xml(folder)) {
      NodeList tests =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(report.toFile())
              .getElementsByTagName("testcase");
      int passed = 0;
      List<String> skipped = new ArrayList<>();
      List<String> failed = new ArrayList<>();
      String name = "";
      for (int i = 0; i < tests.getLength(); i++) {
        Element test = (Element) tests.item(i);
        name = test.getAttribute("classname");
        NodeList skip = test.getElementsByTagName("skipped");
        if (skip.getLength() > 0) {
          skipped.add(reason((Element) skip.item(0)));
        } else if (test.getElementsByTagName("failure").getLength() > 0
            || test.getElementsByTagName("error").getLength() > 0) {
          failed.add(test.getAttribute("name"));
        } else {
          passed++;
        }
      }
      classes.put(name.replaceFirst("^dev\\.catnap\\.", ""), new Result(passed, skipped, failed));
    }
    return classes;
  }

  private static String page(String commit, List<Column> columns) {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        # JDKs

        What the tests of the build do on other JDKs. Written by `build/jdk-table JDK_HOME...`, which compiles with JDK 25 and
        runs the tests on each JDK that it is given; Linux on x86-64. A number is of tests that passed; why others were skipped is
        below. A cell is empty if the module is for newer JDKs, or the test was not run.

        | | |
        |---|---|
        """);
    out.append(row("date", LocalDate.now(ZoneOffset.UTC).toString()));
    out.append(row("commit", commit));
    columns.forEach(column -> out.append(row(column.name(), "`" + column.version + "`")));
    for (String module : MODULES.keySet()) {
      Set<String> classes = new TreeSet<>();
      columns.forEach(column -> classes.addAll(column.of(module).keySet()));
      if (!classes.isEmpty()) {
        out.append("\n## " + module + "\n\n");
        out.append(row("", columns, Column::name));
        out.append("|---|" + "---|".repeat(columns.size()) + "\n");
        out.append(row("**all**", columns, column -> sum(column.of(module)).toString()));
        for (String name : classes) {
          out.append(
              row(
                  "`" + name + "`",
                  columns,
                  column -> Objects.toString(column.of(module).get(name), "")));
        }
      }
    }
    out.append("\n## Why tests were skipped\n\n").append(row("", "on", "because"));
    out.append("|---|---|---|\n");
    reasons(columns, Result::skipped)
        .forEach((test, on) -> out.append(row(test.getKey(), on, test.getValue())));
    var failures = reasons(columns, Result::failed);
    if (!failures.isEmpty()) {
      out.append("\n## Failures\n\n").append(row("", "on", "")).append("|---|---|---|\n");
      failures.forEach((test, on) -> out.append(row(test.getKey(), on, test.getValue())));
    }
    return out.toString();
  }

  private static String row(String first, List<Column> columns, Function<Column, String> cell) {
    List<String> cells = new ArrayList<>(List.of(first));
    columns.forEach(column -> cells.add(cell.apply(column)));
    return row(cells.toArray(String[]::new));
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static Result sum(Map<String, Result> classes) {
    List<String> skipped = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    int passed = 0;
    for (Result result : classes.values()) {
      passed += result.passed;
      skipped.addAll(result.skipped);
      failed.addAll(result.failed);
    }
    return new Result(passed, skipped, failed);
  }

  /** Class and message, and the JDKs on which there was that. */
  private static Map<Map.Entry<String, String>, String> reasons(
      List<Column> columns, Function<Result, List<String>> kind) {
    Map<Map.Entry<String, String>, String> on = new LinkedHashMap<>();
    for (String module : MODULES.keySet()) {
      for (Column column : columns) {
        column
            .of(module)
            .forEach(
                (name, result) ->
                    kind.apply(result).stream()
                        .map(message -> Map.entry("`" + name + "`", message))
                        .distinct()
                        .forEach(
                            key -> on.merge(key, column.name(), (one, more) -> one + ", " + more)));
      }
    }
    return on;
  }

  /** Of an assumption it is the first line of the stack trace. */
  private static String reason(Element skipped) {
    String message = skipped.getAttribute("message");
    String reason =
        message.isEmpty() ? skipped.getTextContent().lines().findFirst().orElse("") : message;
    return reason
        .replaceFirst("^.*Assumption failed: ", "")
        .replaceFirst("^Disabled on .* ==> ", "");
  }
}
