// Not formatted: an argument in each line would hide the four methods.
package dev.catnap.internal.stack;

/**
 * Whether the stack is deep enough to go on. A {@link StackOverflowError} inside the sleep protocol
 * would leave a worker counted that does not search any more, and then nobody is woken for later
 * tasks. So who enters it from the bottom of a recursion tries before.
 */
public final class Headroom {
  /**
   * Rounds of four frames each: some 8 KB compiled and 21 KB interpreted, a few times what the
   * protocol needs. With those of {@link #MORE} not more than nineteen, and in four methods, for a
   * model checker takes more than twenty calls of one method in a row for a loop that never ends.
   */
  private static final int ROUNDS = 16;

  /** For the frames between two questions. */
  private static final int MORE = 3;

  private Headroom() {}

  /** False: too little is left. */
  public static boolean isThere() {
    return fits(ROUNDS);
  }

  /** So much that {@link #isThere} is true a few frames further on. */
  public static boolean isThereAndToSpare() {
    return fits(ROUNDS + MORE);
  }

  private static boolean fits(int rounds) {
    try {
      return first(rounds, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14) != 0;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  // Each argument is needed after the call, so each frame holds all of them.

  private static long first(
      int rounds, long a, long b, long c, long d, long e, long f, long g,
      long h, long i, long j, long k, long l, long m, long n) {
    return rounds == 0 ? a
        : second(rounds, b, c, d, e, f, g, h, i, j, k, l, m, n, a)
            + a + b + c + d + e + f + g + h + i + j + k + l + m + n;
  }

  private static long second(
      int rounds, long a, long b, long c, long d, long e, long f, long g,
      long h, long i, long j, long k, long l, long m, long n) {
    return third(rounds, b, c, d, e, f, g, h, i, j, k, l, m, n, a)
        + a + b + c + d + e + f + g + h + i + j + k + l + m + n;
  }

  private static long third(
      int rounds, long a, long b, long c, long d, long e, long f, long g,
      long h, long i, long j, long k, long l, long m, long n) {
    return fourth(rounds, b, c, d, e, f, g, h, i, j, k, l, m, n, a)
        + a + b + c + d + e + f + g + h + i + j + k + l + m + n;
  }

  private static long fourth(
      int rounds, long a, long b, long c, long d, long e, long f, long g,
      long h, long i, long j, long k, long l, long m, long n) {
    return first(rounds - 1, b, c, d, e, f, g, h, i, j, k, l, m, n, a)
        + a + b + c + d + e + f + g + h + i + j + k + l + m + n;
  }
}
