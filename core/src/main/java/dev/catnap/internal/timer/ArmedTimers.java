package dev.catnap.internal.timer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a queue in the order of their deadlines; first armed, first fired, where these are
 * equal. In lanes as far as they fit there, else in a heap. Deadlines are compared by difference,
 * as {@link System#nanoTime} demands. Not thread-safe.
 */
final class ArmedTimers {
  private TimerLanes lanes = new TimerLanes();
  private TimerHeap heap = new TimerHeap();
  private int size;
  private long nextSequence;

  /** The first deadline, unless {@link #firstLeft}: most calls need no look at all lanes. */
  private long first;

  private boolean firstLeft;

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

  /** Removes those that the filter names; they are returned in the order of their deadlines. */
  List<TimerNode> removeIf(Predicate<TimerNode> filter) {
    List<TimerNode> removed = new ArrayList<>();
    ArmedTimers rest = new ArmedTimers();
    while (size > 0) {
      long deadline = firstDeadline();
      TimerNode node = takeDue(deadline);
      if (node == null) {
        throw new AssertionError("the first timer is due at its deadline");
      }
      if (filter.test(node)) {
        removed.add(node);
      } else {
        rest.add(node, deadline); // behind the one before, in the first lane: needs no memory
      }
    }
    lanes = rest.lanes;
    heap = rest.heap;
    size = rest.size;
    first = rest.first;
    firstLeft = rest.firstLeft;
    nextSequence = rest.nextSequence;
    return removed;
  }
}
