package dev.catnap.internal.timer;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a queue in the order of their deadlines; first armed, first fired, where these are
 * equal. In lanes as far as they fit there, else in a heap. Deadlines are compared by difference,
 * as {@link System#nanoTime} demands. Not thread-safe.
 */
final class ArmedTimers {
  private final TimerLanes lanes = new TimerLanes();
  private final TimerHeap heap = new TimerHeap();
  private int size;
  private long nextSequence;

  /** The first deadline, unless {@link #firstLeft}: most calls need no look at all lanes. */
  private long first;

  private boolean firstLeft;

  /** Under way; mostly none. */
  private @Nullable Walk walks;

  int size() {
    return size;
  }

  /** Throws if there is no memory; then nothing has changed. */
  void add(TimerNode node, long deadline) {
    node.sequence = nextSequence++;
    if (!lanes.add(node, deadline)) {
      heap.add(node, deadline);
    }
    added(node, deadline);
  }

  private void added(TimerNode node, long deadline) {
    node.deadline = deadline;
    if (size++ == 0) {
      first = deadline;
      firstLeft = false;
    } else if (deadline - first < 0) {
      first = deadline; // and if the one before has left, the new one is before all others too
      firstLeft = false;
    }
  }

  /** One that was taken and fired in vain: needs no memory. Its deadline is later than theirs. */
  void addRetry(TimerNode node, long deadline) {
    node.sequence = nextSequence++;
    lanes.addRetry(node, deadline);
    added(node, deadline);
  }

  /** False: it is not armed. */
  boolean remove(TimerNode node) {
    if (node.place == TimerNode.NOT_QUEUED) {
      return false;
    }
    if (TimerNode.isInLane(node.place)) {
      for (Walk w = walks; w != null; w = w.nextWalk) {
        w.leaves(node);
      }
      lanes.remove(node);
    } else {
      heap.remove(node);
    }
    size--;
    firstLeft |= node.deadline == first;
    return true;
  }

  /** Of the first; there must be one. */
  long firstDeadline() {
    if (firstLeft) {
      int lane = lanes.firstLane();
      first = isInHeap(lane) ? heap.firstDeadline() : lanes.firstDeadline(lane);
      firstLeft = false;
    }
    return first;
  }

  /** Removes the first, if its deadline is not later than {@code now}; null: none is. */
  @Nullable TimerNode takeDue(long now) {
    if (size == 0) {
      return null;
    }
    int lane = lanes.firstLane();
    boolean inHeap = isInHeap(lane);
    if ((inHeap ? heap.firstDeadline() : lanes.firstDeadline(lane)) - now > 0) {
      return null;
    }
    TimerNode due = inHeap ? heap.first() : lanes.head(lane);
    boolean ignored = remove(due);
    return due;
  }

  /** Whether the first is there, and not at the head of that lane. There must be one. */
  private boolean isInHeap(int lane) {
    if (lane == TimerLanes.NONE || heap.size() == 0) {
      return lane == TimerLanes.NONE;
    }
    long d = heap.firstDeadline() - lanes.firstDeadline(lane);
    return d < 0 || (d == 0 && heap.first().sequence - lanes.head(lane).sequence < 0);
  }

  // ---- walking
  // ---------------------------------------------------------------------------------

  /**
   * Over all timers, some at a time; in between others may be cancelled, and fire. Whoever is there
   * from the beginning to the end is visited; one that is armed or tried again meanwhile may be.
   */
  final class Walk {
    private final Predicate<TimerNode> filter;
    private @Nullable Walk nextWalk;

    private int lane = -1;

    /** In that lane; null: all of it were visited. */
    private @Nullable TimerNode next;

    /** In the heap: those on the seats from here on were visited. */
    private int seat = Integer.MAX_VALUE;

    private boolean over;

    Walk(Predicate<TimerNode> filter) {
      this.filter = filter;
    }

    /** Before the first step. {@link #end} must follow. */
    void begin() {
      nextWalk = walks;
      walks = this;
    }

    /** So that those that leave need not look after it any more. */
    void end() {
      if (walks == this) {
        walks = nextWalk;
      }
      for (Walk w = walks; w != null; w = w.nextWalk) {
        if (w.nextWalk == this) {
          w.nextWalk = nextWalk;
        }
      }
    }

    boolean isOver() {
      return over;
    }

    /**
     * Visits some more, and removes those that the filter names.
     *
     * @param most at most so many visits
     * @return the first of those removed; each refers to the {@link TimerNode#next next one}
     */
    @Nullable TimerNode step(int most) {
      TimerNode first = null;
      TimerNode last = null;
      for (int i = 0; i < most; i++) {
        TimerNode node = visit();
        if (node == null) {
          over = true;
          break;
        }
        if (filter.test(node)) {
          boolean ignored = remove(node);
          if (last == null) {
            first = node;
          } else {
            last.next = node;
          }
          last = node;
        }
      }
      return first;
    }

    private @Nullable TimerNode visit() {
      while (next == null && lane < TimerLanes.RETRIES) {
        next = lanes.headOrNull(++lane);
      }
      TimerNode node = next;
      if (node != null) {
        next = node.next;
        return node;
      }
      // One that leaves the heap gives its seat to that on the last one, which was visited.
      seat = Math.min(seat, heap.size());
      return seat == 0 ? null : heap.node(--seat);
    }

    /** Before the node leaves its lane. */
    private void leaves(TimerNode node) {
      if (next == node) {
        next = node.next;
      }
    }
  }
}
