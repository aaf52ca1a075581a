package dev.catnap.benchmarks.http;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The load generator wrk: a thread of its own process, and 64 connections, each of which sends a
 * request, waits for the answer, perhaps for a while more, and sends the next one.
 */
public final class Wrk {
  /** What it is called on the command line. */
  public static final String COMMAND = "wrk";

  /** The Debian package. */
  public static final String PACKAGE = "wrk";

  /** How many at a time. */
  public static final int CONNECTIONS = 64;

  /** More than it needs to end. */
  private static final long PATIENCE_SECONDS = 30;

  private static final String RESULT = "result ";

  /** In microseconds, as wrk counts them. */
  private static final String REPORT =
      """
      done = function(summary, latency, requests)
        local e = summary.errors
        io.write(string.format("%s%%d %%d %%d %%d %%d\\n",
          summary.requests, summary.duration,
          e.connect + e.read + e.write + e.status + e.timeout,
          latency:percentile(50), latency:percentile(99)))
      end
      """
          .formatted(RESULT);

  /**
   * What came of it.
   *
   * @param requests answered
   * @param micros how long it took
   * @param p50Micros from a request to its answer
   * @param p99Micros of the same
   */
  public record Result(long requests, long micros, long p50Micros, long p99Micros) {
    /**
     * Throughput.
     *
     * @return requests per second
     */
    public double perSecond() {
      return requests * 1e6 / micros;
    }
  }

  private Wrk() {}

  /**
   * Whether there is one.
   *
   * @return true: on the path
   */
  public static boolean isInstalled() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, COMMAND)));
  }

  /**
   * Its version.
   *
   * @return such as {@code wrk 4.1.0}
   * @throws IOException if there is none
   */
  public static String version() throws IOException {
    Process process = new ProcessBuilder(COMMAND, "-v").redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said.lines().findFirst().orElse("").replaceFirst(" \\[.*", "");
  }

  /**
   * Sends requests.
   *
   * @param url where to
   * @param seconds for so long
   * @param thinkMillis how long a connection waits between an answer and the next request, on
   *     average; 0: as many requests as can be answered
   * @return what came of it
   * @throws IOException if a request failed, or there is no wrk
   * @throws InterruptedException if interrupted
   */
  public static Result run(String url, int seconds, double thinkMillis)
      throws IOException, InterruptedException {
    Path script = Files.createTempFile("wrk", ".lua");
    try {
      Files.writeString(script, thinkMillis > 0 ? REPORT + think(thinkMillis) : REPORT);
      return result(output(url, seconds, script));
    } finally {
      Files.delete(script);
    }
  }

  /** Whole milliseconds, which is all that wrk takes; the same on average. */
  private static String think(double millis) {
    return """
    delay = function()
      return math.floor(math.random() * 2 * %s + math.random())
    end
    """
        .formatted(String.format(Locale.ROOT, "%.3f", millis));
  }

  private static String output(String url, int seconds, Path script)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                COMMAND,
                "-t1",
                "-c" + CONNECTIONS,
                "-d" + seconds + "s",
                "-s",
                script.toString(),
                url)
            .redirectErrorStream(true)
            .start();
    try {
      // It writes some lines, which a pipe holds.
      if (!process.waitFor(seconds + PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(COMMAND + " does not end");
      }
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  static Result result(String output) throws IOException {
    String line =
        output
            .lines()
            .filter(l -> l.startsWith(RESULT))
            .findFirst()
            .orElseThrow(() -> new IOException("no result in: " + output));
    List<Long> n =
        Stream.of(line.substring(RESULT.length()).split(" ", -1)).map(Long::parseLong).toList();
    if (n.get(0) == 0 || n.get(2) != 0) {
      throw new IOException(n.get(0) + " requests were answered, " + n.get(2) + " failed");
    }
    return new Result(n.get(0), n.get(1), n.get(3), n.get(4));
  }
}
