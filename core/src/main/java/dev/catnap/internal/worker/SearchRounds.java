package dev.catnap.internal.worker;

/**
 * Whether a worker waits for work in rounds before it sleeps, and for how long. That saves a sleep
 * and a wake where the next task comes within microseconds, and is wasted where it does not: a task
 * now and then from outside would cost a third more processor time. So from the second time in a
 * row on that the rounds end without a task, each time twice as many searches go without; the first
 * task that they do find makes them the rule again, unless they were lost to somebody else who had
 * the processor. By the worker's own thread.
 */
final class SearchRounds {
  private static final int MOST_LEFT_OUT = 63;

  /** Of those that would last longer, and after one that did, because the processor was lost. */
  private static final int MOST_LONG_LEFT_OUT = 255;

  /**
   * Where one waits for another it is that many times the rounds that it is for tasks in a row.
   * Then they last some 30 us on today's processors: somewhat more than it takes a woken worker to
   * begin, or whoever waits for its result.
   */
  private static final int TIMES_WHERE_ONE_WAITS = 12;

  /** A request that is resumed from outside a few times is still one. */
  private static final int MOST_TASKS_OF_A_REQUEST = 4;

  /** After one that was waited for so many more are expected, though they come sooner. */
  private static final int REQUESTS_EXPECTED = 32;

  /**
   * For so long the operating system lets go on who computes. A thread that sends tasks and waits
   * for them does not need it, and has the processor while rounds last that pay.
   */
  static final long LOST_NANOS = 1_000_000;

  /** Fewer may be of one who waits for their end. */
  private static final int SEVERAL = 8;

  /** More than it takes to make a task and to send it. */
  private static final long SENT_NANOS = 2_000;

  /** So many searches go without rounds after one whose rounds ended without a task. */
  private int toLeaveOut;

  private int leftOut;

  /** The last rounds found a task, or there were none yet. */
  private boolean paidLast = true;

  /** No fewer than these: most after rounds that were lost, half as many with each that paid. */
  private int atLeast;

  /** The rounds of this search are more than those for tasks in a row. */
  private boolean isLong;

  /** And only for a request. */
  private boolean isForRequest;

  /** So many are still expected. */
  private int requests;

  /** Before the last task was found, so many had been sent. */
  private long sentBefore;

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
   * Not after many that were sent at once or in a row: who sends those does not wait, and is faster
   * without a worker that takes them one by one. How many they have led to says nothing.
   *
   * @param rounds for tasks in a row
   * @param afterCoarseTasks this worker's were
   * @param sent so many tasks that were sent to the pool has it taken
   */
  int most(int rounds, boolean afterCoarseTasks, long sent) {
    boolean isRequest = requests > 0 && sent - sentBefore <= MOST_TASKS_OF_A_REQUEST;
    isLong = afterCoarseTasks || isRequest;
    isForRequest = isLong && !afterCoarseTasks;
    return isLong ? TIMES_WHERE_ONE_WAITS * rounds : rounds;
  }

  /**
   * Whether they end with those for tasks in a row. Before all that a request has led to is done
   * there is no answer, and so no next one.
   *
   * @param isAlone no other worker is awake, which would be one that is still at it
   */
  boolean areCutShort(boolean isAlone) {
    if (!isForRequest || isAlone) {
      return false;
    }
    isLong = false;
    return true;
  }

  /**
   * A search has found a task.
   *
   * @param sent to the pool, or to this worker, not published by another one
   * @param waited slept, or more rounds than for tasks in a row
   * @param sentBefore so many that were sent to the pool had this worker taken before
   */
  void found(boolean sent, boolean waited, long sentBefore) {
    if (sent) {
      requests = waited ? REQUESTS_EXPECTED : Math.max(0, requests - 1);
    }
    this.sentBefore = sentBefore;
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

  /**
   * A round after the first found a task, or its wait over: the worker need not sleep.
   *
   * @param nanos how long the rounds took
   * @param found so many tasks that were sent, or somewhat more; 1: another worker's, however many
   */
  void paid(long nanos, int found) {
    paidLast = true;
    atLeast = wasLost(nanos) || keptWaiting(nanos, found) ? MOST_LONG_LEFT_OUT : atLeast / 2;
    toLeaveOut = atLeast;
  }

  /**
   * Once among many that pay is no reason to leave any out: the next task would wake this worker.
   *
   * @param nanos how long the rounds took
   */
  void didNotPay(long nanos) {
    int twice = Math.min(2 * toLeaveOut + 1, isLong ? MOST_LONG_LEFT_OUT : MOST_LEFT_OUT);
    atLeast = wasLost(nanos) ? MOST_LONG_LEFT_OUT : atLeast;
    toLeaveOut = Math.max(atLeast, paidLast ? 0 : twice);
    paidLast = false;
  }

  /**
   * Whether several tasks waited for this worker while somebody else had its processor, who did
   * more than send them: requests to a server that shares its processors with others. They count on
   * one that searches, and a sleeper would have begun the first of them sooner. Who does nothing
   * but send tasks sends them faster, and is held up by a worker that takes them one by one.
   */
  private static boolean keptWaiting(long nanos, int found) {
    return found >= SEVERAL && nanos > found * SENT_NANOS;
  }

  /**
   * Whether somebody else had this processor meanwhile, and for long. Who sends a task relies on
   * one that searches, and wakes nobody; and what comes in so long a time is found, so that the
   * rounds would seem to pay. A sleeper gets the processor sooner.
   */
  static boolean wasLost(long nanos) {
    return nanos > LOST_NANOS;
  }
}
