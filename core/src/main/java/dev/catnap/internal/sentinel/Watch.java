package dev.catnap.internal.sentinel;

/** The pool, as the sentinel sees it. Everything here may be called by any thread. */
public interface Watch {

  /** Workers below this index exist; grows only. */
  int size();

  /** One of them. */
  Watched worker(int index);

  /** Whether no worker searches or sleeps, so that a publish finds nobody to wake. */
  boolean everybodyRuns();

  /** As for a sleeper's FinalCheck: queues, exposed slots, and off duty all slots. */
  boolean isWorkVisible();

  /** Gives the right that was taken from a worker to a spare, and tells whoever wants to know. */
  void releaseRightOf(Watched worker);

  /** Publish after its Push, for a task that was pushed before: a slot was exposed just now. */
  void publishWaiting();

  /**
   * Whether publishes leave sleepers asleep while as many as {@link #processors} are awake, and
   * rely on the sentinel to call them up.
   */
  boolean hasStandby();

  /** So many are to be awake and get on. */
  int processors();

  /** A round of the sentinel threw; there will be others. */
  void roundFailed(Throwable t);

  /** Wakes up to so many sleepers, unless somebody searches. */
  void callUp(int most);
}
