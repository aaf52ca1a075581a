package dev.catnap.internal.blocking;

import dev.catnap.internal.atomic.PaddedInt;

/**
 * Whether one worker holds its right to run.
 *
 * <pre>
 *   HELD  to GIVEN   the worker, when it enters a declared blocking section or becomes a spare
 *   TAKEN to GIVEN   the same; the right is already gone
 *   HELD  to TAKEN   the sentinel, which noticed that the worker does not come back
 *   TAKEN to HELD    the sentinel, if the worker has just come back; or the worker, when it does
 *   GIVEN to HELD    the worker, at the end of the section, when a spare is handed a right, or when its
 *                    thread begins
 * </pre>
 *
 * Whoever moves it away from HELD owes the release of one right, and the worker that moves it back
 * owes the reclaim: each transition is one swap, so a right is never released twice.
 */
public final class WorkerRight {
  private static final int HELD = 0;
  private static final int GIVEN = 1;
  private static final int TAKEN = 2;

  /** A worker without a running thread holds none that could be taken. */
  private final PaddedInt state = new PaddedInt(GIVEN);

  /** The worker. True: it held one, and owes the release; false: the sentinel was faster. */
  public boolean giveUp() {
    return state.getAndSet(GIVEN) == HELD;
  }

  /** The worker. True: it held none, and owes a reclaim. */
  public boolean regain() {
    return state.getAndSet(HELD) != HELD;
  }

  /**
   * The worker, which was handed a right together with its thread or its wake. Nothing happens if
   * it held one all the time, not even if that is being taken at this moment: it reclaims that
   * next.
   */
  public void receive() {
    state.compareAndSet(GIVEN, HELD);
  }

  /** The sentinel. True: it owes a release. */
  public boolean takeAway() {
    return state.compareAndSet(HELD, TAKEN);
  }

  /**
   * The sentinel. True: nothing happened; false: the worker has seen it, and the release is owed.
   */
  public boolean giveBack() {
    return state.compareAndSet(TAKEN, HELD);
  }

  /** The worker, between two tasks and after StartSearch; one read. */
  public boolean isHeld() {
    return state.getVolatile() == HELD;
  }

  /** Any thread: whether the worker gave it up itself. */
  public boolean isGiven() {
    return state.getOpaque() == GIVEN;
  }

  /** Any thread: whether the sentinel took it. */
  public boolean isTaken() {
    return state.getOpaque() == TAKEN;
  }
}
