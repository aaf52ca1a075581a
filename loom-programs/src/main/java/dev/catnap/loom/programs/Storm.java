package dev.catnap.loom.programs;

import java.util.concurrent.ThreadFactory;

/** Very many virtual threads that do one thing. Immutable: each run counts from zero. */
public interface Storm {
  /**
   * Runs it; over when the last thread has ended. Called by a platform thread.
   *
   * @param factory makes the virtual threads
   * @return the account of all that was done
   * @throws InterruptedException if the caller was interrupted; threads are left behind
   * @throws java.io.IOException if a socket failed
   */
  String run(ThreadFactory factory) throws InterruptedException, java.io.IOException;

  /** The account if nothing is lost, done twice, or done early. */
  String expected();
}
