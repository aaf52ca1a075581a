package dev.catnap.loom.internal.jdk;

import java.time.Duration;

/** Waiting for short-lived threads of our own. */
public final class Joins {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private Joins() {}

  /**
   * Runs a thread for a moment, before an initialiser of the JDK starts one: if that cannot, it has
   * failed for as long as the JVM lives.
   *
   * @throws OutOfMemoryError if it cannot be started
   */
  static void tryThread() {
    Thread trial =
        Thread.ofPlatform()
            .name("catnap-probe")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .start(() -> {});
    boolean ignored = uninterruptibly(trial, LIMIT);
  }

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
