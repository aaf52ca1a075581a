package dev.catnap.internal.timer;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A heap of timers that fit in no lane; they know their place in it, so that a cancelled one leaves
 * at once, in O(log n). Deadlines are compared by difference, as {@link System#nanoTime} demands.
 * Not thread-safe.
 *
 * <p>Four children for each node, and in the heap only numbers: the deadline, and the seat of the
 * timer. A step down reads one or two cache lines, where timers lie anywhere; and it writes no
 * reference, which in an old array would be noted for the garbage collector each time.
 *
 * <p>Places and seats are numbered without gaps, and lie in chunks: no call copies more than one of
 * these, however many timers there are, for all others wait at the lock meanwhile.
 */
final class TimerHeap {
  private static final int FIRST_CAPACITY = 16;
  private static final int CHUNK_BITS = 12;
  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final int MASK = CHUNK - 1;

  /** So many numbers of both kinds. */
  private static final class Chunk {
    // By place in the heap.
    final long[] deadlines;
    final int[] seats;

    // By seat.
    final @Nullable TimerNode[] nodes;
    final int[] places;

    Chunk(int capacity) {
      deadlines = new long[capacity];
      seats = new int[capacity];
      nodes = new TimerNode[capacity];
      places = new int[capacity];
    }

    int capacity() {
      return nodes.length;
    }

    Chunk resized(int capacity, int used) {
      Chunk copy = new Chunk(capacity);
      System.arraycopy(deadlines, 0, copy.deadlines, 0, used);
      System.arraycopy(seats, 0, copy.seats, 0, used);
      System.arraycopy(nodes, 0, copy.nodes, 0, used);
      System.arraycopy(places, 0, copy.places, 0, used);
      return copy;
    }
  }

  /** Smaller than the others as long as there are none. Most heaps need no more. */
  private Chunk first = new Chunk(FIRST_CAPACITY);

  /** All of them. */
  private Chunk[] chunks = {first};

  private int size;

  int size() {
    return size;
  }

  /** How many fit before it must grow. */
  int capacity() {
    return (chunks.length - 1) * CHUNK + first.capacity();
  }

  /** There must be one. */
  TimerNode first() {
    return node(first.seats[0]);
  }

  /** Of the first; there must be one. */
  long firstDeadline() {
    return first.deadlines[0];
  }

  /** That on a seat, of as many as there are timers. */
  TimerNode node(int seat) {
    return Objects.requireNonNull(chunk(seat).nodes[seat & MASK]);
  }

  private Chunk chunk(int number) {
    return number < CHUNK ? first : chunks[number >>> CHUNK_BITS];
  }

  /** Throws if there is no memory; then nothing has changed. */
  void add(TimerNode node, long deadline) {
    if (size == capacity()) {
      grow();
    }
    int seat = size++;
    chunk(seat).nodes[seat & MASK] = node;
    node.place = seat;
    siftUp(seat, seat, deadline);
  }

  private void grow() {
    if (first.capacity() < CHUNK) {
      resizeFirst(2 * first.capacity());
    } else {
      Chunk[] more = Arrays.copyOf(chunks, chunks.length + 1);
      more[chunks.length] = new Chunk(CHUNK);
      chunks = more;
    }
  }

  /** One that is in the heap. */
  void remove(TimerNode node) {
    int seat = node.place;
    node.place = TimerNode.NOT_QUEUED;
    int place = chunk(seat).places[seat & MASK];
    size--;
    if (place != size) {
      Chunk last = chunk(size);
      int mover = last.seats[size & MASK];
      long deadline = last.deadlines[size & MASK];
      siftDown(place, mover, deadline);
      if (chunk(mover).places[mover & MASK] == place) { // it did not sink, it may have to rise
        siftUp(place, mover, deadline);
      }
    }
    leaveSeat(seat);
    shrink();
  }

  /** Whoever has the last seat gets that one. */
  private void leaveSeat(int seat) {
    Chunk last = chunk(size);
    if (seat != size) {
      TimerNode mover = node(size);
      int place = last.places[size & MASK];
      Chunk free = chunk(seat);
      free.nodes[seat & MASK] = mover;
      free.places[seat & MASK] = place;
      mover.place = seat;
      chunk(place).seats[place & MASK] = seat;
    }
    last.nodes[size & MASK] = null;
  }

  /** A million cancelled timers must not leave room for a million behind. */
  private void shrink() {
    try {
      if (chunks.length > 1) {
        if (capacity() - size > CHUNK + CHUNK / 2) {
          chunks = Arrays.copyOf(chunks, chunks.length - 1);
        }
      } else if (first.capacity() > FIRST_CAPACITY && size < first.capacity() / 4) {
        resizeFirst(first.capacity() / 2);
      }
    } catch (OutOfMemoryError e) {
      return; // it stays as large as it is until the next one leaves
    }
  }

  private void resizeFirst(int capacity) {
    first = first.resized(capacity, size);
    chunks[0] = first;
  }

  private void siftUp(int start, int seat, long deadline) {
    int place = start;
    while (place > 0) {
      int parent = (place - 1) >>> 2;
      if (!isBefore(deadline, seat, parent)) {
        break;
      }
      move(parent, place);
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
        Chunk at = chunk(c);
        if (isBefore(at.deadlines[c & MASK], at.seats[c & MASK], least)) {
          least = c;
        }
      }
      if (isBefore(deadline, seat, least)) {
        break;
      }
      move(least, place);
      place = least;
    }
    put(place, seat, deadline);
  }

  private void move(int from, int to) {
    Chunk at = chunk(from);
    put(to, at.seats[from & MASK], at.deadlines[from & MASK]);
  }

  private void put(int place, int seat, long deadline) {
    Chunk at = chunk(place);
    at.deadlines[place & MASK] = deadline;
    at.seats[place & MASK] = seat;
    chunk(seat).places[seat & MASK] = place;
  }

  /** Equal deadlines: first armed, first fired. */
  private boolean isBefore(long deadline, int seat, int otherPlace) {
    Chunk other = chunk(otherPlace);
    long d = deadline - other.deadlines[otherPlace & MASK];
    return d < 0 || (d == 0 && isOlder(seat, other.seats[otherPlace & MASK]));
  }

  private boolean isOlder(int seat, int otherSeat) {
    return node(seat).sequence - node(otherSeat).sequence < 0;
  }
}
