package dev.catnap.internal.fork;

import dev.catnap.internal.atomic.PaddedLong;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The deque of Chase and Lev: its owner pushes and pops the newest, thieves take the oldest, one at
 * a time. The newest is what the owner needs next and has in its cache; the oldest is the largest
 * part of a tree. Rayon and Cilk do the same. It grows, and is as small as at first after {@link
 * #trim}.
 *
 * <p>Only the last task is contended: the owner moves {@code next} down before it looks at {@code
 * oldest}, a thief reads both in the other order, and where they meet, one CAS on {@code oldest}
 * decides. The order needs a store to be seen before a later load:
 *
 * <pre>
 *   T1 owner                         T2 thief
 *   next = 4 (in the store buffer)
 *   reads oldest = 3: not the last
 *                                    reads oldest = 3, takes 3; reads oldest = 4
 *                                    reads next = 5, takes 4
 *   takes 4 as well
 * </pre>
 *
 * <p>{@link #push} writes {@code next} with the same effect, and so is Push and PushFence of the
 * sleep protocol at once.
 *
 * <p>Indices are 64 bits wide and may wrap. Progress: the owner is wait-free but for growth; a
 * thief retries only when somebody else took something.
 */
public final class ForkDeque {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(ForkTask[].class);

  /** The largest power of two that an array can have. */
  private static final int LARGEST = 1 << 30;

  /** Next index to take by thieves. Moved by CAS: by thieves, and by the owner for the last. */
  private final PaddedLong oldest;

  /** Next index to fill. Written by the owner alone. */
  private final PaddedLong next;

  /** Written by the owner, when the tasks are copied, or there are none; a power of two long. */
  private volatile @Nullable ForkTask[] ring;

  /** That of the beginning, kept: to go back must need no memory. */
  private final @Nullable ForkTask[] first;

  /**
   * An empty deque.
   *
   * @param capacity of the first ring, a power of two
   * @param initialIndex where the indices start; a checker starts near the wrap
   */
  public ForkDeque(int capacity, long initialIndex) {
    if (capacity < 1 || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("capacity must be a power of two: " + capacity);
    }
    first = new ForkTask[capacity];
    ring = first;
    oldest = new PaddedLong(initialIndex);
    next = new PaddedLong(initialIndex);
  }

  /**
   * Owner only.
   *
   * @throws OutOfMemoryError if there is no room for it; nothing has changed then
   */
  public void push(ForkTask task) {
    long n = next.getPlain();
    @Nullable ForkTask[] r = ring;
    // Acquire: a cell that a thief freed is written only after that thief's read of it.
    if (n - oldest.getAcquire() >= r.length) {
      r = grow(r, n);
    }
    CELL.setOpaque(r, at(r, n), task);
    next.setVolatile(n + 1);
  }

  private @Nullable ForkTask[] grow(@Nullable ForkTask[] full, long end) {
    if (full.length == LARGEST) {
      throw new OutOfMemoryError("a worker has forked " + LARGEST + " tasks that wait");
    }
    @Nullable ForkTask[] larger = new ForkTask[2 * full.length];
    for (long i = oldest.getAcquire(); i - end < 0; i++) {
      larger[at(larger, i)] = cell(full, at(full, i));
    }
    // Volatile, and before the owner writes next: a thief that sees a later task sees this ring.
    // One that still reads the old ring finds there what lay there: nobody writes it any more, but
    // to forget what was stolen.
    ring = larger;
    return larger;
  }

  /**
   * Owner only. If there are no tasks: gives back what room the most that there were took, and
   * forgets what a growth has left in the first ring. A thief that reads there is too late: it
   * chose its task when there was one, and the last of those was claimed at {@code oldest}, so its
   * CAS fails.
   */
  public void trim() {
    if (ring == first || !isEmpty()) {
      return;
    }
    for (int i = 0; i < first.length; i++) {
      CELL.setOpaque(first, i, (ForkTask) null);
    }
    ring = first;
  }

  /** Owner only. Takes the newest if that is {@code task}; else it is stolen, or not the newest. */
  public boolean popIf(ForkTask task) {
    long n = next.getPlain() - 1;
    @Nullable ForkTask[] r = ring;
    return cell(r, at(r, n)) == task && claim(r, n);
  }

  /** Owner only. Takes the newest, or null when there is none. */
  public @Nullable ForkTask pop() {
    long n = next.getPlain() - 1;
    if (n - oldest.getAcquire() < 0) {
      return null;
    }
    @Nullable ForkTask[] r = ring;
    ForkTask task = cell(r, at(r, n));
    return claim(r, n) ? task : null;
  }

  private boolean claim(@Nullable ForkTask[] r, long newest) {
    next.setVolatile(newest); // before the read of oldest, see above
    long o = oldest.getVolatile();
    boolean mine = newest - o > 0;
    if (!mine) {
      mine = newest == o && oldest.compareAndSet(o, o + 1); // the last: owner and thieves
      next.setRelease(newest + 1); // empty, and both indices equal again
    }
    if (mine) {
      CELL.setOpaque(r, at(r, newest), (ForkTask) null);
    }
    return mine;
  }

  /** Any thread but the owner. Takes the oldest, or null when there is none. */
  public @Nullable ForkTask steal() {
    for (; ; ) {
      long o = oldest.getVolatile();
      if (next.getVolatile() - o <= 0) {
        return null;
      }
      @Nullable ForkTask[] r = ring; // after next: see grow
      int i = at(r, o);
      ForkTask task = cell(r, i);
      if (oldest.compareAndSet(o, o + 1)) {
        // Forgotten, so that it can be collected. The owner may have filled the cell again, but
        // never with the same task.
        CELL.compareAndSet(r, i, task, (ForkTask) null);
        return task;
      }
    }
  }

  /** Any thread. Volatile reads, for the FinalCheck. */
  public boolean isEmpty() {
    return next.getVolatile() - oldest.getVolatile() <= 0;
  }

  /** Any thread. A snapshot for dumps and statistics. */
  public int size() {
    return (int) Math.max(0, next.getOpaque() - oldest.getOpaque());
  }

  /** The number of cells at present. */
  int capacity() {
    return ring.length;
  }

  private static int at(@Nullable ForkTask[] r, long index) {
    return (int) index & (r.length - 1);
  }

  // Opaque: read by thieves while the owner writes; the order comes from the indices.
  private static ForkTask cell(@Nullable ForkTask[] r, int i) {
    return (ForkTask) CELL.getOpaque(r, i);
  }
}
