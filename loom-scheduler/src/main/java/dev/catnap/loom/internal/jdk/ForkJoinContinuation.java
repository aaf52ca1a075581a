package dev.catnap.loom.internal.jdk;

import java.util.concurrent.ForkJoinTask;

/**
 * What came as a {@code ForkJoinTask} and could not be {@linkplain AdaptedTasks unwrapped}: run as
 * a pool of them does.
 */
final class ForkJoinContinuation implements VirtualTask {
  private final ForkJoinTask<?> task;

  ForkJoinContinuation(ForkJoinTask<?> task) {
    this.task = task;
  }

  @Override
  public void run() {
    // Not invoke(): that would wrap what is thrown, and wait for a task that completes elsewhere.
    task.quietlyInvoke();
    if (task.isCompletedAbnormally()) {
      Throwable thrown = task.getException();
      if (thrown != null) {
        throw ThreadInternals.rethrow(thrown); // to the scheduler's handler, as from any task
      }
    }
  }
}
