package dev.catnap.internal.atomic;

/**
 * Excludes without a queue of waiters. A lock that has one (a monitor too, since virtual threads
 * leave their carrier while they wait for it) must not be shared by workers and virtual threads
 * that they carry:
 *
 * <pre>
 *   T1 virtual thread            T2 worker                    T3 outside
 *                                                             holds the lock
 *   waits, first in the queue,
 *   and leaves its worker
 *                                waits, second in the queue
 *                                                             unlocks, wakes the first: T1 is queued to run
 *   needs a worker to run        waits for T1 to take it: for ever, if T2 was the last worker
 * </pre>
 *
 * What it guards must be short, and must neither park nor run code of tasks or hooks: then the
 * holder is always on a processor, or about to be. Nor may it meet the end of the stack, which may
 * be anywhere: who locks on the stack of others looks before ({@link
 * dev.catnap.internal.stack.StackReserve}). Not reentrant. {@link #lock} and {@link #unlock} have
 * the memory effects of a lock.
 */
public final class SpinLock {
  private static final int SPINS = 64;

  private static final int FREE = 0;
  private static final int HELD = 1;

  /** Padded: who waits must not take from the holder the line of what the lock guards. */
  private final PaddedInt state = new PaddedInt(FREE);

  /** Free. */
  public SpinLock() {}

  /** Waits until the lock is free, and takes it. */
  public void lock() {
    for (int i = 0; state.getVolatile() == HELD || !state.compareAndSet(FREE, HELD); i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield(); // the holder may have lost its processor
      }
    }
  }

  /** By the holder. */
  public void unlock() {
    state.setRelease(FREE);
  }
}
