package dev.catnap.agent;

import dev.catnap.WorkStealingScheduler;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM was told about the dispatchers of kotlinx.coroutines, by the system properties of
 * that library.
 *
 * @param parallelism of {@code Dispatchers.Default}
 * @param ioParallelism of {@code Dispatchers.IO}: so many tasks may block beside the others
 */
record CoroutineSettings(int parallelism, int ioParallelism) {
  private static final String PREFIX = "kotlinx.coroutines.";
  private static final String JDK = "jdk.virtualThreadScheduler.";
  private static final String MAX_POOL_SIZE = JDK + "maxPoolSize";
  private static final int DEFAULT_IO = 64;

  /** A constant, and so in our code: the class is in another loader. */
  private static final int MOST = WorkStealingScheduler.MAX_PARALLELISM;

  /**
   * From the system properties.
   *
   * @throws IllegalStateException if one is not a positive number that the scheduler can have
   */
  static CoroutineSettings read() {
    int processors = Runtime.getRuntime().availableProcessors();
    int parallelism = number("scheduler.core.pool.size", processors);
    int io = number("io.parallelism", Math.max(DEFAULT_IO, processors));
    return new CoroutineSettings(parallelism, Math.min(io, MOST - parallelism));
  }

  /**
   * On one pool with virtual threads, which has read the same properties before, and found them
   * good: says so if the number of its threads leaves {@code Dispatchers.IO} fewer than it is to
   * have.
   */
  void sayIfIoIsCut() {
    if (System.getProperty(MAX_POOL_SIZE) == null) {
      return; // there are enough by default
    }
    int threads = told(MAX_POOL_SIZE, MOST);
    int workers = Math.min(told(JDK + "parallelism", parallelism), threads);
    int left = Math.max(1, threads - workers);
    if (left < ioParallelism) {
      Complaint.say(
          MAX_POOL_SIZE
              + "="
              + threads
              + " leaves Dispatchers.IO "
              + left
              + (left == 1 ? " task" : " tasks")
              + " at once instead of "
              + ioParallelism);
    }
  }

  private static int told(String property, int otherwise) {
    String value = System.getProperty(property);
    return value == null ? otherwise : Integer.parseInt(value);
  }

  private static int number(String name, int otherwise) {
    String value = System.getProperty(PREFIX + name);
    if (value == null) {
      return otherwise;
    }
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw notANumber(name, value, e);
    }
    if (number < 1 || number > MOST) {
      throw notANumber(name, value, null);
    }
    return number;
  }

  private static IllegalStateException notANumber(
      String name, String value, @Nullable Throwable cause) {
    return new IllegalStateException(
        PREFIX + name + " must be a number from 1 to " + MOST + " and is \"" + value + '"', cause);
  }
}
