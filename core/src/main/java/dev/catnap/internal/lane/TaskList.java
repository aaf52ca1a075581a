package dev.catnap.internal.lane;

import org.jspecify.annotations.Nullable;

/**
 * First in, first out, and removal from the middle, without allocating. Guarded by the lock of its
 * lane.
 */
final class TaskList {
  private @Nullable LaneTask first;
  private @Nullable LaneTask last;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  @Nullable LaneTask first() {
    return first;
  }

  void add(LaneTask t) {
    t.list = this;
    t.previous = last;
    if (last == null) {
      first = t;
    } else {
      last.next = t;
    }
    last = t;
    size++;
  }

  @Nullable LaneTask poll() {
    LaneTask t = first;
    if (t != null) {
      boolean ignored = remove(t);
    }
    return t;
  }

  /** False: it is not in this list. */
  boolean remove(LaneTask t) {
    if (t.list != this) {
      return false;
    }
    LaneTask before = t.previous;
    LaneTask after = t.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    t.list = null;
    t.previous = null;
    t.next = null;
    size--;
    return true;
  }
}
