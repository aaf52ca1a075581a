package dev.catnap.internal.queue;

import dev.catnap.internal.atomic.PaddedLong;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO ring with one owner and any number of thieves that take half at once. The owner
 * pushes at the tail; owner and thieves take at the head, each with one CAS that moves it past all
 * that it takes. The idea is the run queue of Go's scheduler.
 *
 * <p>Only the owner writes cells. A thief copies first and claims afterwards: if its CAS succeeds,
 * nobody had moved the head, so no cell that it copied can have been reused. This is also why taken
 * cells are not cleared by the thief (the owner may already have put the same object there again):
 * the owner clears them when it runs out of work ({@link #clearStale}), and until then at most one
 * ring of stale references is held. What the thief copied in vain it clears itself.
 *
 * <p>Indices are 64 bits wide and wrap: a thief that stalls between copy and CAS must not find the
 * same head again after as many pushes as a thread can make in its sleep; 32 bits are half a
 * minute.
 *
 * <p>Progress: push and pop are wait-free but for pop's CAS against thieves; a thief retries only
 * when somebody else took something.
 */
public final class WorkerDeque {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Runnable[].class);

  private final @Nullable Runnable[] cells;
  private final int mask;

  /** Next index to take. Moved by CAS, by owner and thieves. */
  private final PaddedLong head;

  /** Next index to fill. Written by the owner alone. */
  private final PaddedLong tail;

  // The owner's own: cells in [cleanUpTo, dirtyUpTo) may hold references to tasks that are gone.
  private long cleanUpTo;
  private long dirtyUpTo;

  /**
   * An empty deque.
   *
   * @param capacity a power of two, at least 2
   * @param initialIndex where head and tail start; a checker starts near the wrap
   */
  public WorkerDeque(int capacity, long initialIndex) {
    if (capacity < 2 || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "capacity must be a power of two and at least 2: " + capacity);
    }
    cells = new Runnable[capacity];
    mask = capacity - 1;
    head = new PaddedLong(initialIndex);
    tail = new PaddedLong(initialIndex);
    cleanUpTo = initialIndex;
    dirtyUpTo = initialIndex;
  }

  /**
   * Owner only. Adds at the tail.
   *
   * @return false: full, nothing changed
   */
  public boolean push(Runnable task) {
    long t = tail.getPlain();
    // Acquire: a cell that a thief freed is written only after that thief's copy of it.
    if (t - head.getAcquire() > mask) {
      return false;
    }
    setCell(t, task);
    // Release: pairs with the thief's acquire of the tail, before it reads the cell.
    tail.setRelease(t + 1);
    return true;
  }

  /** Owner only. Takes the oldest task, or null when empty. */
  public @Nullable Runnable pop() {
    long t = tail.getPlain();
    for (; ; ) {
      long h = head.getAcquire();
      if (h == t) {
        return null;
      }
      Runnable task = cell(h);
      // CAS: the last element is contended by owner and thieves; exactly one of them moves the
      // head.
      if (head.compareAndSet(h, h + 1)) {
        setCell(h, null);
        return task;
      }
    }
  }

  /**
   * Any thread but the owner. Takes the older half, rounded up: returns the oldest, and puts the
   * others into {@code into}, which the caller owns.
   *
   * @return null: nothing to take
   */
  public @Nullable Runnable steal(WorkerDeque into) {
    for (; ; ) {
      long h = head.getAcquire();
      long n = tail.getAcquire() - h;
      if (n <= 0) {
        into.forgetStaged();
        return null;
      }
      if (n > cells.length) {
        continue; // the head moved between the two reads
      }
      int take = (int) Math.min(n - (n >> 1), into.room() + 1L);
      Runnable first = cell(h);
      into.stage(this, h + 1, take - 1);
      if (head.compareAndSet(h, h + take)) {
        into.publishStaged(take - 1);
        return first;
      }
    }
  }

  /**
   * Any thread but the owner. Takes the oldest task alone, or null when there is none.
   *
   * @return null: nothing to take
   */
  public @Nullable Runnable stealOne() {
    for (; ; ) {
      long h = head.getAcquire();
      if (tail.getAcquire() - h <= 0) {
        return null;
      }
      Runnable task = cell(h);
      if (head.compareAndSet(h, h + 1)) {
        return task;
      }
    }
  }

  /**
   * Owner only. Takes the older half at once, or as many of it as fit into the buffer, to be put
   * elsewhere when the ring is full.
   *
   * @param buffer receives the tasks, oldest first
   * @return how many; 0: thieves were faster, there is room again
   */
  public int takeHalf(@Nullable Runnable[] buffer) {
    long h = head.getAcquire();
    int take = (int) Math.min((tail.getPlain() - h) >> 1, buffer.length);
    for (int i = 0; i < take; i++) {
      buffer[i] = cell(h + i);
    }
    if (take == 0 || !head.compareAndSet(h, h + take)) {
      return 0;
    }
    for (int i = 0; i < take; i++) {
      setCell(h + i, null);
    }
    return take;
  }

  /** Owner only. How many more tasks fit; thieves can only make it more. */
  public int room() {
    return (int) (cells.length - (tail.getPlain() - head.getAcquire()));
  }

  /** Owner only. Copies without publishing: not yet ours if the claim fails. */
  private void stage(WorkerDeque from, long start, int count) {
    long t = tail.getPlain();
    for (int i = 0; i < count; i++) {
      setCell(t + i, from.cell(start + i));
    }
    if (t + count - dirtyUpTo > 0) {
      dirtyUpTo = t + count;
    }
  }

  /** Owner only. What others claimed meanwhile, before it sleeps with a copy of that. */
  private void forgetStaged() {
    long t = tail.getPlain();
    for (long i = t; i - dirtyUpTo < 0; i++) {
      setCell(i, null);
    }
    if (dirtyUpTo - t > 0) {
      dirtyUpTo = t;
    }
  }

  private void publishStaged(int count) {
    if (count > 0) {
      tail.setRelease(tail.getPlain() + count);
    }
  }

  /** Any thread. Acquire reads; the caller's fence makes it the FinalCheck of the protocol. */
  public boolean isEmpty() {
    return tail.getAcquire() - head.getAcquire() <= 0;
  }

  /** Any thread. A snapshot for dumps and statistics. */
  public int size() {
    return (int) Math.max(0, Math.min(cells.length, tail.getOpaque() - head.getOpaque()));
  }

  /** Owner only. Tasks ever put in, by whatever way, from the initial index on. */
  public long pushedSoFar() {
    return tail.getPlain();
  }

  /** The number of cells. */
  public int capacity() {
    return cells.length;
  }

  /** Owner only, when empty: forgets the tasks that thieves took, so that they can be collected. */
  public void clearStale() {
    long t = tail.getPlain();
    long to = dirtyUpTo - t > 0 ? dirtyUpTo : t;
    long from = to - cleanUpTo > cells.length ? to - cells.length : cleanUpTo;
    for (long i = from; i - to < 0; i++) {
      setCell(i, null);
    }
    cleanUpTo = t;
    dirtyUpTo = t;
  }

  // Opaque: read by thieves while the owner writes; the order comes from head and tail.
  private Runnable cell(long index) {
    return (Runnable) CELL.getOpaque(cells, (int) index & mask);
  }

  private void setCell(long index, @Nullable Runnable task) {
    CELL.setOpaque(cells, (int) index & mask, task);
  }
}
