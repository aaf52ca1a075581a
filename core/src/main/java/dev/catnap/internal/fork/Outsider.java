package dev.catnap.internal.fork;

import dev.catnap.internal.sleep.Awaited;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that is not a worker and waits: it parks, and a virtual one leaves its carrier
 * meanwhile.
 */
public final class Outsider implements Waiter {
  private final Thread thread = Thread.currentThread();

  /** The calling thread. */
  public Outsider() {}

  /** The same thread. An interrupt does not end the wait; its flag is set again afterwards. */
  public void await(Awaited awaited) {
    boolean interrupted = false;
    while (!awaited.isDone()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      thread.interrupt();
    }
  }

  @Override
  public void wake() {
    LockSupport.unpark(thread);
  }
}
