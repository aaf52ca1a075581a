package dev.catnap.internal.worker;

/**
 * Whether a worker waits for work in rounds before it sleeps. That saves a sleep and a wake where
 * the next task comes within microseconds, and is wasted where it does not: a task now and then
 * from outside would cost a third more processor time. So each time in a row that the rounds end
 * without a task, twice as many searches go without; the first task that they do find makes them
 * the rule again. By the worker's own thread.
 */
final class SearchRounds {
  private static final int MOST_LEFT_OUT = 63;

  /**
   * Then they last some 20 us on today's processors: about what it takes a woken worker to begin.
   */
  private static final int TIMES_AFTER_COARSE_TASKS = 8;

  /** So many searches go without rounds after one whose rounds ended without a task. */
  private int toLeaveOut;

  private int leftOut;

  /**
   * How many rounds there are. Two stages of a pipeline wait for each other as long as the last
   * wake took that one of them needed. If the other has gone to sleep by then, it needs one as
   * well, and so on for each item.
   *
   * @param rounds after fine tasks
   */
  static int most(int rounds, boolean afterCoarseTasks) {
    return afterCoarseTasks ? TIMES_AFTER_COARSE_TASKS * rounds : rounds;
  }

  /** Asked once at the beginning of a search. */
  boolean arePaying() {
    if (leftOut < toLeaveOut) {
      leftOut++;
      return false;
    }
    leftOut = 0;
    return true;
  }

  /** A round after the first found a task, or its wait over: the worker need not sleep. */
  void paid() {
    toLeaveOut = 0;
  }

  void didNotPay() {
    toLeaveOut = Math.min(2 * toLeaveOut + 1, MOST_LEFT_OUT);
  }
}
