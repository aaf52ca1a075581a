package dev.catnap.benchmarks.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
    long cpu = 0;
    long sleeps = 0;
    long preempts = 0;
    int found = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
      for (Path thread : threads) {
        if (isNamed(thread, prefixes)) {
          found++;
          cpu += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[0]);
          ThreadSwitches switches = ThreadSwitches.of(thread);
          if (switches != null) {
            sleeps += switches.voluntary();
            preempts += switches.involuntary();
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot read what threads use", e);
    }
    if (found == 0) {
      throw new IllegalStateException("no thread is named " + prefixes);
    }
    return new PoolThreads(cpu, sleeps, preempts);
  }

  private static boolean isNamed(Path thread, List<String> prefixes) throws IOException {
    String name = Files.readString(thread.resolve("comm"));
    return prefixes.stream()
        .anyMatch(p -> name.startsWith(p.substring(0, Math.min(p.length(), NAME_LENGTH))));
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
