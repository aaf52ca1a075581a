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
   * So many looks in a row, some 1 us apart, at an owner that begins no task: it is in a long one.
   */
  static final int MOST_WITHOUT_PROGRESS = 8;

  /**
   * In one search, some 0.1 ms. A queue that is refilled all the time is work for two in the end.
   */
  static final int MOST_LOOKS = 128;

  /** Before its first task. */
  static final long NEVER = -SHORT;

  private static final int NOBODY = -1;

  private int leftAlone = NOBODY;

  /** So many tasks had its owner begun at the last look. */
  private long begun;

  private int withoutProgress;
  private int looks;

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
    looks = 0;
  }

  void beginRound() {
    leaves = false;
  }

  /**
   * Whether a queue of that length may be left alone in this round. Two of them are work for two.
   */
  boolean mayLeave(int queued) {
    return queued > 0 && queued <= SHORT && !leaves && looks < MOST_LOOKS;
  }

  /**
   * Whether that queue is left alone.
   *
   * @param owner its index
   * @param begunByOwner so many tasks has it begun
   * @return false: take from it
   */
  boolean leavesAlone(int owner, long begunByOwner) {
    if (owner != leftAlone || begunByOwner != begun) {
      leftAlone = owner;
      begun = begunByOwner;
      withoutProgress = 0;
    } else {
      withoutProgress++;
    }
    looks++;
    leaves = withoutProgress < MOST_WITHOUT_PROGRESS;
    return leaves;
  }

  /** In the present round something was left to its owner: look again. */
  boolean leaves() {
    return leaves;
  }
}
