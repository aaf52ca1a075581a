package dev.catnap.model;

import dev.catnap.model.Configuration.Search;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs TLC in a JVM of its own: it keeps its state in statics. */
final class Tlc {
  private static final Pattern VIOLATED =
      Pattern.compile("(?:Invariant|Action property|Property) (\\w+) is violated");
  private static final Pattern STATES = Pattern.compile("states generated(?:, |: )(\\d+)");
  private static final String HOLDS = "Model checking completed. No error has been found.";
  private static final String LIVENESS = "Temporal properties were violated.";

  /** Far more than it takes: where a change of the model hides a violation, they come to an end. */
  private static final int WALKS = 20_000;

  /** Each run takes the same walks; with this one they reach each violation soon. */
  private static final String WALKS_SEED = "2";

  /**
   * What came out.
   *
   * @param outcome as {@link Configuration#expected}, or {@code fails} and where the output is
   * @param states distinct states found, all of them or those up to the violation; of walks all
   *     that they came through
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
    Path ours = Path.of(TlcMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> command = new ArrayList<>();
    Collections.addAll(
        command,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx2g",
        // A short run is over before the second compiler has paid for itself; a long one takes
        // half.
        c.search() == Search.ALL_LONG ? "-XX:TieredStopAtLevel=4" : "-XX:TieredStopAtLevel=1",
        // One worker, so no collector threads either: two of these processes fill two cores.
        "-XX:+UseSerialGC",
        // TLC unpacks its standard modules there, and two processes would do it at the same place.
        "-Djava.io.tmpdir=" + states,
        "-cp",
        String.join(File.pathSeparator, jar.toString(), ours.toString()),
        TlcMain.class.getName(),
        "-workers",
        "1",
        // A state in which nobody does anything is no deadlock: it is an idle pool.
        "-deadlock",
        "-metadir",
        states.toString(),
        "-config",
        c.file().getFileName().toString());
    if (c.search() == Search.WALKS) {
      Collections.addAll(command, "-simulate", "num=" + WALKS, "-seed", WALKS_SEED);
    }
    command.add(c.module() + ".tla");
    return command;
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
        .mapToLong(m -> Long.parseLong(m.group(1)))
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
