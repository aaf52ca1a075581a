package dev.catnap.spi;

import dev.catnap.internal.worker.AdapterTimer;

/**
 * A task that is published when its time has come, or an {@linkplain #isInline action}: armed by
 * {@link SchedulerAdapter#arm}, once. Timer and task are one object, since there may be millions
 * that are armed and cancelled: each allocation, and each reference that leads to memory which is
 * not in the cache, would count. Thread-safe, if what extends it is.
 */
public abstract class Timer extends AdapterTimer {

  /** Not armed. */
  protected Timer() {}

  /** The task, on a worker; of an {@linkplain #isInline inline} timer, its action. */
  @Override
  public abstract void run();

  /**
   * Whether the timer must not wait for a worker, as what ends the loop of a task must not: then
   * whoever sees that it is due, a worker between two tasks or, about a millisecond late, the timer
   * thread, calls {@link #run} itself. That must be short and must not wait, since all other timers
   * wait for it. If it throws for lack of memory or stack, it is called again 10 ms later.
   *
   * @return the same at each call; false if not overridden. A scheduler without a timer thread (a
   *     thread per core, or that of the caller) {@linkplain #refused refuses} one that returns true
   */
  @Override
  protected boolean isInline() {
    return false;
  }

  /**
   * The scheduler was shut down before the time had come, or before the call that armed this; or it
   * has no thread for an {@linkplain #isInline inline} timer. It may be called inside of that call;
   * what it throws then, its caller gets, else the handler of uncaught exceptions. The scheduler
   * runs the task no more.
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
