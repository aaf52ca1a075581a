package dev.catnap.internal.sleep;

import dev.catnap.internal.atomic.PaddedInt;

/**
 * The state of one worker, and the only thing about it that can be claimed. Every transition is one
 * CAS (or the reset by its owner), so a sleeper is woken by exactly one thread: the one whose CAS
 * succeeded, which then owes the decrement of <i>sleeping</i>.
 *
 * <pre>
 *   AWAKE    to SLEEPING   the worker, Commit, after its Register
 *   SLEEPING to AWAKE      a waker (Claim), or the worker itself (Withdraw)
 *   any      to NOTIFIED   a thread with something addressed to this very worker; not from RETIRED
 *   NOTIFIED to AWAKE      the worker, before it looks at what was addressed to it
 *   AWAKE    to SPARE      the worker, when more workers are able to run than the parallelism
 *   SPARE    to AWAKE      a thread that hands it a right to run, or the worker itself (takes it back)
 *   SPARE    to RETIRED    the worker, when its keep-alive is over
 *   RETIRED  to AWAKE      the thread that starts a new thread for this worker
 * </pre>
 *
 * Sequential consistency throughout: with release and acquire alone, a set and a fall-asleep can
 * miss each other (store buffering).
 */
final class WorkerLatch {
  private static final int AWAKE = 0;
  private static final int SLEEPING = 1;
  private static final int NOTIFIED = 2;
  private static final int SPARE = 3;
  private static final int RETIRED = 4;

  private final PaddedInt state = new PaddedInt(RETIRED);

  /** False: something addressed to this worker came first. */
  boolean commit() {
    return state.compareAndSet(AWAKE, SLEEPING);
  }

  /** True: the caller woke this sleeper, and owes the decrement and the unpark. */
  boolean claim() {
    return state.compareAndSet(SLEEPING, AWAKE);
  }

  boolean isSleeping() {
    return state.getVolatile() == SLEEPING;
  }

  /** What a notification found, and so what its sender owes. */
  enum Notified {
    /** It was asleep and counted: decrement and unpark. */
    FROM_SLEEP,
    /** It was parked without being counted: unpark. */
    FROM_SPARE,
    /** It looks by itself. */
    NOTHING_OWED
  }

  Notified sendNotification() {
    for (; ; ) {
      int s = state.getVolatile();
      if (s == RETIRED) {
        return Notified.NOTHING_OWED;
      }
      if (state.compareAndSet(s, NOTIFIED)) {
        return switch (s) {
          case SLEEPING -> Notified.FROM_SLEEP;
          case SPARE -> Notified.FROM_SPARE;
          default -> Notified.NOTHING_OWED;
        };
      }
    }
  }

  /** Called by the worker before it looks at what was addressed to it, so that none is lost. */
  void acknowledge() {
    state.compareAndSet(NOTIFIED, AWAKE);
  }

  boolean becomeSpare() {
    return state.compareAndSet(AWAKE, SPARE);
  }

  boolean claimSpare() {
    return state.compareAndSet(SPARE, AWAKE);
  }

  /** Also when notified: the worker looks at that between two tasks. */
  boolean isAwake() {
    int s = state.getOpaque();
    return s == AWAKE || s == NOTIFIED;
  }

  boolean isSpare() {
    return state.getVolatile() == SPARE;
  }

  boolean isRetired() {
    return state.getVolatile() == RETIRED;
  }

  boolean retire() {
    return state.compareAndSet(SPARE, RETIRED);
  }

  /** The thread is over without having been a spare; nobody notifies it any more. */
  void end() {
    state.setVolatile(RETIRED);
  }

  boolean revive() {
    return state.compareAndSet(RETIRED, AWAKE);
  }

  @Override
  public String toString() {
    return switch (state.getOpaque()) {
      case AWAKE -> "awake";
      case SLEEPING -> "sleeping";
      case NOTIFIED -> "notified";
      case SPARE -> "spare";
      default -> "retired";
    };
  }
}
