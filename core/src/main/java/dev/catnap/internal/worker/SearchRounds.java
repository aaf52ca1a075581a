package dev.catnap.internal.worker;

/**
 * Whether a worker waits for work in rounds before it sleeps, and for how long. That saves a sleep
 * and a wake where the next task comes within microseconds, and is wasted where it does not: a task
 * now and then from outside would cost a third more processor time. So each time in a row that the
 * rounds end without a task, twice as many searches go without; the first task that they do find
 * makes them the rule again. By the worker's own thread.
 */
final class SearchRounds {
  private static final int MOST_LEFT_OUT = 63;

  /** Of those that would last longer. */
  private static final int MOST_LONG_LEFT_OUT = 255;

  /**
   * Where one waits for another it is that many times the rounds that it is for tasks in a row.
   * Then they last some 30 us on today's processors: somewhat more than it takes a woken worker to
   * begin, or whoever waits for its result.
   */
  private static final int TIMES_WHERE_ONE_WAITS = 12;

  /** A request that is resumed a few times is still one. */
  private static final int MOST_TASKS_OF_A_REQUEST = 4;

  /** After one that was waited for so many more are expected, though they come sooner. */
  private static final int REQUESTS_EXPECTED = 32;

  /** So many searches go without rounds after one whose rounds ended without a task. */
  private int toLeaveOut;

  private int leftOut;

  /** The rounds of this search are more than those for tasks in a row. */
  private boolean isLong;

  /** So many are still expected. */
  private int requests;

  /** When the last task was found, so many had been begun. */
  private long begunBefore;

  /**
   * How many rounds there are. More, where who sleeps makes another sleep:
   *
   * <ul>
   *   <li>Two stages of a pipeline, of coarse tasks, wait for each other as long as the last wake
   *       took that one of them needed. If the other has gone to sleep by then, it needs one as
   *       well, and so on for each item.
   *   <li>A thread sends one task after the other, and waits for each. If the worker sleeps when
   *       the next one comes, it answers so late that the thread sleeps as well, and so late that
   *       the worker does.
   * </ul>
   *
   * Not after many tasks at once or in a row: who sends those does not wait, and is faster without
   * a worker that takes them one by one.
   *
   * @param rounds for tasks in a row
   * @param afterCoarseTasks this worker's were
   * @param begun so many tasks has it begun
   */
  int most(int rounds, boolean afterCoarseTasks, long begun) {
    boolean isRequest = requests > 0 && begun - begunBefore <= MOST_TASKS_OF_A_REQUEST;
    isLong = afterCoarseTasks || isRequest;
    return isLong ? TIMES_WHERE_ONE_WAITS * rounds : rounds;
  }

  /**
   * A search has found a task.
   *
   * @param sent to the pool, or to this worker, not published by another one
   * @param waited slept, or more rounds than for tasks in a row
   * @param begun so many tasks has this worker begun
   */
  void found(boolean sent, boolean waited, long begun) {
    if (!sent) {
      requests = 0;
    } else {
      requests = waited ? REQUESTS_EXPECTED : Math.max(0, requests - 1);
    }
    begunBefore = begun;
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
    toLeaveOut = Math.min(2 * toLeaveOut + 1, isLong ? MOST_LONG_LEFT_OUT : MOST_LEFT_OUT);
  }
}
