package dev.catnap.loom.internal.jdk;

import dev.catnap.spi.Timer;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of a virtual thread's sleep, park or wait. Most are cancelled. If the scheduler is
 * closed before the time has come, it moves to a timer elsewhere, with the time that is left (F16).
 * Thread-safe.
 */
public final class VirtualTimer extends Timer
    implements VirtualTask, ScheduledFuture<@Nullable Void> {
  private static final int WAITING = 0;
  private static final int FIRED = 1;
  private static final int CANCELLED = 2;

  private final ContinuationSink sink;

  /** Let go at the end: a cancelled timer that somebody keeps must not keep a virtual thread. */
  private volatile @Nullable Runnable command;

  private volatile @Nullable Future<?> elsewhere;

  /**
   * Written by whoever fires or cancels. A cancel that comes with the firing may lose: that is a
   * spurious wake.
   */
  private volatile int state = WAITING;

  VirtualTimer(ContinuationSink sink, Runnable command) {
    this.sink = sink;
    this.command = command;
  }

  @Override
  protected void refused() {
    moveElsewhere(Math.max(0, remainingNanos()));
  }

  /** The scheduler does not want it, or not any more. */
  public void moveElsewhere(long delayNanos) {
    if (state != WAITING) {
      return;
    }
    Future<?> future = sink.scheduleElsewhere(this, delayNanos);
    elsewhere = future;
    if (state == CANCELLED) { // in between: one of the two sides sees what the other wrote
      future.cancel(false);
    }
  }

  @Override
  public void run() {
    Runnable task = command;
    if (state == WAITING && task != null) {
      state = FIRED;
      command = null;
      task.run();
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (state != WAITING) {
      return false;
    }
    state = CANCELLED;
    command = null;
    boolean ignored = cancel();
    Future<?> future = elsewhere;
    if (future != null) {
      future.cancel(false);
    }
    return true;
  }

  @Override
  public boolean isCancelled() {
    return state == CANCELLED;
  }

  @Override
  public boolean isDone() {
    return state != WAITING;
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(remainingNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }

  @Override
  public @Nullable Void get() {
    throw new UnsupportedOperationException("the time limit of a virtual thread is not waited for");
  }

  @Override
  public @Nullable Void get(long timeout, TimeUnit unit) {
    return get();
  }
}
