package dev.catnap.lincheck;

import java.nio.ByteBuffer;

/**
 * How many interleavings Lincheck has run in this JVM: a suite names the most, and a scenario may
 * have fewer.
 */
final class Explored {
  /**
   * Off the heap: what is on it Lincheck follows access by access, and puts back as it was before
   * the next interleaving.
   */
  private static final ByteBuffer INTERLEAVINGS = ByteBuffer.allocateDirect(Long.BYTES);

  private Explored() {}

  /** One more; called where only one thread runs. */
  static void one() {
    INTERLEAVINGS.putLong(0, sum() + 1);
  }

  static long sum() {
    return INTERLEAVINGS.getLong(0);
  }
}
