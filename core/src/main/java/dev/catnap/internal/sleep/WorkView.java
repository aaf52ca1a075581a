package dev.catnap.internal.sleep;

/** What the protocol must know of the queues: whether a look at all of them finds anything. */
@FunctionalInterface
public interface WorkView {

  /**
   * Looks at every queue and every slot of the pool. Called after a full fence; each look must be
   * at least an acquire. May report work that is being taken at this moment, must not overlook a
   * task whose publish made it visible before the fence.
   */
  boolean isWorkVisible();

  /**
   * Whether there are more workers than rights to run, so that one which is about to sleep must
   * become a spare instead. Called after the same fence; one read.
   */
  default boolean isSurplus() {
    return false;
  }

  /**
   * How long the worker that asks may park, where it is its own timer thread (thread per core). It
   * asks after its Commit: whoever arms an earlier timer from then on claims it.
   *
   * @return nanoseconds; not above zero: a timer is due; {@code Long.MAX_VALUE}: without a timeout
   */
  default long nanosToPark() {
    return Long.MAX_VALUE;
  }

  /**
   * Asked by who would wake a sleeper, after a fence that follows the push: whether those that are
   * awake are enough, and somebody watches over them who will wake it if they do not get on.
   * Without that watch the answer must be no.
   *
   * @param inactive workers that search or sleep
   */
  default boolean leavesAsleep(int inactive) {
    return false;
  }

  /**
   * Asked after the same fence by who publishes from outside and would leave the task to those that
   * search: whether so much waits that one more worker is to be woken beside them. A hint: either
   * answer keeps the task safe.
   *
   * @param searching workers that look for work, or were woken for it; above zero
   * @param sleeping workers registered as asleep; above zero
   */
  default boolean isBacklogged(int searching, int sleeping) {
    return false;
  }
}
