package dev.catnap.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs TLC in a JVM of its own: it keeps its state in statics. */
final class Tlc {
  private static final Pattern VIOLATED =
      Pattern.compile("(?:Invariant|Action property|Property) (\\w+) is violated");
  private static final Pattern STATES =
      Pattern.compile("(\\d+) states generated, (\\d+) distinct states found");
  private static final String HOLDS = "Model checking completed. No error has been found.";
  private static final String LIVENESS = "Temporal properties were violated.";

  /**
   * What came out.
   *
   * @param outcome as {@link Configuration#expected}, or {@code fails} and where the output is
   * @param states distinct states found, all of them or those up to the violation
   */
  record Result(Configuration configuration, String outcome, long states, double seconds) {
    boolean isExpected() {
      return outcome.equals(configuration.expected());
    }
  }

  private final Path outputs;
  private final long timeoutMinutes;

  /**
   * A runner.
   *
   * @param outputs where the output of each run goes, traces included
   * @param timeoutMinutes after which a run has failed
   */
  Tlc(Path outputs, long timeoutMinutes) {
    this.outputs = outputs;
    this.timeoutMinutes = timeoutMinutes;
  }

  Result run(Configuration c) throws IOException, InterruptedException, URISyntaxException {
    Path output = outputs.resolve(c.name() + ".txt");
    // TLC writes its states to the disk.
    Path states = Files.createTempDirectory("catnap-model");
    long start = System.nanoTime();
    try {
      Process process =
          new ProcessBuilder(command(c, states))
              .directory(c.file().getParent().toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean over = false;
      try {
        over = process.waitFor(timeoutMinutes, TimeUnit.MINUTES);
      } finally {
        process.destroyForcibly().waitFor();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      String text = Files.readString(output);
      return new Result(
          c, over ? outcome(c, text, output) : "fails: timeout", states(text), seconds);
    } finally {
      delete(states);
    }
  }

  private static List<String> command(Configuration c, Path states) throws URISyntaxException {
    Path jar = Path.of(tlc2.TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx2g",
        // A short run is over before the second compiler has paid for itself.
        c.inBuild() ? "-XX:TieredStopAtLevel=1" : "-XX:TieredStopAtLevel=4",
        // One worker, so no collector threads either: two of these processes fill two cores.
        "-XX:+UseSerialGC",
        // TLC unpacks its standard modules there, and two processes would do it at the same place.
        "-Djava.io.tmpdir=" + states,
        "-cp",
        jar.toString(),
        "tlc2.TLC",
        "-workers",
        "1",
        // A state in which nobody does anything is no deadlock: it is an idle pool.
        "-deadlock",
        "-metadir",
        states.toString(),
        "-config",
        c.file().getFileName().toString(),
        c.module() + ".tla");
  }

  private static String outcome(Configuration c, String text, Path output) {
    if (text.contains(HOLDS)) {
      return "hold";
    }
    MatchResult violated = VIOLATED.matcher(text).results().findFirst().orElse(null);
    if (violated != null) {
      return "violates " + violated.group(1);
    }
    if (text.contains(LIVENESS) && c.properties().size() == 1) {
      return "violates " + c.properties().get(0);
    }
    return "fails: see " + output;
  }

  private static long states(String text) {
    return STATES
        .matcher(text)
        .results()
        .mapToLong(m -> Long.parseLong(m.group(2)))
        .max()
        .orElse(0);
  }

  private static void delete(Path directory) throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(directory)) {
      all = paths.toList();
    }
    for (Path p : all.reversed()) {
      Files.delete(p);
    }
  }
}
