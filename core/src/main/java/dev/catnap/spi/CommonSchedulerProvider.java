package dev.catnap.spi;

import dev.catnap.WorkStealingScheduler;

/**
 * Decides of what class the workers of the common scheduler are; found by {@link
 * java.util.ServiceLoader}. The virtual-thread face provides one, so that the common scheduler
 * carries coroutines and virtual threads alike.
 */
public interface CommonSchedulerProvider {

  /**
   * Completes the builder of the common scheduler, at its first use.
   *
   * @param builder the defaults
   * @return true: this provider is in charge, no other is asked; false: it cannot be, and changed
   *     nothing
   */
  boolean configure(WorkStealingScheduler.Builder builder);

  /**
   * Called once, when the scheduler that this provider configured is built, and before anybody gets
   * it. Must not ask for the common scheduler. If it throws, the scheduler is ended, and the next
   * use begins anew.
   *
   * @param scheduler the common scheduler
   */
  default void built(WorkStealingScheduler scheduler) {}
}
