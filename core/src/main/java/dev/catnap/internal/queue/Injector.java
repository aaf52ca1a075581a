package dev.catnap.internal.queue;

import dev.catnap.internal.atomic.PaddedInt;
import dev.catnap.internal.atomic.PaddedReference;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded FIFO queue for any number of producers and consumers, in linked segments. A producer
 * takes a cell with one fetch-and-add and fills it with one CAS; a consumer claims a run of cells
 * with one CAS and empties each with one swap. A cell that was claimed before its producer filled
 * it is <i>void</i>: the swap leaves a mark that makes the producer's CAS fail, and it takes
 * another cell. So nobody waits for a thread that was preempted in between (lock-free). After the
 * array queue of Correia and Ramalhete.
 *
 * <p>The queue can be closed, once: every push either came before and is delivered, or after and
 * returns false (G6). There is no third outcome, and no counter of pushes under way.
 *
 * <p>Allocation: one segment per {@code segmentSize} tasks. A push that runs out of memory throws
 * before anything is queued.
 */
public final class Injector {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Runnable[].class);

  /** Marks a cell whose turn is over; never run. */
  private enum Mark implements Runnable {
    VOID;

    @Override
    public void run() {
      throw new AssertionError("the mark of a void cell is not a task");
    }
  }

  private final int segmentSize;
  private final Segment closedMark;
  private final PaddedReference<Segment> head = new PaddedReference<>();
  private final PaddedReference<Segment> tail = new PaddedReference<>();

  private static final class Segment {
    final @Nullable Runnable[] cells;

    /** Cells given to producers; runs past the length when full. */
    final PaddedInt filled;

    /** Cells given to consumers; never past the length. */
    final PaddedInt taken = new PaddedInt(0);

    final PaddedReference<Segment> next = new PaddedReference<>();

    Segment(int size, @Nullable Runnable first) {
      cells = new Runnable[size];
      filled = new PaddedInt(first == null ? 0 : 1);
      if (first != null) {
        cells[0] = first; // published with the segment
      }
    }
  }

  /**
   * An empty, open queue.
   *
   * @param segmentSize cells per segment, at least 1
   */
  public Injector(int segmentSize) {
    if (segmentSize < 1) {
      throw new IllegalArgumentException("segmentSize must be at least 1: " + segmentSize);
    }
    this.segmentSize = segmentSize;
    closedMark = new Segment(0, null);
    Segment s = new Segment(segmentSize, null);
    head.setVolatile(s);
    tail.setVolatile(s);
  }

  /**
   * Adds at the end. Any thread.
   *
   * @return false: closed, the task was not accepted
   * @throws OutOfMemoryError if a segment cannot be allocated; the task was not accepted
   */
  public boolean push(Runnable task) {
    for (; ; ) {
      Segment t = last();
      int i = t.filled.getAndAdd(1);
      if (i < segmentSize) {
        if (CELL.compareAndSet(t.cells, i, null, task)) {
          return true;
        }
        continue; // void: a consumer was here first
      }
      Segment n = t.next.getVolatile();
      if (n == closedMark) {
        t.filled.getAndAdd(-1); // refusals must not make the count overflow
        return false;
      }
      if (n == null) {
        Segment s = new Segment(segmentSize, task);
        if (t.next.compareAndSet(null, s)) {
          tail.compareAndSet(t, s);
          return true;
        }
      } else {
        tail.compareAndSet(t, n);
      }
    }
  }

  /** Takes the oldest task, or null when there is none. Any thread. */
  public @Nullable Runnable poll() {
    return claim(null, 1, 1, false);
  }

  /**
   * Takes one task in {@code share} of the segment at hand, at least one and at most {@code most}:
   * returns the oldest and puts the others into {@code into}, which the caller owns and in which
   * they are then visible to thieves. In between they are visible to nobody: a caller that is not
   * searching must publish them again.
   *
   * @return null: there was none
   */
  public @Nullable Runnable poll(WorkerDeque into, int share, int most) {
    return claim(into, share, Math.min(most, into.room() + 1), false);
  }

  /**
   * The same, but the oldest goes into {@code into} as well: they keep their order.
   *
   * @return false: there was none, or there is no room
   */
  public boolean move(WorkerDeque into, int share, int most) {
    int fit = Math.min(most, into.room());
    return fit > 0 && claim(into, share, fit, true) != null;
  }

  /** The oldest of those that it claimed; {@code most} fit. */
  private @Nullable Runnable claim(
      @Nullable WorkerDeque into, int share, int most, boolean oldestToo) {
    for (; ; ) {
      Segment h = first();
      int from = h.taken.getVolatile();
      int to = Math.min(h.filled.getVolatile(), segmentSize);
      if (from >= to) {
        if (from < segmentSize || !advance(h)) {
          return null;
        }
        continue;
      }
      int n = Math.min((to - from - 1) / share + 1, most);
      if (!h.taken.compareAndSet(from, from + n)) {
        continue;
      }
      Runnable result = null;
      for (int i = from; i < from + n; i++) {
        Runnable task = (Runnable) CELL.getAndSet(h.cells, i, Mark.VOID);
        if (task == null) {
          continue; // its producer will notice, and go elsewhere
        }
        boolean isOldest = result == null;
        if (isOldest) {
          result = task;
        }
        if (isOldest && !oldestToo) {
          continue;
        }
        if (into == null || !into.push(task)) {
          throw new AssertionError("no room for " + n + " tasks");
        }
      }
      if (result != null) {
        return result;
      }
    }
  }

  /** Moves the head past a segment that is used up; false: there is no other one. */
  private boolean advance(Segment used) {
    Segment n = used.next.getVolatile();
    if (n == null || n == closedMark) {
      return false;
    }
    head.compareAndSet(used, n);
    return true;
  }

  /**
   * Any thread. Volatile reads, for the FinalCheck: a task whose push has returned and that nobody
   * has claimed is not overlooked. May be false while a push is under way or void cells are left.
   */
  public boolean isEmpty() {
    Segment h = first();
    int from = h.taken.getVolatile();
    if (from < Math.min(h.filled.getVolatile(), segmentSize)) {
      return false;
    }
    if (from < segmentSize) {
      return true;
    }
    Segment n = h.next.getVolatile();
    return n == null || n == closedMark;
  }

  /**
   * Refuses every push that starts from now on; what was accepted stays to be taken. Idempotent. A
   * push that is under way may still return true: then its cell lies before the end, and no
   * consumer sees the queue empty before that cell's turn has come.
   */
  public void close() {
    for (; ; ) {
      Segment t = last();
      Segment n = t.next.getVolatile();
      if (n != null && n != closedMark) {
        tail.compareAndSet(t, n);
      } else if (n == closedMark || t.next.compareAndSet(null, closedMark)) {
        useUp(t);
        return;
      }
    }
  }

  /**
   * No segment follows any more: the cells of the last one must go too. A producer that already had
   * its cell may still fill it: consumers visit every cell up to the end before they see "empty".
   *
   * <p>By every caller of close, not only the one that set the mark:
   *
   * <pre>
   *   T1 close                     T2 close, push
   *   sets the mark
   *                                sees the mark, returns
   *                                push finds a cell: accepted after a close
   *   uses up the cells
   * </pre>
   */
  private void useUp(Segment last) {
    if (last.filled.getVolatile() < segmentSize) {
      last.filled.getAndAdd(segmentSize);
    }
  }

  /** Any thread. Roughly how many tasks wait; void cells count too. */
  public int size() {
    return count(Integer.MAX_VALUE);
  }

  /** Any thread. Whether, as roughly, more than so many tasks wait; looks no further than that. */
  public boolean hasMoreThan(int tasks) {
    return count(tasks + 1) > tasks;
  }

  private int count(int enough) {
    int n = 0;
    Segment s = head.getOpaque();
    while (n < enough && s != null && s != closedMark) {
      n += Math.max(0, Math.min(s.filled.getOpaque(), segmentSize) - s.taken.getOpaque());
      s = s.next.getOpaque();
    }
    return n;
  }

  private Segment first() {
    return Objects.requireNonNull(head.getVolatile());
  }

  private Segment last() {
    return Objects.requireNonNull(tail.getVolatile());
  }
}
