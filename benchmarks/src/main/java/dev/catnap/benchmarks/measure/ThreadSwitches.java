package dev.catnap.benchmarks.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often a thread was switched off its core since it started.
 *
 * @param voluntary because it slept
 * @param involuntary because another took its place
 */
record ThreadSwitches(long voluntary, long involuntary) {
  static final ThreadSwitches NONE = new ThreadSwitches(0, 0);

  private static final Path TASKS = Path.of("/proc/self/task");

  /** By thread id; empty where there is no such /proc. */
  static Map<String, ThreadSwitches> ofThisProcess() {
    Map<String, ThreadSwitches> switches = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
      for (Path thread : threads) {
        ThreadSwitches counts = of(thread);
        if (counts != null) {
          switches.put(thread.getFileName().toString(), counts);
        }
      }
    } catch (IOException e) {
      return Map.of();
    }
    return switches;
  }

  /** Null if the thread has ended. */
  static @Nullable ThreadSwitches of(Path thread) {
    long voluntary = 0;
    long involuntary = 0;
    try {
      for (String line : Files.readAllLines(thread.resolve("status"))) {
        if (line.startsWith("voluntary_ctxt_switches:")) {
          voluntary = number(line);
        } else if (line.startsWith("nonvoluntary_ctxt_switches:")) {
          involuntary = number(line);
        }
      }
    } catch (IOException e) {
      return null;
    }
    return new ThreadSwitches(voluntary, involuntary);
  }

  /** Since an earlier reading of the same thread, or of another that had its id before. */
  ThreadSwitches since(ThreadSwitches earlier) {
    boolean same = voluntary >= earlier.voluntary && involuntary >= earlier.involuntary;
    return same
        ? new ThreadSwitches(voluntary - earlier.voluntary, involuntary - earlier.involuntary)
        : this;
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
  }
}
