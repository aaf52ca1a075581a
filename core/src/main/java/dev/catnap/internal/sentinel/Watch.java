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

  /** Steps 2 to 4 of Publish, for a task that lies in a slot which was exposed just now. */
  void publishExposed();
}
