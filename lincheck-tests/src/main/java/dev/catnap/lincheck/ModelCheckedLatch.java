package dev.catnap.lincheck;

/**
 * A gate that opens once, for tests that must notice a lost wakeup: let the publisher wait, after
 * its publish, for a latch that the published task opens. Either the task starts without any
 * further event, or the publisher hangs and Lincheck reports it (G1).
 *
 * <p>It is a monitor, because Lincheck lets {@code LockSupport.park}, and with it every lock and
 * latch of {@code java.util.concurrent}, return for no reason, and timeouts pass at once. There is
 * no timeout here. Thread-safe. What a thread did before {@link #open} is visible after {@link
 * #await}.
 */
public final class ModelCheckedLatch {
  private int callsToCome;

  /** Closed; opened by one call. */
  public ModelCheckedLatch() {
    this(1);
  }

  /**
   * Closed.
   *
   * @param calls calls of {@link #open} that it takes, at least 1
   */
  public ModelCheckedLatch(int calls) {
    callsToCome = calls;
  }

  /** Opens it, or takes one step there. */
  public synchronized void open() {
    callsToCome--;
    if (callsToCome == 0) {
      notifyAll();
    }
  }

  /** Blocks until it is open. */
  public synchronized void await() {
    while (callsToCome > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new AssertionError("nobody interrupts here", e);
      }
    }
  }
}
