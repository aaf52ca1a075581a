package dev.catnap.benchmarks.runner;

import java.util.Locale;

/** Numbers with about three digits that count, always with a decimal point. */
final class Numbers {

  private Numbers() {}

  static String figure(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double size = Math.abs(value);
    String format = size >= 99.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  static String range(Statistics.Interval range) {
    return "[" + figure(range.low()) + ".." + figure(range.high()) + "]";
  }
}
