package dev.catnap.internal.timer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lists of timers in each of which the deadlines only grow: a timer is added behind the last of
 * one, and taken from the front. Where most timers have one of a few delays (a timeout, a tick, a
 * pause), each delay comes to have a lane of its own without being named: arming, cancelling and
 * firing cost the same with ten timers as with a million, and threads that do so in turn share the
 * ends of a list, not all of a heap. A timer for which no lane is left goes to the {@link
 * TimerHeap}. Allocates nothing. Not thread-safe.
 */
final class TimerLanes {
  /**
   * Each step looks at all of them and at the {@link #RETRIES}: as many longs as fit in a cache
   * line. With one more, Lincheck takes a loop over them, which looks ten times then whether it is
   * over, for a wait, and lets another thread go on within it each time: it misses races with
   * whoever looks at timers, and with the end of a pool.
   */
  static final int LANES = 7;

  static final int NONE = -1;

  /** For timers that are tried again, each after the same time: it is never without room. */
  static final int RETRIES = LANES;

  // By lane; the numbers mean nothing in an empty one.
  private final @Nullable TimerNode[] heads = new TimerNode[LANES + 1];
  private final @Nullable TimerNode[] tails = new TimerNode[LANES + 1];
  private final long[] firstDeadlines = new long[LANES + 1];
  private final long[] lastDeadlines = new long[LANES + 1];

  /**
   * Behind the latest deadline that is not later; if there is none, into an empty lane.
   *
   * @return false: there is no such lane
   */
  boolean add(TimerNode node, long deadline) {
    int best = NONE;
    int empty = NONE;
    for (int lane = 0; lane < LANES; lane++) {
      if (heads[lane] == null) {
        empty = lane;
      } else if (deadline - lastDeadlines[lane] >= 0
          && (best == NONE || lastDeadlines[lane] - lastDeadlines[best] > 0)) {
        best = lane;
      }
    }
    int lane = best != NONE ? best : empty;
    if (lane != NONE) {
      append(node, deadline, lane);
    }
    return lane != NONE;
  }

  /** One that fired in vain; no such deadline is earlier than one before. */
  void addRetry(TimerNode node, long deadline) {
    append(node, deadline, RETRIES);
  }

  private void append(TimerNode node, long deadline, int lane) {
    TimerNode last = tails[lane];
    if (last != null) {
      last.next = node;
    } else {
      heads[lane] = node;
      firstDeadlines[lane] = deadline;
    }
    node.previous = last;
    node.place = TimerNode.inLane(lane);
    tails[lane] = node;
    lastDeadlines[lane] = deadline;
  }

  void remove(TimerNode node) {
    int lane = TimerNode.laneOf(node.place);
    TimerNode previous = node.previous;
    TimerNode next = node.next;
    node.place = TimerNode.NOT_QUEUED;
    node.previous = null; // or an old timer that is over keeps all later ones from the collector
    node.next = null;
    if (previous != null) {
      previous.next = next;
    } else {
      heads[lane] = next;
      firstDeadlines[lane] = next == null ? 0 : next.deadline;
    }
    if (next != null) {
      next.previous = previous;
    } else {
      tails[lane] = previous;
      lastDeadlines[lane] = previous == null ? 0 : previous.deadline;
    }
  }

  /** The lane with the first deadline, or {@link #NONE}. */
  int firstLane() {
    int first = NONE;
    for (int lane = 0; lane <= RETRIES; lane++) {
      if (heads[lane] != null && (first == NONE || isBefore(lane, first))) {
        first = lane;
      }
    }
    return first;
  }

  private boolean isBefore(int a, int b) {
    long d = firstDeadlines[a] - firstDeadlines[b];
    return d < 0 || (d == 0 && head(a).sequence - head(b).sequence < 0);
  }

  /** Of a lane that is not empty. */
  TimerNode head(int lane) {
    return Objects.requireNonNull(heads[lane]);
  }

  /** Null: the lane is empty. */
  @Nullable TimerNode headOrNull(int lane) {
    return heads[lane];
  }

  /** Of a lane that is not empty. */
  long firstDeadline(int lane) {
    return firstDeadlines[lane];
  }
}
