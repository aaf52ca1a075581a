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
}
