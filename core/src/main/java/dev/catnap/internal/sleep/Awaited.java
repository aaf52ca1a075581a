package dev.catnap.internal.sleep;

/** What one worker waits for in the middle of a task: a branch, a scope. */
public interface Awaited {

  /**
   * Whether the wait is over, for good. Volatile: it is read after the fence of a sleeper, and was
   * written before whoever completed it looked at the sleeper's latch.
   */
  boolean isDone();
}
