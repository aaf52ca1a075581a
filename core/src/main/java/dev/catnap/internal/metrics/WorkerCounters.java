package dev.catnap.internal.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counts of one worker. Written by its thread alone, with a plain read and an opaque write (no
 * locked instruction, no fence), so counting costs next to nothing; read by anybody. Lies in the
 * worker's own memory, which no other thread writes.
 */
@SuppressWarnings(
    "EnumOrdinal") // only to find the place in this array, which lives as long as the class
public final class WorkerCounters {

  /** What is counted. */
  public enum Count {
    /** Tasks published by tasks on this worker. */
    PUBLISHED,
    /** Of these, put into its slot. */
    SLOTTED,
    /** Tasks begun. */
    EXECUTED,
    /** Of these, such as it was called for as a spare. */
    CALLED,
    /** Tasks taken from other workers. */
    STOLEN,
    /** Tasks taken from the injector. */
    POLLED,
    /** Tasks moved from its full queue to the injector. */
    OVERFLOWED,
    /** Unparks made. */
    WAKES,
    /** Wakes received that found nothing. */
    FUTILE_WAKES,
    /** Times gone to sleep. */
    PARKS,
    /** Tasks that threw. */
    UNCAUGHT
  }

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs in 128 bytes: padding against whatever is allocated beside the array. */
  private static final int PAD = 16;

  private final long[] counts = new long[PAD + Count.values().length + PAD];

  /** Owner only. */
  public void increment(Count count) {
    add(count, 1);
  }

  /** Owner only. */
  public void add(Count count, long n) {
    int i = PAD + count.ordinal();
    CELL.setOpaque(counts, i, counts[i] + n);
  }

  /** Any thread. */
  public long get(Count count) {
    return (long) CELL.getOpaque(counts, PAD + count.ordinal());
  }
}
