package dev.catnap.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the kernel accounts to one thread: context switches of both kinds, and nanoseconds on a
 * processor. Read from /proc, so Linux only.
 *
 * @param switches voluntary and involuntary context switches
 * @param cpuNanos time on a processor
 */
public record ProcTask(long switches, long cpuNanos) {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** The threads of this process whose name starts with {@code prefix}, by id and name. */
  public static Map<String, ProcTask> read(String prefix) throws IOException {
    Map<String, ProcTask> found = new TreeMap<>();
    try (Stream<Path> tasks = Files.list(TASKS)) {
      for (Path task : tasks.toList()) {
        String name = Files.readString(task.resolve("comm")).strip();
        if (name.startsWith(prefix)) {
          found.put(task.getFileName() + " " + name, read(task));
        }
      }
    }
    return found;
  }

  private static ProcTask read(Path task) throws IOException {
    long switches = 0;
    for (String line : Files.readAllLines(task.resolve("status"))) {
      if (line.contains("ctxt_switches")) {
        switches += Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    String schedstat = Files.readString(task.resolve("schedstat"));
    String onCpu = schedstat.substring(0, schedstat.indexOf(' '));
    return new ProcTask(switches, Long.parseLong(onCpu));
  }
}
