package dev.catnap.loom.internal;

import dev.catnap.WorkStealingScheduler;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM was told about its scheduler of virtual threads, by the JDK's own system properties
 * and with the JDK's own limits: more threads than there can be count as so many, more workers are
 * refused.
 */
record JvmSettings(int parallelism, int maxThreads) {
  private static final String PREFIX = "jdk.virtualThreadScheduler.";
  private static final int DEFAULT_MAX_THREADS = 256;

  private static final int MOST = WorkStealingScheduler.MAX_PARALLELISM;

  /**
   * From the system properties. A third one, {@code minRunnable}, tells how eagerly a fork/join
   * pool compensates, and means nothing here.
   *
   * @param defaultParallelism if it was told nothing
   * @param spares beside the parallelism, if it was not told how many threads in all
   * @throws IllegalStateException if one is not a positive number, or there cannot be so many
   *     workers
   */
  static JvmSettings read(int defaultParallelism, int spares) {
    Integer parallelism = number("parallelism");
    Integer maxThreads = number("maxPoolSize");
    int wanted = parallelism != null ? parallelism : defaultParallelism;
    int workers = maxThreads != null ? Math.min(wanted, maxThreads) : wanted;
    if (workers > MOST) {
      throw new IllegalStateException(
          PREFIX + "parallelism must be at most " + MOST + " and is " + workers);
    }
    int all = maxThreads != null ? maxThreads : Math.max(workers + spares, DEFAULT_MAX_THREADS);
    return new JvmSettings(workers, Math.min(all, MOST));
  }

  private static @Nullable Integer number(String name) {
    String value = System.getProperty(PREFIX + name);
    if (value == null) {
      return null;
    }
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw notANumber(name, value, e);
    }
    throw notANumber(name, value, null);
  }

  private static IllegalStateException notANumber(
      String name, String value, @Nullable Throwable cause) {
    return new IllegalStateException(
        PREFIX + name + " must be a positive number and is \"" + value + '"', cause);
  }
}
