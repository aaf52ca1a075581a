package dev.catnap.internal.blocking;

import dev.catnap.internal.atomic.SpinLock;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that several pools share. A pool that is refused one waits in line, and is called
 * when another pool gives one back: what it wanted the thread for would otherwise wait for a
 * publish of its own that may never come (G9).
 *
 * <p>The race, with A's right to run that nobody has, and the last permit:
 *
 * <pre>
 *   T1 of pool A                            T2 of pool B, a spare retires
 *   takes the right, is refused a permit
 *                                           gives its permit back: nobody is in line
 *   gives the right back
 *   stands in line: for ever
 * </pre>
 *
 * so T1 stands in line only while no permit is free, which it sees under the same lock ({@link
 * Share#awaitOne}). And it does so after it gave the right back:
 *
 * <pre>
 *   T1 of pool A                            T2 of pool B
 *   takes the right, is refused, in line
 *                                           gives back, calls A: there is no right to hand out
 *   gives the right back: nobody comes
 * </pre>
 *
 * <p>Thread-safe. The lock guards a few fields; what runs for a pool in line runs outside it.
 * Allocates nothing but the shares.
 */
public final class ThreadPermits {
  private final int limit;
  private final SpinLock lock = new SpinLock();

  /** Written under the lock. */
  private final AtomicInteger free;

  // The line, first come first called; under the lock.
  private @Nullable Share first;
  private @Nullable Share last;

  /**
   * All free.
   *
   * @param limit how many, at least 1
   */
  public ThreadPermits(int limit) {
    this.limit = limit;
    this.free = new AtomicInteger(limit);
  }

  /** How many there are. */
  public int limit() {
    return limit;
  }

  /** How many nobody has. */
  public int free() {
    return free.get();
  }

  /**
   * The means of one pool to take permits.
   *
   * @param handOut called without the lock, by a thread of any pool, when a permit is free that
   *     {@link Share#awaitOne} was refused; it must not throw
   */
  public Share share(Runnable handOut) {
    return new Share(handOut);
  }

  private void offer() {
    // Ends: who is called takes a permit, or does not need it, and is in line again only if none
    // is free.
    for (Share next = nextInLine(); next != null; next = nextInLine()) {
      next.handOut.run();
    }
  }

  private @Nullable Share nextInLine() {
    lock.lock();
    try {
      Share next = first;
      if (next == null || free.get() == 0) {
        return null;
      }
      first = next.behind;
      if (first == null) {
        last = null;
      }
      next.behind = null;
      next.inLine = false;
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** What one pool does with the permits. */
  public final class Share {
    private final Runnable handOut;
    private @Nullable Share behind;
    private boolean inLine;
    private boolean closed;

    private Share(Runnable handOut) {
      this.handOut = handOut;
    }

    /** True: the caller has so many permits; false: it has none. Nobody is put in line. */
    public boolean tryTake(int permits) {
      lock.lock();
      try {
        if (free.get() < permits) {
          return false;
        }
        free.addAndGet(-permits);
        return true;
      } finally {
        lock.unlock();
      }
    }

    /**
     * For a pool that was refused a permit, after the right to run that it was for is there again
     * for others to hand out.
     *
     * @return true: one is free now, try again. False: the pool is in line, and will be called
     */
    public boolean awaitOne() {
      lock.lock();
      try {
        if (closed) {
          return false;
        }
        if (free.get() > 0) {
          return true;
        }
        if (!inLine) {
          inLine = true;
          if (last == null) {
            first = this;
          } else {
            last.behind = this;
          }
          last = this;
        }
        return false;
      } finally {
        lock.unlock();
      }
    }

    /** Gives back; {@link #callNext} must follow. */
    public void putBack(int permits) {
      lock.lock();
      try {
        free.addAndGet(permits);
      } finally {
        lock.unlock();
      }
    }

    /** After {@link #putBack}: calls the pools in line. Starts threads of theirs. */
    public void callNext() {
      offer();
    }

    /** The pool ends: it is called no more, and the line does not keep it from being collected. */
    public void close() {
      lock.lock();
      try {
        closed = true;
        if (inLine) {
          inLine = false;
          unlink();
        }
      } finally {
        lock.unlock();
      }
    }

    private void unlink() {
      Share before = null;
      for (Share s = first; s != this && s != null; s = s.behind) {
        before = s;
      }
      if (before == null) {
        first = behind;
      } else {
        before.behind = behind;
      }
      if (last == this) {
        last = before;
      }
      behind = null;
    }
  }

  @Override
  public String toString() {
    return (limit - free()) + " of " + limit + " threads in use";
  }
}
