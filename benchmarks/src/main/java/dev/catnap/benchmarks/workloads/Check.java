package dev.catnap.benchmarks.workloads;

import java.util.Arrays;

/** How workloads check their own results, so that a fast wrong scheduler fails. */
public final class Check {

  private Check() {}

  /**
   * Checks that every part came out as it must.
   *
   * @param expected what each part must be
   * @param parts what they are
   * @return their sum
   * @throws IllegalStateException if one differs
   */
  public static long eachIs(long expected, long[] parts) {
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] != expected) {
        throw new IllegalStateException(
            "part " + i + " of " + parts.length + " is " + parts[i] + ", not " + expected);
      }
    }
    return Arrays.stream(parts).sum();
  }
}
