package dev.catnap.internal.sleep;

import dev.catnap.internal.atomic.PaddedInt;

/**
 * The state of one worker, and the only thing about it that can be claimed. Every transition is one
 * CAS (or a write by its owner), so a sleeper is woken by exactly one thread: the one whose CAS
 * succeeded, which then owes the decrement of <i>sleeping</i>.
 *
 * <pre>
 *   AWAKE    to SLEEPING   the worker, Commit, after its Register
 *   SLEEPING to AWAKE      a waker (Claim), or the worker itself (Withdraw)
 *   AWAKE    to WAITING    the worker, in a declared blocking section, or where its stack ends, for something
 *                          in the middle of its task
 *   WAITING  to AWAKE      the thread that completes what it waits for, or the worker itself (it is there already)
 *   any      to NOTIFIED   a thread with something addressed to this very worker; not from RETIRED or STARTING
 *   NOTIFIED to AWAKE      the worker, before it looks at what was addressed to it
 *   AWAKE    to SPARE      the worker, when more workers are able to run than the parallelism
 *   SPARE    to AWAKE      a thread that hands it a right to run, or the worker itself (takes it back)
 *   SPARE    to RETIRING   the worker, when its keep-alive is over
 *   RETIRING to RETIRED    the worker, to which nothing was ever addressed; its thread ends
 *   RETIRING to NOTIFIED   also the worker itself, to which something was: it stays
 *   RETIRED  to STARTING   the thread that starts a new thread for this worker
 *   STARTING to AWAKE      the new thread, first of all
 *   STARTING to RETIRED    the thread that could not start it
 *   any      to RETIRED    the worker, whose thread ends for good
 * </pre>
 *
 * RETIRING and STARTING say that a worker may or may not have a thread: one party decides, and
 * whoever must know waits for that.
 *
 * <p>Sequential consistency throughout: with release and acquire alone, a set and a fall-asleep can
 * miss each other (store buffering).
 */
final class WorkerLatch {
  private static final int AWAKE = 0;
  private static final int SLEEPING = 1;
  private static final int NOTIFIED = 2;
  private static final int SPARE = 3;
  private static final int RETIRED = 4;
  private static final int WAITING = 5;
  private static final int RETIRING = 6;
  private static final int STARTING = 7;

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
      // A new thread looks by itself. Were STARTING to become NOTIFIED, a worker whose thread could
      // not be started would seem to have one.
      if (s == RETIRED || s == STARTING) {
        return Notified.NOTHING_OWED;
      }
      if (state.compareAndSet(s, NOTIFIED)) {
        return switch (s) {
          case SLEEPING -> Notified.FROM_SLEEP;
          case SPARE, WAITING -> Notified.FROM_SPARE;
          default -> Notified.NOTHING_OWED;
        };
      }
    }
  }

  /** Called by the worker before it looks at what was addressed to it, so that none is lost. */
  boolean acknowledge() {
    // The CAS only if it can succeed: this is on the way of every woken worker to its task.
    return state.getVolatile() == NOTIFIED && state.compareAndSet(NOTIFIED, AWAKE);
  }

  /** True: it was parked as a spare, and the caller owes the unpark. */
  boolean notifySpare() {
    return state.compareAndSet(SPARE, NOTIFIED);
  }

  /** False: something addressed to this worker came first. */
  boolean beginWait() {
    return state.compareAndSet(AWAKE, WAITING);
  }

  /** True: the caller ended the wait, and owes the unpark unless it is the worker itself. */
  boolean endWait() {
    return state.compareAndSet(WAITING, AWAKE);
  }

  boolean isWaiting() {
    return state.getVolatile() == WAITING;
  }

  boolean becomeSpare() {
    return state.compareAndSet(AWAKE, SPARE);
  }

  boolean claimSpare() {
    return state.compareAndSet(SPARE, AWAKE);
  }

  /**
   * Also when notified: the worker looks at that between two tasks. And when it waits in a blocking
   * section: what it has in its slot must be seen to.
   */
  boolean isAwake() {
    int s = state.getOpaque();
    return s == AWAKE || s == NOTIFIED || s == WAITING;
  }

  boolean isSpare() {
    return state.getVolatile() == SPARE;
  }

  boolean isRetired() {
    return state.getVolatile() == RETIRED;
  }

  boolean isRetiring() {
    return state.getVolatile() == RETIRING;
  }

  /** One read, for it may change from one of the three to another between two. */
  boolean hasThread() {
    int s = state.getVolatile();
    return s != RETIRED && s != RETIRING && s != STARTING;
  }

  /** True: nobody else claims it before it has decided. */
  boolean prepareToRetire() {
    return state.compareAndSet(SPARE, RETIRING);
  }

  /** False: it was notified. */
  boolean retire() {
    return state.compareAndSet(RETIRING, RETIRED);
  }

  /** After {@link #prepareToRetire}: it does not retire, and looks at what was addressed to it. */
  void stay() {
    state.setVolatile(NOTIFIED);
  }

  /**
   * The thread is over without having been a spare, or could not be started; nobody notifies it any
   * more.
   */
  void end() {
    state.setVolatile(RETIRED);
  }

  boolean revive() {
    return state.compareAndSet(RETIRED, STARTING);
  }

  /** Called by the new thread. */
  void begin() {
    state.setVolatile(AWAKE);
  }

  @Override
  public String toString() {
    return switch (state.getOpaque()) {
      case AWAKE -> "awake";
      case SLEEPING -> "sleeping";
      case NOTIFIED -> "notified";
      case SPARE -> "spare";
      case WAITING -> "waiting";
      case RETIRING -> "retiring";
      case STARTING -> "starting";
      default -> "retired";
    };
  }
}
