package dev.catnap.internal.lane;

import dev.catnap.internal.atomic.SpinLock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a lane has accepted, who waits for a place, and how many may run: every decision of a lane,
 * each one short turn under its lock. What follows from a decision, publishing a runner or waking a
 * submitter, is up to the caller, without the lock.
 *
 * <p>At most {@code threads} tasks are begun, and at most so many more than that are accepted as
 * the queue holds. A task is accepted before its runner is published, and <i>runners</i> counts one
 * only after that has succeeded. So a submitter may rely on the runners of others, if these are as
 * many as threads: each of them is in a queue of the scheduler or runs, and looks here before it
 * leaves. Counted before it was published, one could still be refused:
 *
 * <pre>
 *   T1                                T2
 *   accepted, runners = 1 of 1
 *                                     accepted, and relies on that runner: returns
 *   its runner is refused (no memory): withdraws its own task, and throws
 *   T2's task is stranded
 * </pre>
 *
 * That T1 counts its runner late lets T2 publish one too many, which finds nothing and leaves.
 */
final class LaneQueue {
  /** What became of a submit. */
  enum Entry {
    ACCEPTED,
    FULL,
    CLOSED
  }

  private final SpinLock lock = new SpinLock();
  private final int threads;
  private final long bound;

  private final TaskList waiting = new TaskList();
  private final TaskList begun = new TaskList();

  /** Not accepted yet: their submitters wait for a place. Empty unless the lane is full. */
  private final TaskList line = new TaskList();

  /** Published and not over. One that is counted late makes this -1 for a moment. */
  private int runners;

  private boolean closed;

  LaneQueue(int threads, int capacity) {
    this.threads = threads;
    this.bound = (long) threads + capacity;
  }

  // ---- submitters
  // --------------------------------------------------------------------------------

  Entry enter(LaneTask t) {
    lock.lock();
    try {
      if (closed) {
        return Entry.CLOSED;
      }
      if (isFull()) {
        return Entry.FULL;
      }
      waiting.add(t);
      return Entry.ACCEPTED;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull() {
    return (long) begun.size() + waiting.size() >= bound;
  }

  /**
   * For a submitter that can run tasks: it gets the oldest, as {@code self}'s, and {@code t} is
   * accepted in its place. Null: as many run as may, or there is a place anyway.
   */
  @Nullable LaneTask exchange(LaneTask t, Thread self) {
    lock.lock();
    try {
      if (closed || !isFull() || begun.size() >= threads) {
        return null;
      }
      LaneTask oldest = begin(self);
      waiting.add(t);
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  /** False: the caller need not wait, and must try again. */
  boolean standInLine(LaneTask t, boolean canRunTasks) {
    lock.lock();
    try {
      if (closed || !isFull() || (canRunTasks && begun.size() < threads)) {
        return false;
      }
      line.add(t);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** False: it is decided already. */
  boolean leaveLine(LaneTask t) {
    lock.lock();
    try {
      return line.remove(t);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the submitter of an accepted task must publish a runner for it. */
  boolean needsRunner(LaneTask t) {
    lock.lock();
    try {
      return t.list == waiting && runners < threads;
    } finally {
      lock.unlock();
    }
  }

  void runnerPublished() {
    lock.lock();
    try {
      runners++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes an accepted task back. False: it has begun, or left. True: the caller must wake the
   * submitter of its successor.
   */
  boolean withdraw(LaneTask t) {
    lock.lock();
    try {
      if (!waiting.remove(t)) {
        return false;
      }
      t.successor = fillPlace();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the caller runs a task of this lane. */
  boolean isRunBy(Thread self) {
    lock.lock();
    try {
      for (LaneTask t = begun.first(); t != null; t = t.next) {
        if (t.runBy == self) {
          return true;
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  // ---- who runs tasks
  // ----------------------------------------------------------------------------

  /** The next task of a runner; null: the runner is over. */
  @Nullable LaneTask next(Thread self) {
    lock.lock();
    try {
      // In the same turn as the look: a submitter that comes later does not rely on this runner.
      if (begun.size() >= threads || waiting.isEmpty()) {
        runners--;
        return null;
      }
      return begin(self);
    } finally {
      lock.unlock();
    }
  }

  /** The next task of somebody who is no runner; null: there is none, or enough run. */
  @Nullable LaneTask nextForHelper(Thread self) {
    lock.lock();
    try {
      return begun.size() >= threads || waiting.isEmpty() ? null : begin(self);
    } finally {
      lock.unlock();
    }
  }

  /** There must be one that waits, and too few that run. */
  private LaneTask begin(Thread self) {
    LaneTask t = Objects.requireNonNull(waiting.poll());
    t.runBy = self;
    begun.add(t);
    return t;
  }

  /** A task is over; the caller must wake the submitter of its successor. */
  void finish(LaneTask t) {
    lock.lock();
    try {
      boolean ignored = begun.remove(t);
      t.runBy = null;
      t.successor = fillPlace();
    } finally {
      lock.unlock();
    }
  }

  /**
   * For a helper that wants to leave. Runners that found too many running, because it was one of
   * these, have left: true: some task may wait that nobody comes to.
   */
  boolean needsRunner() {
    lock.lock();
    try {
      return !waiting.isEmpty() && runners < threads;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable LaneTask fillPlace() {
    LaneTask t = line.poll();
    if (t != null) {
      waiting.add(t);
      t.decided = true;
    }
    return t;
  }

  // ---- the end
  // -----------------------------------------------------------------------------------

  /** From here on all is refused; what was accepted runs. */
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Closed, and every accepted task is over. */
  boolean isOver() {
    lock.lock();
    try {
      return closed && waiting.isEmpty() && begun.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** After {@link #close}: one from the line, refused; the caller must wake its submitter. */
  @Nullable LaneTask refuseNext() {
    lock.lock();
    try {
      LaneTask t = line.poll();
      if (t != null) {
        t.refused = true;
        t.decided = true;
      }
      return t;
    } finally {
      lock.unlock();
    }
  }

  /** After {@link #close}: the oldest task that has not begun. */
  @Nullable LaneTask takeBack() {
    lock.lock();
    try {
      return waiting.poll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Those that run; each must be interrupted, and then its {@code interruptUnderWay} be cleared:
   * until then its thread does not go on to other tasks.
   *
   * @param into room for as many as there are threads, so that nothing is allocated under the lock
   */
  void beginInterrupts(LaneTask[] into) {
    lock.lock();
    try {
      int i = 0;
      for (LaneTask t = begun.first(); t != null; t = t.next) {
        t.interruptUnderWay = true;
        into[i++] = t;
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- reading
  // -----------------------------------------------------------------------------------

  int waitingCount() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  int begunCount() {
    lock.lock();
    try {
      return begun.size();
    } finally {
      lock.unlock();
    }
  }
}
