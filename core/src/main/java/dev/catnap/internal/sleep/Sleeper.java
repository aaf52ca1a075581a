package dev.catnap.internal.sleep;

import org.jspecify.annotations.Nullable;

/**
 * One worker as the protocol sees it: its latch, its thread, and what it remembers between steps.
 * The package's own fields are written by the worker alone, except the latch; {@link #thread} is
 * written before the thread starts, and by a worker whose threads change.
 */
public class Sleeper {
  final WorkerLatch latch = new WorkerLatch();

  /** The JEC of this worker's last Announce; only read by its Register. */
  long announcedJec;

  /** Its place among the sleepers of its pool; written before it is added to them. */
  int place = -1;

  /** Whether it is in the set of those that are awake. */
  boolean amongTheAwake;

  private volatile @Nullable Thread thread;

  /** Called by whoever starts the worker, before {@code Thread.start}. Null: none at present. */
  public final void setThread(@Nullable Thread thread) {
    this.thread = thread;
  }

  /** The thread of this worker; null before its first start, and while it has none. */
  public final @Nullable Thread thread() {
    return thread;
  }

  /**
   * Whether something waits that only this worker can take, or what it waits for is done. Asked in
   * its FinalCheck, after the same fence as {@link WorkView#isWorkVisible}; each look must be at
   * least an acquire.
   */
  protected boolean hasAddressedWork() {
    return false;
  }

  /**
   * Whether nothing was ever addressed to this worker, so that it may end when it is of no use.
   * Asked while it retires, after its latch says so; must be a volatile read.
   */
  protected boolean mayRetire() {
    return true;
  }

  /** An interrupt came while it was parked, and its flag was cleared. By its own thread. */
  protected void interruptedAsleep() {}

  /** A word for dumps: awake, sleeping, notified, waiting, spare, retiring, retired or starting. */
  public final String latchState() {
    return latch.toString();
  }
}
