import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Runs the tests of the published modules on each of the given JDKs, and writes docs/jdks.md. All
 * is compiled once, by the JDK of the build, and installed in the local repository. The reports
 * stay in target/jdk-table, and what is there is not run again; {@code mvn clean} forgets it.
 * Usage: {@code build/jdk-table JDK_HOME...}
 */
class JdkTable {
  /** The modules, and the oldest JDK that each is for. */
  private static final Map<String, Integer> MODULES = new LinkedHashMap<>();

  static {
    MODULES.put("core", 17);
    MODULES.put("dispatcher", 17);
    MODULES.put("loom-scheduler", 21);
    MODULES.put("agent", 21);
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
  private record Column(String version, Map<String, Map<String, Result>> modules) {}

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    build(root);
    List<Column> columns = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      columns.add(run(root, Path.of(args[i])));
    }
    Path page = root.resolve("docs/jdks.md");
    Files.writeString(page, page(columns));
    boolean failed =
        columns.stream()
            .flatMap(column -> column.modules.values().stream())
            .flatMap(classes -> classes.values().stream())
            .anyMatch(result -> !result.failed.isEmpty());
    System.err.println(page + (failed ? ": there are failures" : ": all passed"));
    System.exit(failed ? 1 : 0);
  }

  private static Column run(Path root, Path home) throws Exception {
    String release = Files.readString(home.resolve("release"));
    int feature = Integer.parseInt(property(release, "JAVA_VERSION").split("[.\\-+]")[0]);
    String version = version(home);
    Map<String, Map<String, Result>> results = new LinkedHashMap<>();
    for (String module : MODULES.keySet()) {
      if (MODULES.get(module) <= feature) {
        Path kept = root.resolve("target/jdk-table").resolve(version).resolve(module);
        if (!Files.isDirectory(kept)) {
          System.err.println(version + ": " + module);
          test(root, home, module, kept);
        }
        results.put(module, read(kept));
      }
    }
    return new Column(version, results);
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
          skipped.add(((Element) skip.item(0)).getAttribute("message"));
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

  private static String page(List<Column> columns) {
    StringWriter out = new StringWriter();
    out.write(
        """
        # JDKs

        What the tests of the build do on other JDKs. Written by `build/jdk-table JDK_HOME...`, which compiles with JDK 25 and
        runs the tests on each JDK that it is given; Linux on x86-64. A number is of tests that passed. A suite that needs JDK 21
        does not run on 17.

        """);
    for (String module : MODULES.keySet()) {
      Map<String, List<String>> rows = new TreeMap<>();
      columns.stream()
          .flatMap(column -> column.modules.getOrDefault(module, Map.of()).keySet().stream())
          .forEach(name -> rows.put(name, new ArrayList<>()));
      if (rows.isEmpty()) {
        continue;
      }
      out.write("## " + module + "\n\n| |");
      columns.forEach(column -> out.write(" " + column.version + " |"));
      out.write("\n|---|" + "---|".repeat(columns.size()) + "\n| **all** |");
      columns.forEach(
          column -> out.write(" " + sum(column.modules.getOrDefault(module, Map.of())) + " |"));
      out.write("\n");
      for (String name : rows.keySet()) {
        out.write("| `" + name + "` |");
        for (Column column : columns) {
          Result result = column.modules.getOrDefault(module, Map.of()).get(name);
          out.write(" " + (result == null ? "" : result) + " |");
        }
        out.write("\n");
      }
      out.write("\n");
    }
    writeReasons(out, columns);
    return out.toString().stripTrailing() + "\n";
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

  private static void writeReasons(StringWriter out, List<Column> columns) {
    out.write("## Why tests were skipped\n\n| | on | because |\n|---|---|---|\n");
    Map<String, List<String>> versions = new TreeMap<>();
    StringBuilder failures = new StringBuilder();
    for (Column column : columns) {
      String feature = "JDK " + column.version.split("[.\\-+]")[0];
      column
          .modules
          .values()
          .forEach(
              classes ->
                  classes.forEach(
                      (name, result) -> {
                        result.skipped.stream()
                            .map(reason -> "| `" + name + "` | %s | " + reason(reason) + " |")
                            .distinct()
                            .forEach(
                                row ->
                                    versions
                                        .computeIfAbsent(row, r -> new ArrayList<>())
                                        .add(feature));
                        result.failed.forEach(
                            test ->
                                failures.append(
                                    "- " + feature + ": `" + name + "." + test + "`\n"));
                      }));
    }
    versions.forEach((row, on) -> out.write(row.formatted(String.join(", ", on)) + "\n"));
    if (failures.length() > 0) {
      out.write("\n## Failures\n\n" + failures);
    }
  }

  private static String reason(String message) {
    return message
        .replaceFirst("^Assumption failed: ", "")
        .replaceFirst("^org\\.opentest4j\\.TestAbortedException: Assumption failed: ", "")
        .replace("|", "\\|")
        .replace("%", "%%");
  }
}
