package dev.catnap.spi;

import dev.catnap.internal.worker.AdapterTimer;

/**
 * A task that is published when its time has come: armed by {@link SchedulerAdapter#arm}, once.
 * Timer and task are one object, since there may be millions that are armed and cancelled: each
 * allocation, and each reference that leads to memory which is not in the cache, would count.
 * Thread-safe, if what extends it is.
 */
public abstract class Timer extends AdapterTimer {

  /** Not armed. */
  protected Timer() {}

  /** The task, on a worker. */
  @Override
  public abstract void run();

  /**
   * The scheduler was shut down before the time had come, or before the call that armed this. It
   * may be called inside of that call; what it throws then, its caller gets, else the handler of
   * uncaught exceptions. The scheduler runs the task no more.
   */
  @Override
  protected abstract void refused();

  /**
   * Disarms it, from any thread. Nothing of a cancelled timer stays behind.
   *
   * @return true: the task will not be published; false: it was before, or this was cancelled
   *     before, or not armed
   * @throws StackOverflowError if there are not 8 KB left; nothing has changed
   */
  public final boolean cancel() {
    return disarm();
  }

  /**
   * How long until it is due.
   *
   * @return nanoseconds; not above zero: it is. Zero if it was never armed
   */
  public final long remainingNanos() {
    return nanosLeft();
  }
}
