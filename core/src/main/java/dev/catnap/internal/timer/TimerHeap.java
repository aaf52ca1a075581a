package dev.catnap.internal.timer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A heap of timers that fit in no lane; they know their place in it, so that a cancelled one leaves
 * at once, in O(log n). Deadlines are compared by difference, as {@link System#nanoTime} demands.
 * Not thread-safe.
 *
 * <p>Four children for each node, and in the heap only numbers: the deadline, and the seat of the
 * timer, which it keeps as long as it is here. A step down reads one or two cache lines, where
 * timers lie anywhere; and it writes no reference, which in an old array would be noted for the
 * garbage collector each time.
 */
final class TimerHeap {
  private static final int FIRST_CAPACITY = 16;
  private static final int NONE = -1;

  // By place in the heap.
  private long[] deadlines = new long[FIRST_CAPACITY];
  private int[] seats = new int[FIRST_CAPACITY];
  private int size;

  // By seat.
  private @Nullable TimerNode[] nodes = new TimerNode[FIRST_CAPACITY];

  /** The place of the timer on that seat; of a free one: the next free one. */
  private int[] places = new int[FIRST_CAPACITY];

  private int firstFree = NONE;

  /** Seats from here on were never used. */
  private int used;

  int size() {
    return size;
  }

  /** How many fit before it must grow. */
  int capacity() {
    return nodes.length;
  }

  /** There must be one. */
  TimerNode first() {
    return Objects.requireNonNull(nodes[seats[0]]);
  }

  /** Of the first; there must be one. */
  long firstDeadline() {
    return deadlines[0];
  }

  /** Throws if there is no memory; then nothing has changed. */
  void add(TimerNode node, long deadline) {
    if (size == nodes.length) {
      resize(size + (size >> 1));
    }
    int seat = firstFree;
    if (seat == NONE) {
      seat = used++;
    } else {
      firstFree = places[seat];
    }
    nodes[seat] = node;
    node.place = seat;
    siftUp(size++, seat, deadline);
  }

  /** One that is in the heap. */
  void remove(TimerNode node) {
    int seat = node.place;
    node.place = TimerNode.NOT_QUEUED;
    nodes[seat] = null;
    int place = places[seat];
    places[seat] = firstFree;
    firstFree = seat;
    size--;
    if (place != size) {
      int last = seats[size];
      long deadline = deadlines[size];
      siftDown(place, last, deadline);
      if (places[last] == place) { // it did not sink, so it may have to rise
        siftUp(place, last, deadline);
      }
    }
    shrink();
  }

  /** A million cancelled timers must not leave arrays of a million behind. */
  private void shrink() {
    if (nodes.length > FIRST_CAPACITY && size < nodes.length / 4) {
      try {
        resize(Math.max(FIRST_CAPACITY, nodes.length / 2));
      } catch (OutOfMemoryError e) {
        return; // it stays as large as it is until the next one leaves
      }
    }
  }

  /** Everybody gets a new seat, in the order of places. */
  private void resize(int capacity) {
    long[] newDeadlines = new long[capacity]; // each of these may throw, and nothing has changed
    int[] newSeats = new int[capacity];
    @Nullable TimerNode[] newNodes = new TimerNode[capacity];
    int[] newPlaces = new int[capacity];
    System.arraycopy(deadlines, 0, newDeadlines, 0, size);
    for (int place = 0; place < size; place++) {
      TimerNode node = Objects.requireNonNull(nodes[seats[place]]);
      node.place = place;
      newNodes[place] = node;
      newSeats[place] = place;
      newPlaces[place] = place;
    }
    deadlines = newDeadlines;
    seats = newSeats;
    nodes = newNodes;
    places = newPlaces;
    firstFree = NONE;
    used = size;
  }

  private void siftUp(int start, int seat, long deadline) {
    int place = start;
    while (place > 0) {
      int parent = (place - 1) >>> 2;
      if (!isBefore(deadline, seat, parent)) {
        break;
      }
      put(place, seats[parent], deadlines[parent]);
      place = parent;
    }
    put(place, seat, deadline);
  }

  private void siftDown(int start, int seat, long deadline) {
    int place = start;
    for (int child = 4 * place + 1; child < size; child = 4 * place + 1) {
      int least = child;
      int end = Math.min(child + 4, size);
      for (int c = child + 1; c < end; c++) {
        if (isBefore(deadlines[c], seats[c], least)) {
          least = c;
        }
      }
      if (isBefore(deadline, seat, least)) {
        break;
      }
      put(place, seats[least], deadlines[least]);
      place = least;
    }
    put(place, seat, deadline);
  }

  private void put(int place, int seat, long deadline) {
    deadlines[place] = deadline;
    seats[place] = seat;
    places[seat] = place;
  }

  /** Equal deadlines: first armed, first fired. */
  private boolean isBefore(long deadline, int seat, int otherPlace) {
    long d = deadline - deadlines[otherPlace];
    return d < 0 || (d == 0 && isOlder(nodes[seat], nodes[seats[otherPlace]]));
  }

  private static boolean isOlder(@Nullable TimerNode a, @Nullable TimerNode b) {
    return a != null && b != null && a.sequence - b.sequence < 0;
  }
}
