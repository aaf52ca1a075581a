package dev.catnap.internal.worker;

/**
 * Who looks for work leaves a short queue alone for a while, if its owner goes through it quickly.
 * Tasks that have just been made ready there are likely to use the same data, channel or lock: two
 * processors that contend for these are mostly slower than one that runs them all, which is done by
 * the time a task has been moved.
 *
 * <p>It is a matter of rounds: the last look before sleep takes whatever it finds. Go's thieves
 * wait for 3 us before they take what its owner runs next, those of kotlinx.coroutines leave the
 * last task of a queue for 100 us. By the thief's own thread.
 */
final class Patience {
  /** More than that is enough for two. */
  static final int SHORT = 16;

  /**
   * Rounds from one look at an owner that goes on to the next. Each look has it fetch anew what it
   * writes with each task: one in each round costs it up to a sixth of its time.
   */
  static final int MOST_BETWEEN_LOOKS = 4;

  /** So many looks, in as many rounds, at an owner that begins no task: it is in a long one. */
  static final int MOST_WITHOUT_PROGRESS = 8;

  /**
   * In one search, some 0.1 ms. A queue that is refilled all the time is work for two in the end.
   */
  static final int MOST_ROUNDS = 128;

  /** Before its first task. */
  static final long NEVER = -SHORT;

  private static final int NOBODY = -1;

  private int leftAlone = NOBODY;

  /** So many tasks had its owner begun at the last look. */
  private long begun;

  private int withoutProgress;

  /** From the last look at it to the next one. */
  private int roundsBetween;

  private int roundsUntilLook;

  /** In this search, with something left. */
  private int rounds;

  /** In the present round. */
  private boolean leaves;

  /**
   * Whether a short queue may still hold what was queued then.
   *
   * @param then so many tasks had its owner begun
   * @param now so many has it begun
   */
  static boolean isLately(long then, long now) {
    return now - then < SHORT;
  }

  void beginSearch() {
    leftAlone = NOBODY;
    rounds = 0;
  }

  void beginRound() {
    leaves = false;
  }

  /** Whether that queue is left alone because it is too early to look at it again. */
  boolean leavesUnseen(int owner) {
    if (owner != leftAlone || roundsUntilLook == 0) {
      return false;
    }
    roundsUntilLook--;
    rounds++;
    leaves = true;
    return true;
  }

  /**
   * Whether a queue of that length may be left alone in this round. Two of them are work for two.
   */
  boolean mayLeave(int queued) {
    return queued > 0 && queued <= SHORT && !leaves && rounds < MOST_ROUNDS;
  }

  /**
   * Whether that queue is left alone.
   *
   * @param owner its index
   * @param begunByOwner so many tasks has it begun
   * @return false: take from it
   */
  boolean leavesAlone(int owner, long begunByOwner) {
    boolean again = owner == leftAlone;
    if (again && begunByOwner == begun) {
      withoutProgress++;
      roundsBetween = 1;
    } else {
      withoutProgress = 0;
      roundsBetween = again ? Math.min(2 * roundsBetween, MOST_BETWEEN_LOOKS) : 1;
      leftAlone = owner;
      begun = begunByOwner;
    }
    roundsUntilLook = roundsBetween - 1;
    rounds++;
    leaves = withoutProgress < MOST_WITHOUT_PROGRESS;
    return leaves;
  }

  /** In the present round something was left to its owner: look again. */
  boolean leaves() {
    return leaves;
  }
}
