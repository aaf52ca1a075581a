package dev.catnap.internal.sleep;

import dev.catnap.internal.atomic.PaddedLong;

/**
 * The one word that publishers and sleepers share.
 *
 * <pre>
 *   63            32 31        16 15         0
 *   |      JEC      |  inactive  |  sleeping  |
 * </pre>
 *
 * <ul>
 *   <li><i>inactive</i>: workers that search or sleep; <i>sleeping</i>: workers registered as
 *       asleep; <i>searching</i> = inactive - sleeping, less one for every wake under way, and so
 *       below zero at times: see {@link #nobodySearches}.
 *   <li>JEC, the jobs event counter: even is <i>sleepy</i> (nothing was published since the last
 *       announcement), odd is <i>active</i> (something was). Its width is a parameter, so that a
 *       checker sees it roll over; no guarantee depends on its not doing so.
 * </ul>
 *
 * <p>Every transition, who makes it, and what it does:
 *
 * <pre>
 *   startSearch   a worker without work               inactive += 1
 *   endSearch     a worker that found work or leaves  inactive -= 1
 *   announce      a worker about to sleep             JEC odd to even
 *   markActive    a publisher                         JEC even to odd
 *   tryRegister   a worker about to sleep             sleeping += 1, if the JEC is still the announced one
 *   deregister    whoever claimed a sleeper's latch   sleeping -= 1
 * </pre>
 *
 * Only these leave this class; nobody else shifts or masks the word. All are sequentially
 * consistent.
 */
public final class CounterWord {
  /**
   * Half of what a 16-bit count holds: <i>sleeping</i> may exceed the number of workers, because
   * one that was claimed may register again before its waker has decremented.
   */
  public static final int MAX_WORKERS = (1 << 15) - 1;

  private static final int INACTIVE_SHIFT = 16;
  private static final int JEC_SHIFT = 32;
  private static final long COUNT_MASK = (1L << 16) - 1;
  private static final long ONE_SLEEPING = 1L;
  private static final long ONE_INACTIVE = 1L << INACTIVE_SHIFT;
  private static final long BELOW_JEC = (1L << JEC_SHIFT) - 1;

  private final PaddedLong word;
  private final long jecMask;

  /**
   * Starts with nobody inactive.
   *
   * @param jecBits width of the JEC, 1 to 32
   * @param initialJec its first value, cut to that width
   */
  public CounterWord(int jecBits, int initialJec) {
    if (jecBits < 1 || jecBits > 32) {
      throw new IllegalArgumentException("jecBits must be 1 to 32: " + jecBits);
    }
    jecMask = (1L << jecBits) - 1;
    word = new PaddedLong((initialJec & jecMask) << JEC_SHIFT);
  }

  long read() {
    return word.getVolatile();
  }

  /** Returns the word as it was before. */
  long startSearch() {
    return word.getAndAdd(ONE_INACTIVE);
  }

  /** Returns the word as it is after. */
  long endSearch() {
    return word.getAndAdd(-ONE_INACTIVE) - ONE_INACTIVE;
  }

  /** Makes the JEC even and returns it; it was read after the announcement, never before. */
  long announce() {
    for (; ; ) {
      long w = word.getVolatile();
      if (isSleepy(w)) {
        return jec(w);
      }
      long announced = withNextJec(w);
      if (word.compareAndSet(w, announced)) {
        return jec(announced);
      }
    }
  }

  /** Makes the JEC odd, unless it is, and returns a word in which it was. */
  long markActive() {
    for (; ; ) {
      long w = word.getVolatile();
      if (!isSleepy(w)) {
        return w;
      }
      long active = withNextJec(w);
      if (word.compareAndSet(w, active)) {
        return active;
      }
    }
  }

  /** Counts one more sleeper, unless the JEC is no longer {@code announcedJec}. */
  boolean tryRegister(long announcedJec) {
    for (; ; ) {
      long w = word.getVolatile();
      if (jec(w) != announcedJec) {
        return false;
      }
      if (word.compareAndSet(w, w + ONE_SLEEPING)) {
        return true;
      }
    }
  }

  /** Whether the JEC is no longer {@code announcedJec}. */
  boolean hasMoved(long announcedJec) {
    return jec(read()) != announcedJec;
  }

  void deregister() {
    word.getAndAdd(-ONE_SLEEPING);
  }

  private long withNextJec(long w) {
    return (w & BELOW_JEC) | (((jec(w) + 1) & jecMask) << JEC_SHIFT);
  }

  static int sleeping(long w) {
    return (int) (w & COUNT_MASK);
  }

  static int inactive(long w) {
    return (int) ((w >>> INACTIVE_SHIFT) & COUNT_MASK);
  }

  static int searching(long w) {
    return inactive(w) - sleeping(w);
  }

  /**
   * Less than zero counts as nobody. The waker decrements <i>sleeping</i> after its claim, and
   * meanwhile:
   *
   * <pre>
   *   T1 publisher                T2 worker, committed             T3 worker, asleep
   *   claims T2
   *                               sees it at its FinalCheck
   *                               finds the task, inactive -= 1    (inactive 1, sleeping 2)
   *                               its task publishes another:
   *                               searching = -1, so nobody
   *                               searches; T3 must be woken
   *   sleeping -= 1
   * </pre>
   */
  static boolean nobodySearches(long w) {
    return searching(w) <= 0;
  }

  static long jec(long w) {
    return w >>> JEC_SHIFT;
  }

  static boolean isSleepy(long w) {
    return (jec(w) & 1) == 0;
  }

  @Override
  public String toString() {
    long w = read();
    return "jec=" + jec(w) + " inactive=" + inactive(w) + " sleeping=" + sleeping(w);
  }
}
