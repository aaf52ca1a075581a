package dev.catnap.internal.timer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A heap of timers that know their place in it, so that a cancelled one leaves at once, in O(log
 * n). Deadlines are compared by difference, as {@link System#nanoTime} demands. Not thread-safe.
 *
 * <p>Four children for each node, with the deadlines in an array of their own: a step down reads
 * one cache line, not four timers that lie anywhere, and there are half as many steps.
 */
final class TimerHeap {
  private static final int FIRST_CAPACITY = 16;

  private @Nullable TimerNode[] nodes = new TimerNode[FIRST_CAPACITY];
  private long[] deadlines = new long[FIRST_CAPACITY];
  private int size;
  private int reserved;
  private long nextSequence;

  int size() {
    return size;
  }

  /** How many fit before it must grow. */
  int capacity() {
    return nodes.length;
  }

  @Nullable TimerNode first() {
    return nodes[0];
  }

  /** Of the first; there must be one. */
  long firstDeadline() {
    return deadlines[0];
  }

  /** Throws if there is no memory; then nothing has changed. */
  void add(TimerNode node, long deadline) {
    if (size + reserved >= nodes.length) {
      resize(size + reserved + (nodes.length >> 1));
    }
    node.sequence = nextSequence++;
    siftUp(size++, node, deadline);
  }

  /** False: it was not in the heap. */
  boolean remove(TimerNode node) {
    int i = node.heapIndex;
    if (i == TimerNode.NOT_QUEUED) {
      return false;
    }
    node.heapIndex = TimerNode.NOT_QUEUED;
    TimerNode last = nodes[--size];
    nodes[size] = null;
    if (i != size && last != null) {
      long deadline = deadlines[size];
      siftDown(i, last, deadline);
      if (last.heapIndex == i) { // it did not sink, so it may have to rise
        siftUp(i, last, deadline);
      }
    }
    shrink();
    return true;
  }

  /** Removes the first and keeps its room, so that {@link #putBack} needs no memory. */
  @Nullable TimerNode takeFirst() {
    TimerNode first = nodes[0];
    if (first != null) {
      reserved++;
      boolean ignored = remove(first);
    }
    return first;
  }

  /** Adds one that was taken. */
  void putBack(TimerNode taken, long deadline) {
    reserved--;
    add(taken, deadline);
  }

  /** So many that were taken do not come back. */
  void forget(int taken) {
    reserved -= taken;
  }

  /** Removes those that the filter names; they are returned in the order of their deadlines. */
  List<TimerNode> removeIf(Predicate<TimerNode> filter) {
    List<TimerNode> removed = new ArrayList<>();
    TimerHeap rest = new TimerHeap();
    rest.reserved = reserved;
    rest.resize(Math.max(FIRST_CAPACITY, reserved));
    for (TimerNode n = first(); n != null; n = first()) {
      long deadline = firstDeadline();
      boolean ignored = remove(n);
      if (filter.test(n)) {
        removed.add(n);
      } else {
        rest.add(n, deadline);
      }
    }
    nodes = rest.nodes;
    deadlines = rest.deadlines;
    size = rest.size;
    nextSequence = rest.nextSequence;
    return removed;
  }

  /** A million cancelled timers must not leave arrays of a million behind. */
  private void shrink() {
    if (nodes.length > FIRST_CAPACITY && size + reserved < nodes.length / 4) {
      try {
        resize(Math.max(FIRST_CAPACITY, nodes.length / 2));
      } catch (OutOfMemoryError e) {
        return; // it stays as large as it is until the next one leaves
      }
    }
  }

  private void resize(int capacity) {
    @Nullable TimerNode[] moved = Arrays.copyOf(nodes, capacity);
    deadlines = Arrays.copyOf(deadlines, capacity); // either may throw, and nothing has changed
    nodes = moved;
  }

  private void siftUp(int start, TimerNode node, long deadline) {
    int i = start;
    while (i > 0) {
      int parent = (i - 1) >>> 2;
      if (!isBefore(deadline, node, parent)) {
        break;
      }
      move(parent, i);
      i = parent;
    }
    place(i, node, deadline);
  }

  private void siftDown(int start, TimerNode node, long deadline) {
    int i = start;
    for (int child = 4 * i + 1; child < size; child = 4 * i + 1) {
      int least = child;
      int end = Math.min(child + 4, size);
      for (int c = child + 1; c < end; c++) {
        if (isBefore(c, least)) {
          least = c;
        }
      }
      if (isBefore(deadline, node, least)) {
        break;
      }
      move(least, i);
      i = least;
    }
    place(i, node, deadline);
  }

  private void move(int from, int to) {
    TimerNode node = nodes[from];
    if (node != null) {
      place(to, node, deadlines[from]);
    }
  }

  private void place(int i, TimerNode node, long deadline) {
    nodes[i] = node;
    deadlines[i] = deadline;
    node.heapIndex = i;
  }

  private boolean isBefore(int a, int b) {
    long d = deadlines[a] - deadlines[b];
    return d < 0 || (d == 0 && isOlder(nodes[a], nodes[b]));
  }

  private boolean isBefore(long deadline, TimerNode node, int other) {
    long d = deadline - deadlines[other];
    return d < 0 || (d == 0 && isOlder(node, nodes[other]));
  }

  private static boolean isOlder(@Nullable TimerNode a, @Nullable TimerNode b) {
    return a != null && b != null && a.sequence - b.sequence < 0;
  }
}
