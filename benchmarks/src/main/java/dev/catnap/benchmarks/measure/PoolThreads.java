package dev.catnap.benchmarks.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a pool have used, known by their names: not the publisher, the compilers, or
 * JMH. From {@code schedstat}, which counts nanoseconds where {@code stat} counts ticks.
 *
 * @param cpuNanos their CPU time
 * @param sleeps how often one went to sleep
 * @param preempts how often one had to give way
 */
public record PoolThreads(long cpuNanos, long sleeps, long preempts) {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** Linux keeps so much of a name. */
  private static final int NAME_LENGTH = 15;

  /**
   * Reads what they have used so far.
   *
   * @param prefixes how the names of the pool's threads begin
   * @return the sum over those alive
   * @throws IllegalStateException if there is no such thread, or no such /proc
   */
  public static PoolThreads used(List<String> prefixes) {
    return used(TASKS, prefixes);
  }

  /** From a folder like that of the kernel. */
  static PoolThreads used(Path tasks, List<String> prefixes) {
    long cpu = 0;
    long sleeps = 0;
    long preempts = 0;
    int found = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        PoolThreads one = isNamed(thread, prefixes) ? of(thread) : null;
        if (one != null) {
          found++;
          cpu += one.cpuNanos;
          sleeps += one.sleeps;
          preempts += one.preempts;
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot read what threads use", e);
    }
    if (found == 0) {
      throw new IllegalStateException(
          "no thread is named " + prefixes + ", or there is no schedstat");
    }
    return new PoolThreads(cpu, sleeps, preempts);
  }

  /** Null if the thread has ended. */
  private static @Nullable PoolThreads of(Path thread) {
    ThreadSwitches switches = ThreadSwitches.of(thread);
    String time = read(thread.resolve("schedstat"));
    return switches == null || time.isEmpty()
        ? null
        : new PoolThreads(
            Long.parseLong(time.split(" ", -1)[0]), switches.voluntary(), switches.involuntary());
  }

  private static boolean isNamed(Path thread, List<String> prefixes) {
    String name = read(thread.resolve("comm"));
    return prefixes.stream()
        .anyMatch(p -> name.startsWith(p.substring(0, Math.min(p.length(), NAME_LENGTH))));
  }

  /** Empty if the thread has ended, such as a compiler's that was not needed any more. */
  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * What they have used since.
   *
   * @param earlier an earlier reading
   * @return the difference
   */
  public PoolThreads since(PoolThreads earlier) {
    return new PoolThreads(
        cpuNanos - earlier.cpuNanos, sleeps - earlier.sleeps, preempts - earlier.preempts);
  }
}
