package dev.catnap.internal.timer;

import dev.catnap.spi.MonotonicClock;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Timers that came due together and left the queue under one lock. Each thread that fires timers
 * has one of its own, which it uses again and again: firing allocates nothing.
 */
public final class TimerBatch {
  /** Arming waits while a batch is taken. */
  static final int CAPACITY = 64;

  private final @Nullable TimerNode[] nodes = new TimerNode[CAPACITY];
  private int size;

  /** Those that are to be tried again; they are the first in the array. */
  private int retries;

  /** Empty. */
  public TimerBatch() {}

  /** Under the lock: those whose time has come, at most so many, in their order. */
  int takeDue(ArmedTimers armed, MonotonicClock clock, int most) {
    if (armed.size() > 0) {
      long now = clock.nanoTime();
      TimerNode due = armed.takeDue(now);
      while (due != null) {
        nodes[size++] = due;
        due = size < most ? armed.takeDue(now) : null;
      }
    }
    return size;
  }

  /** Without the lock: whoever cancels one of these comes too late. */
  void fire(Consumer<Throwable> uncaught) {
    for (int i = 0; i < size; i++) {
      TimerNode node = Objects.requireNonNull(nodes[i]);
      nodes[i] = null;
      try {
        node.fire();
      } catch (OutOfMemoryError | StackOverflowError e) { // on a worker it may be deep in a join
        nodes[retries++] = node;
      } catch (Throwable t) {
        uncaught.accept(t);
      }
    }
  }

  /**
   * Under the lock: all have fired, save those for which there was no memory, or no stack. They are
   * armed again.
   *
   * @param retryNanos when they are tried again
   * @return how many were taken
   */
  int end(ArmedTimers armed, MonotonicClock clock, long retryNanos) {
    int taken = size;
    for (int i = 0; i < retries; i++) {
      long deadline = TimerQueue.deadlineIn(retryNanos, clock);
      armed.addRetry(Objects.requireNonNull(nodes[i]), deadline);
      nodes[i] = null;
    }
    retries = 0;
    size = 0;
    return taken;
  }
}
