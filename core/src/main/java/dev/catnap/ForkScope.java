package dev.catnap;

import java.util.concurrent.RejectedExecutionException;

/**
 * Starts the subtasks of a {@link WorkStealingScheduler#scope}. Thread-safe: subtasks may fork
 * more, and hand it to other threads, as long as the scope is not over.
 *
 * <p>The idea is Rayon's {@code scope}.
 */
public interface ForkScope {

  /**
   * Runs the task some time before the scope ends: on the worker that calls, which takes the newest
   * first, unless another one takes it, the oldest first. What the caller did before happens-before
   * the task; what the task does happens-before the return of the scope.
   *
   * @param task a subtask; what it throws is thrown by the scope
   * @throws IllegalStateException if the scope is over
   * @throws RejectedExecutionException if called on a thread outside the scheduler when that does
   *     not accept anything any more
   * @throws OutOfMemoryError if a queue cannot grow; the task was not accepted
   */
  void fork(Runnable task);
}
