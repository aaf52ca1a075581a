package dev.catnap.jcstress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/** Runs JCStress itself, once for each kind of JVM, and reads the results that it leaves. */
final class LongRun {
  /** Several times what README.md gives for a run; JCStress ends a test that hangs by itself. */
  private static final long TIMEOUT_MINUTES = 60;

  /** Where Surefire runs tests is the directory of the module. */
  private static final Path DIRECTORY = Path.of("target", "jcstress");

  /** A kind of JVM, and how many of it each test gets. */
  private record Jvm(String name, int forks, String options) {}

  // As in production.
  private static final Jvm TIERED = new Jvm("tiered", 1, "-XX:+TieredCompilation");

  // The second compiler orders instructions at random, as far as the semantics allow, and
  // differently in each JVM.
  private static final String SHUFFLED =
      "-XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM";

  private static final Jvm SHUFFLED_SOME = new Jvm("shuffled", 3, SHUFFLED);

  // The compiler canary that is seen more rarely is seen in half of the JVMs.
  private static final Jvm SHUFFLED_MANY = new Jvm("shuffled-again", 12, SHUFFLED);

  // The first compiler: other code, closer to the source, with shorter distances.
  private static final Jvm C1 = new Jvm("c1", 1, "-XX:TieredStopAtLevel=1");

  private LongRun() {}

  /** All tests in which the regular expression is found, in each kind of JVM. */
  static Collection<TestResult> run(String regex) throws Exception {
    InProcessCollector collector = new InProcessCollector();
    for (Jvm jvm : List.of(TIERED, SHUFFLED_SOME, C1)) {
      run(regex, jvm, collector);
    }
    return collector.getTestResults();
  }

  /** One test, in many more JVMs. */
  static Collection<TestResult> runAgain(String name) throws Exception {
    InProcessCollector collector = new InProcessCollector();
    run("^" + name.replace(".", "\\.") + "$", SHUFFLED_MANY, collector);
    return collector.getTestResults();
  }

  private static void run(String regex, Jvm jvm, InProcessCollector collector) throws Exception {
    Path directory = DIRECTORY.resolve(jvm.name).toAbsolutePath();
    clean(directory);
    start(directory, jvm, regex);
    DiskReadCollector reader = new DiskReadCollector(blob(directory).toString(), collector);
    reader.dump();
    reader.close();
  }

  private static void start(Path directory, Jvm jvm, String regex)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    // The options of the JVM decide who compiles, the same for all actors.
    command.addAll(List.of("-sc", "false", "-jvmArgs", jvm.options));
    // JCStress would multiply the JVMs of options that it takes for randomised ones.
    command.addAll(List.of("-f", String.valueOf(jvm.forks), "-fsm", "1"));
    command.addAll(List.of("-iters", "2", "-time", "500"));
    command.addAll(List.of("-r", directory.toString(), "-t", regex));
    Path log = directory.resolve("log.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError("not over within " + TIMEOUT_MINUTES + " minutes: see " + log);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new AssertionError("JCStress ended with " + process.exitValue() + ": see " + log);
    }
  }

  private static Path blob(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".bin.gz"))
          .findAny()
          .orElseThrow(() -> new AssertionError("no results in " + directory));
    }
  }

  /** Only files that JCStress leaves there; it makes no directories but the one named here. */
  private static void clean(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
  }
}
