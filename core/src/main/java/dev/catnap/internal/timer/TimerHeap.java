package dev.catnap.internal.timer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of timers that know their place in it, so that a cancelled one leaves at once, in
 * O(log n). Deadlines are compared by difference, as {@link System#nanoTime} demands. Not
 * thread-safe.
 */
final class TimerHeap {
  private static final int FIRST_CAPACITY = 16;

  private @Nullable TimerNode[] nodes = new TimerNode[FIRST_CAPACITY];
  private int size;
  private long nextSequence;

  int size() {
    return size;
  }

  @Nullable TimerNode first() {
    return nodes[0];
  }

  void add(TimerNode node) {
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, size + (size >> 1)); // may throw: nothing changed yet
    }
    node.sequence = nextSequence++;
    siftUp(size++, node);
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
      siftDown(i, last);
      if (last.heapIndex == i) { // it did not sink, so it may have to rise
        siftUp(i, last);
      }
    }
    shrink();
    return true;
  }

  /** A million cancelled timers must not leave an array of a million behind. */
  private void shrink() {
    if (nodes.length > FIRST_CAPACITY && size < nodes.length / 4) {
      nodes = Arrays.copyOf(nodes, Math.max(FIRST_CAPACITY, nodes.length / 2));
    }
  }

  private void siftUp(int start, TimerNode node) {
    int i = start;
    while (i > 0) {
      int parent = (i - 1) >>> 1;
      TimerNode p = nodes[parent];
      if (p == null || !isBefore(node, p)) {
        break;
      }
      place(i, p);
      i = parent;
    }
    place(i, node);
  }

  private void siftDown(int start, TimerNode node) {
    int i = start;
    int firstLeaf = size >>> 1;
    while (i < firstLeaf) {
      int child = 2 * i + 1;
      TimerNode c = nodes[child];
      TimerNode right = child + 1 < size ? nodes[child + 1] : null;
      if (c == null || (right != null && isBefore(right, c))) {
        child++;
        c = right;
      }
      if (c == null || !isBefore(c, node)) {
        break;
      }
      place(i, c);
      i = child;
    }
    place(i, node);
  }

  private void place(int i, TimerNode node) {
    nodes[i] = node;
    node.heapIndex = i;
  }

  private static boolean isBefore(TimerNode a, TimerNode b) {
    long d = a.deadlineNanos - b.deadlineNanos;
    return d < 0 || (d == 0 && a.sequence - b.sequence < 0);
  }
}
