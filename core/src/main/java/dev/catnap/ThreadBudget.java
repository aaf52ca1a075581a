package dev.catnap;

import dev.catnap.internal.blocking.ThreadPermits;

/**
 * A number of threads that several schedulers share: together they never have more worker threads.
 *
 * <p>A scheduler takes one thread per worker when it is built, and keeps these until it is closed,
 * or has been given a smaller parallelism. A spare, which replaces a worker in a blocking section,
 * takes one more, and gives it back when its keep-alive is over. A scheduler that finds none left
 * goes on with fewer running workers; the next thread that any of them gives back goes to those
 * that wait, first come first served.
 *
 * <p>A thread counts until it has left its loop. The timer thread and the sentinel of a scheduler,
 * which park nearly always, do not count.
 *
 * <p>Thread-safe. It keeps no scheduler from being collected.
 */
public final class ThreadBudget {
  private final ThreadPermits permits;

  private ThreadBudget(int threads) {
    permits = new ThreadPermits(threads);
  }

  /**
   * A budget that nobody has taken of.
   *
   * @param threads at least 1
   * @return a new one
   * @throws IllegalArgumentException if {@code threads} is less
   */
  public static ThreadBudget of(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads of a budget must be at least 1: " + threads);
    }
    return new ThreadBudget(threads);
  }

  /**
   * How many threads there may be.
   *
   * @return as given
   */
  public int threads() {
    return permits.limit();
  }

  /**
   * How many are in use now.
   *
   * @return at most {@link #threads}
   */
  public int inUse() {
    return permits.limit() - permits.free();
  }

  ThreadPermits permits() {
    return permits;
  }

  @Override
  public String toString() {
    return "ThreadBudget[" + permits + "]";
  }
}
