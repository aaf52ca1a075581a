package dev.catnap.internal.fork;

/**
 * What lies in a {@link ForkDeque}. It is run or cancelled once, by whoever took it out; it lets
 * nothing that it throws escape, but keeps it for who waits.
 */
public abstract class ForkTask implements Runnable {

  /** Instead of {@link #run}: the scheduler was shut down before it began. */
  public abstract void cancel(Throwable why);
}
