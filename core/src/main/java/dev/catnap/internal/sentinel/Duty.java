package dev.catnap.internal.sentinel;

import dev.catnap.internal.atomic.PaddedInt;
import dev.catnap.internal.blocking.FailedStarts;
import dev.catnap.spi.MonotonicClock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether the sentinel is on duty, and its thread, which is started when it is called for the first
 * time and parks without a timeout while it is off duty (G4).
 *
 * <p>Before that it lingers: parks for a while, to be called without being woken. Where everybody
 * runs and publishes, one call follows the other, and to wake a thread takes longer than all the
 * rest of a publish.
 *
 * <pre>
 *   UNSTARTED to STARTING   the first caller
 *   STARTING  to ON         the same, when the thread was started; or the thread, if it is faster
 *   STARTING  to UNSTARTED  the same, when it could not be; tried again by a later call
 *   ON        to LINGERING  the sentinel: off duty, and its thread parks for a while
 *   LINGERING to OFF        the sentinel, when that is over: parks without a timeout
 *   LINGERING to CALLED     a caller that has time; wakes nobody
 *   LINGERING to ON         a caller in haste; or the sentinel, which has looked again and is needed
 *   CALLED    to ON         the same, or the sentinel, when its time is over
 *   OFF       to ON         a caller
 *   any       to CLOSED     the end of the pool
 * </pre>
 *
 * Whoever calls ON wakes the thread. On duty is ON and CALLED: the sentinel comes by itself. In
 * STARTING a publisher must not rely on a thread that may never run. Sequential consistency
 * throughout; README.md has the races.
 */
public final class Duty {

  /** Makes and starts the thread. */
  @FunctionalInterface
  public interface ThreadStarter {
    /**
     * Throws if that cannot be done now.
     *
     * @return false: refused, for good
     */
    boolean start(Runnable body);
  }

  /** What the sentinel does, on its thread. */
  public interface Work {
    /** On duty. Returns how long to wait for the next round, in nanoseconds; 0: not at all. */
    long round();

    /** Nobody called it in time: what it saw in earlier rounds says nothing about the next one. */
    void forget();

    /** A round threw, and is made again soon. Told once in a row; what this throws is of no use. */
    void failed(Throwable t);
  }

  private static final int UNSTARTED = 0;
  private static final int STARTING = 1;
  private static final int CLOSED = 2;
  private static final int OFF = 3;
  private static final int LINGERING = 4;
  private static final int CALLED = 5;
  private static final int ON = 6;

  private enum NextCall {
    UNKNOWN,
    /** Within the time of a linger. */
    SOON,
    LATE
  }

  private final PaddedInt state;
  private final long lingerNanos;
  private final MonotonicClock clock;
  private final ThreadStarter starter;
  private final Work work;
  private final Consumer<Throwable> onFailedStart;

  private volatile @Nullable Thread thread;

  /** Of its thread: the last round threw. */
  private boolean failing;

  // Of its thread: how soon it was called the last time that it had left.

  private NextCall nextCall = NextCall.UNKNOWN;

  private long leftAt;

  private final FailedStarts failedStarts;

  /**
   * Off duty, without a thread.
   *
   * @param lingerNanos how long it lingers
   * @param clock the time, and how its thread parks
   * @param starter makes the thread
   * @param work what the sentinel does
   * @param onFailedStart is told once in a row of failures
   */
  public Duty(
      long lingerNanos,
      MonotonicClock clock,
      ThreadStarter starter,
      Work work,
      Consumer<Throwable> onFailedStart) {
    this.state = new PaddedInt(UNSTARTED);
    this.lingerNanos = lingerNanos;
    this.clock = clock;
    this.failedStarts = new FailedStarts(clock);
    this.starter = starter;
    this.work = work;
    this.onFailedStart = onFailedStart;
  }

  /** Whether somebody is on duty. */
  public boolean isOn() {
    return state.getVolatile() >= CALLED;
  }

  /**
   * Calls the sentinel, which looks at once.
   *
   * @return false: it cannot come
   */
  public boolean call() {
    for (; ; ) {
      int s = state.getVolatile();
      switch (s) {
        case ON -> {
          return true;
        }
        case OFF, LINGERING, CALLED -> {
          if (wakeFrom(s)) {
            return true;
          }
        }
        case UNSTARTED -> {
          return callFirst();
        }
        default -> {
          return false;
        }
      }
    }
  }

  /**
   * Calls the sentinel, which looks when it has lingered to the end, if it does.
   *
   * @return false: it cannot come
   */
  public boolean callSoon() {
    for (; ; ) {
      switch (state.getVolatile()) {
        case ON, CALLED -> {
          return true;
        }
        case LINGERING -> {
          if (state.compareAndSet(LINGERING, CALLED)) {
            return true;
          }
        }
        case OFF -> {
          if (wakeFrom(OFF)) {
            return true;
          }
        }
        case UNSTARTED -> {
          return callFirst();
        }
        default -> {
          return false;
        }
      }
    }
  }

  /** The one that makes it ON wakes it, and nobody else does. */
  private boolean wakeFrom(int seen) {
    if (!state.compareAndSet(seen, ON)) {
      return false;
    }
    unpark();
    return true;
  }

  private boolean callFirst() {
    if (failedStarts.isFailing() && !failedStarts.isRetryDue()) {
      return false;
    }
    return state.compareAndSet(UNSTARTED, STARTING) ? start() : isOn();
  }

  private boolean start() {
    try {
      if (!starter.start(this::run)) {
        close();
        return false;
      }
    } catch (Throwable t) {
      boolean first = failedStarts.failed(); // before the state: another may start it then
      state.compareAndSet(STARTING, UNSTARTED);
      if (first) {
        tell(t);
      }
      return false;
    }
    failedStarts.endRow();
    // Or it has run already, and perhaps left: it has looked since the caller's push. To call it
    // again would be a second call, after which it stays.
    return state.compareAndSet(STARTING, ON) || state.getVolatile() != CLOSED;
  }

  /** Contained: the task that the sentinel was called for is published already. */
  private void tell(Throwable notStarted) {
    try {
      onFailedStart.accept(notStarted);
    } catch (Throwable t) {
      return; // as in Threads.reportUncaught, there is nobody left to tell
    }
  }

  /** By the sentinel alone, which must look again afterwards. */
  public void leave() {
    state.compareAndSet(ON, LINGERING);
  }

  /** By the sentinel alone: whether, the last time that it had left, it was called soon. */
  boolean isCalledOften() {
    return nextCall == NextCall.SOON;
  }

  /** By the sentinel alone: it looked again, and is needed now. */
  void resume() {
    if (!state.compareAndSet(LINGERING, ON)) {
      state.compareAndSet(CALLED, ON);
    }
  }

  /** Its next round is now. */
  void hurry() {
    unpark();
  }

  /** Off duty for good; ends the thread. Idempotent. */
  public void close() {
    state.setVolatile(CLOSED);
    unpark();
  }

  private void unpark() {
    Thread t = thread;
    if (t != null) { // null: it has not read the state yet
      clock.unpark(t);
    }
  }

  private void run() {
    try {
      runUntilClosed();
    } finally {
      // However it ends: from here on each push into a slot is a publish with all steps.
      state.setVolatile(CLOSED);
    }
  }

  private void runUntilClosed() {
    // Before it reads the state: whoever changes that unparks this thread afterwards.
    thread = Thread.currentThread();
    // Not woken for it by who started it:
    //   T1 sentinel                       T2 starts it
    //                                     STARTING to ON
    //   looks, parks for a tick
    //                                     unparks it
    //   looks: what was pushed just now is there for the second time, and exposed
    boolean unused = state.compareAndSet(STARTING, ON);
    for (; ; ) {
      switch (state.getVolatile()) {
        case CLOSED -> {
          return;
        }
        case ON -> {
          long wait = round();
          if (wait > 0) {
            clock.parkNanos(this, wait);
          }
        }
        case LINGERING, CALLED -> {
          leftAt = clock.nanoTime();
          if (nextCall != NextCall.LATE) { // else that would be a wake for nothing
            clock.parkNanos(this, lingerNanos);
          }
          endLinger();
        }
        default -> {
          clock.park(this);
          if (isOn()) {
            boolean soon = clock.nanoTime() - leftAt < lingerNanos;
            nextCall = soon ? NextCall.SOON : NextCall.LATE;
          }
        }
      }
      boolean ignored = Thread.interrupted(); // or every park returns at once
    }
  }

  /**
   * Whatever a round throws, there is another one: pushes into slots have been silent, and nobody
   * else looks there.
   */
  private long round() {
    try {
      long wait = work.round();
      failing = false;
      return wait;
    } catch (Throwable t) {
      failedRound(t);
      return lingerNanos;
    }
  }

  private void failedRound(Throwable t) {
    resume(); // it may have left without its last look
    work.forget(); // it has seen half of the workers
    if (failing) {
      return;
    }
    failing = true;
    try {
      work.failed(t);
    } catch (Throwable ignored) {
      return; // no memory for words either
    }
  }

  private void endLinger() {
    // By CAS. With a read and a write:
    //   T1 sentinel                       T2 caller
    //   reads LINGERING
    //                                     LINGERING to CALLED: wakes nobody
    //   OFF, parks without a timeout
    if (state.compareAndSet(LINGERING, OFF)) {
      work.forget();
    } else {
      state.compareAndSet(CALLED, ON);
      nextCall = NextCall.SOON;
    }
  }

  /** The thread, or null before it runs. */
  public @Nullable Thread thread() {
    return thread;
  }

  @Override
  public String toString() {
    return switch (state.getOpaque()) {
      case ON, CALLED -> "on duty";
      case CLOSED -> "closed";
      default -> "off duty";
    };
  }
}
