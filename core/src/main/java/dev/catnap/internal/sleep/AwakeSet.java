package dev.catnap.internal.sleep;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The workers that may have tasks in their queues, a bit for each: who looks for work reads one
 * word instead of the latches of all, three cache lines for each of 64 workers of whom two are
 * awake.
 *
 * <p>Each worker adds and removes itself, so all that it pushes lies between the two in its own
 * program order. Adding is a read-modify-write, and so comes before the push for everybody: who
 * sees a task of a worker that it did not see here was told by its publish.
 *
 * <pre>
 *   T1 a worker                       T2 another, falling asleep
 *                                     Register
 *                                     SleepFence; T1 is not here: its queues are not read
 *   adds itself
 *   push
 *   PushFence; T2 is registered: wakes it
 * </pre>
 *
 * Thread-safe, for one caller at a time and index; lock-free.
 */
final class AwakeSet {
  /** In longs: two cache lines, which are fetched together. */
  private static final int PADDING = 16;

  private final AtomicLongArray words;

  /** Empty; for indices below {@code capacity}. */
  AwakeSet(int capacity) {
    words = new AtomicLongArray(PADDING + (capacity + Long.SIZE - 1) / Long.SIZE + PADDING);
  }

  /** It must not be in the set. */
  void add(int index) {
    words.getAndAdd(word(index), 1L << index); // no carry: the bit is 0
  }

  /** It must be in the set. */
  void remove(int index) {
    words.getAndAdd(word(index), -(1L << index));
  }

  /** The first from {@code from} on and below {@code to}; -1: none. */
  int next(int from, int to) {
    int i = from;
    while (i < to) {
      long bits = words.getOpaque(word(i)) >>> i; // by the lowest six bits of i
      if (bits != 0) {
        int found = i + Long.numberOfTrailingZeros(bits);
        return found < to ? found : -1;
      }
      i = (i | (Long.SIZE - 1)) + 1;
    }
    return -1;
  }

  private static int word(int index) {
    return PADDING + index / Long.SIZE;
  }
}
