package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.http.Wrk;
import dev.catnap.benchmarks.peers.NativePeer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The program behind {@code benchmarks/run}. Tables go to the standard output, progress and
 * warnings to the error output. Exit status: 0, or 1 if a fork failed, or 2 if the command line
 * makes no sense or a file cannot be written.
 */
public final class Main {
  private static final Path LOG =
      Path.of(System.getProperty("catnap.benchmarks.log", "target/run.log"));

  private static final Path SOURCES =
      Path.of(System.getProperty("catnap.benchmarks.native", "src/main/native"));

  /** Half a core busy over the last minute. */
  private static final double IDLE_LOAD = 0.5;

  private static final int FAILED = 1;
  private static final int REFUSED = 2;

  private Main() {}

  /**
   * Runs.
   *
   * @param args see {@link Arguments#USAGE}
   * @throws InterruptedException if interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    List<String> given = List.of(args);
    if (given.contains("--help")) {
      System.out.print(Arguments.USAGE);
      return;
    }
    System.exit(exitStatus(given));
  }

  private static int exitStatus(List<String> given) throws InterruptedException {
    Settings settings;
    try {
      settings = Arguments.parse(given);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(Arguments.USAGE);
      return REFUSED;
    }
    try {
      if (!settings.from().isEmpty()) {
        List<RunData> runs = new ArrayList<>();
        for (Path file : settings.from()) {
          runs.add(SavedRun.read(file));
        }
        writePage(settings, runs);
        return 0;
      }
      if (settings.needsLoadGenerator() && !Wrk.isInstalled()) {
        System.err.printf(
            "there is no %s on the PATH; on Debian: apt-get install %s%n",
            Wrk.COMMAND, Wrk.PACKAGE);
        return REFUSED;
      }
      return run(settings, environment(settings, given)) == 0 ? 0 : FAILED;
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("cannot read or write: " + e.getMessage());
      return REFUSED;
    }
  }

  private static Map<String, String> environment(Settings settings, List<String> given)
      throws IOException {
    Map<String, String> environment = Machine.describe(given);
    if (settings.needsLoadGenerator()) {
      environment.put("load generator", Wrk.version());
    }
    return environment;
  }

  private static int run(Settings settings, Map<String, String> environment)
      throws IOException, InterruptedException {
    try (PrintStream log = new PrintStream(LOG.toFile(), StandardCharsets.UTF_8);
        Forks forks =
            settings.quick() ? new SharedJvms(LOG) : new ForkRunner(settings.pace(), log)) {
      NativePrograms natives = natives(settings, environment);
      Session session = new Session(settings, forks, natives, System.out, System.err);
      // Before anything runs: a file that cannot be written, or rows that cannot be read or are
      // not to be replaced, are better noticed now than in half an hour.
      writeOut(settings, environment, session);
      if (settings.page() != null) {
        Page.makeFolders(settings.page());
        SavedRows saved = new SavedRows(settings.page());
        saved.makeFolder();
        List<RunData> ignored = saved.readAll();
        if (settings.quick()) {
          saved.requireNothingMeasured(settings.rows());
        }
      }
      announce(settings, environment, natives.available());
      session.run();
      environment.put("forks repeated, others used the machine", "" + session.repeated());
      environment.put(Distance.FACT, session.distance());
      writePage(settings, List.of(writeOut(settings, environment, session)));
      if (session.failed() > 0) {
        System.err.println(
            "forks that FAILED: " + session.failed() + "; see " + LOG.toAbsolutePath());
      }
      return session.failed();
    }
  }

  /** Their builds take the machine: they come before the look at whether it is idle. */
  private static NativePrograms natives(Settings settings, Map<String, String> environment)
      throws IOException, InterruptedException {
    if (!settings.natives()) {
      return new NativePrograms(Map.of(), settings.pace(), LOG);
    }
    NativeTools tools = NativeTools.INSTALLED;
    var built = new NativeBuild(tools, SOURCES, LOG.resolveSibling("native"), LOG).run(System.err);
    environment.put("native peers", tools.describe(built.keySet()));
    return new NativePrograms(built, settings.pace(), LOG);
  }

  private static RunData writeOut(
      Settings settings, Map<String, String> environment, Session session) throws IOException {
    RunData data = new RunData(environment, settings.quick(), session.outcomes());
    if (settings.out() != null) {
      RawData.write(settings.out(), data, session.results());
    }
    return data;
  }

  /** Of these, and of all rows that were saved for the page before. */
  private static void writePage(Settings settings, List<RunData> runs) throws IOException {
    if (settings.page() == null) {
      return;
    }
    SavedRows rows = new SavedRows(settings.page());
    for (RunData run : runs) {
      rows.save(run);
    }
    new Page(rows.readAll()).write(settings.page());
  }

  private static void announce(
      Settings settings, Map<String, String> environment, Set<NativePeer> natives)
      throws InterruptedException {
    environment.forEach((name, value) -> System.out.println(name + ": " + value));
    if (settings.quick()) {
      System.out.println("SHORT: shows that everything works; the figures mean nothing");
    }
    warnUnlessIdle();
    System.err.printf(
        "forks: %d, about %.0f min; JMH's output goes to %s%n",
        settings.totalForks(natives),
        Math.max(1, settings.totalSeconds(natives) / 60),
        LOG.toAbsolutePath());
  }

  private static void warnUnlessIdle() throws InterruptedException {
    double busy = Machine.busyCores();
    double load = Machine.loadAverage();
    if (busy > Report.FOREIGN_CORES || load > IDLE_LOAD) {
      System.out.printf(
          "WARNING: the machine is not idle: %.2f cores busy, load average %.2f;"
              + " one busy process beside the run doubles every figure%n",
          busy, load);
    }
  }
}
