package dev.catnap.internal.fork;

/** Who waits for an {@link dev.catnap.internal.sleep.Awaited}: a worker, or a thread outside. */
public interface Waiter {

  /** Any thread, after the wait is over: makes it look, if it sleeps. Harmless otherwise. */
  void wake();
}
