package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Metric;
import java.util.List;
import java.util.Map;

/** Reads what a native program prints: a line per iteration, as {@code rust/harness.rs} says. */
final class NativeOutput {
  private static final int FIELDS = 4;
  private static final double NANOS_PER_MICRO = 1_000;

  private NativeOutput() {}

  /**
   * The means over the iterations, as JMH takes them.
   *
   * @param lines all that it printed
   * @param iterations how many lines there must be
   * @param result what each must end with
   * @throws IllegalArgumentException with the line that is wrong
   */
  static Fork fork(List<String> lines, int iterations, long result) {
    if (lines.size() != iterations) {
      throw new IllegalArgumentException(
          "printed " + lines.size() + " iterations, not " + iterations + ": " + lines);
    }
    double time = 0;
    double cpu = 0;
    for (String line : lines) {
      long[] numbers = numbers(line);
      if (numbers[3] != result) {
        throw new IllegalArgumentException("the result is not " + result + ": " + line);
      }
      time += numbers[1] / NANOS_PER_MICRO / numbers[0];
      cpu += numbers[2] / NANOS_PER_MICRO / numbers[0];
    }
    return new Fork(Map.of(Metric.TIME, time / iterations, Metric.CPU, cpu / iterations));
  }

  private static long[] numbers(String line) {
    String[] fields = line.split(" ", -1);
    long[] numbers = new long[fields.length];
    try {
      for (int i = 0; i < fields.length; i++) {
        numbers[i] = Long.parseLong(fields[i]);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not an iteration: " + line, e);
    }
    if (numbers.length != FIELDS || numbers[0] <= 0) {
      throw new IllegalArgumentException("not an iteration: " + line);
    }
    return numbers;
  }
}
