package dev.catnap.internal.worker;

/** From a key to a worker. */
public final class KeySpread {
  private KeySpread() {}

  /**
   * Spreads keys whose hash codes differ in a few bits only: numbers in a row, or those that have a
   * common divisor with {@code n}. The multiplier is 2^32 divided by the golden ratio (Knuth's
   * multiplicative hashing); the upper bits of the product depend on all bits of the hash.
   *
   * @param n above zero
   * @return not negative, below {@code n}; the same for equal keys
   */
  public static int indexOf(Object key, int n) {
    int h = key.hashCode();
    int mixed = (h ^ (h >>> 16)) * 0x9E3779B9;
    return (int) (((mixed & 0xFFFFFFFFL) * n) >>> 32);
  }
}
