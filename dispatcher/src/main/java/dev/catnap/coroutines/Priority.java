package dev.catnap.coroutines;

/** What gives way to what, among the coroutines of one scheduler. */
public enum Priority {
  /** As without a priority. */
  NORMAL,
  /**
   * Gives way to everything else: a worker takes such a coroutine when it finds nothing else to
   * run, and about once in 500 tasks although it does, so that background work goes on (G5); after
   * one that runs for long, the others have 16 times as long, up to a second. One that runs is not
   * interrupted: it gives way where it suspends or yields.
   */
  LOW
}
