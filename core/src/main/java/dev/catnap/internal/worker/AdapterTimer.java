package dev.catnap.internal.worker;

import dev.catnap.internal.timer.TimerNode;
import dev.catnap.spi.Placement;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler's side of {@link dev.catnap.spi.Timer}, which is the task as well. What adapters do
 * not call is hidden from the pages about that.
 */
@SuppressWarnings("InvalidBlockTag") // Error Prone knows "hidden" of classes only
public abstract class AdapterTimer extends TimerNode implements Runnable {
  /** Null before it is armed. Whoever has got it by way of the queue sees it. */
  private @Nullable Pool pool;

  /** Of {@link dev.catnap.spi.Timer} alone. */
  protected AdapterTimer() {}

  /** The scheduler was shut down before the time had come, or before this. */
  protected abstract void refused();

  /**
   * Whether whoever sees that it is due runs it, in place of publishing it.
   *
   * @hidden
   */
  protected abstract boolean isInline();

  final void arm(Pool where, long delayNanos) {
    if (pool != null) {
      throw new IllegalStateException("armed before: " + this);
    }
    pool = where;
    boolean isArmed;
    try {
      isArmed = where.timers().arm(this, delayNanos);
    } catch (RuntimeException | Error e) {
      pool = null;
      throw e;
    }
    if (!isArmed) {
      refused();
    }
  }

  /**
   * True: it was armed, and will not fire.
   *
   * @hidden
   */
  protected final boolean disarm() {
    Pool p = pool;
    if (p == null) {
      return false;
    }
    p.ensureStack();
    return p.timers().cancel(this);
  }

  /**
   * Zero if it was never armed.
   *
   * @hidden
   */
  protected final long nanosLeft() {
    Pool p = pool;
    return p == null ? 0 : p.timers().nanosLeft(this);
  }

  /**
   * @hidden
   */
  @Override
  protected final void fire() {
    if (isInline()) {
      run();
      return;
    }
    Pool p = pool;
    if (p != null && !p.publishContinuation(this, Placement.QUEUED)) {
      refused();
    }
  }

  /**
   * @hidden
   */
  @Override
  protected final boolean needsThread() {
    return isInline();
  }

  /**
   * @hidden
   */
  @Override
  protected final boolean survivesShutdown() {
    return false;
  }

  /**
   * @hidden
   */
  @Override
  protected final boolean isHandedBack() {
    return false;
  }

  /**
   * @hidden
   */
  @Override
  protected final void dropped() {
    refused();
  }
}
