package dev.catnap.internal.sleep;

import org.jspecify.annotations.Nullable;

/**
 * One worker as the protocol sees it: its latch, its thread, and what it remembers between steps.
 * The package's own fields are written by the worker alone, except the latch; {@link #thread} is
 * written before the thread starts.
 */
public class Sleeper {
  final WorkerLatch latch = new WorkerLatch();

  /** The JEC of this worker's last Announce; only read by its Register. */
  long announcedJec;

  private volatile @Nullable Thread thread;

  /** Called by whoever starts the worker, before {@code Thread.start}. */
  public final void setThread(Thread thread) {
    this.thread = thread;
  }

  /** The thread of this worker; null before its first start. */
  public final @Nullable Thread thread() {
    return thread;
  }

  /** A word for dumps: awake, sleeping, notified, spare or retired. */
  public final String latchState() {
    return latch.toString();
  }
}
