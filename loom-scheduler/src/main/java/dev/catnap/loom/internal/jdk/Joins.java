package dev.catnap.loom.internal.jdk;

import java.time.Duration;

/** Waiting for short-lived threads of our own. */
public final class Joins {
  private Joins() {}

  /**
   * Waits for the end of the thread; an interrupt does not end the waiting, and is set again.
   *
   * @return false: not over within that time
   */
  public static boolean uninterruptibly(Thread thread, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    boolean over = false;
    while (!over && System.nanoTime() - end < 0) {
      try {
        over = thread.join(Duration.ofNanos(end - System.nanoTime()));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return over;
  }
}
