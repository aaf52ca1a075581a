package dev.catnap.spi;

import org.jspecify.annotations.Nullable;

/**
 * The loop of one worker, which the thread made by a {@link WorkerThreadFactory} runs. It returns
 * when the scheduler is closed or the worker is surplus, and never throws. Run it once per thread.
 */
public interface WorkerBody extends Runnable {

  /**
   * The number of this worker in its scheduler, from 0. A worker that ends and is needed again gets
   * a new thread under the same number.
   *
   * @return the number
   */
  int index();

  /**
   * The name that the thread is expected to have; {@link WorkerThreadFactory#platform} uses it.
   *
   * @return scheduler name and worker number
   */
  String threadName();

  /**
   * The group that the thread is expected to be in; {@link WorkerThreadFactory#platform} uses it. A
   * group may be that of an application, which is gone long before a scheduler that others use.
   *
   * @return null: that of the thread that makes the new one
   */
  default @Nullable ThreadGroup threadGroup() {
    return null;
  }

  /**
   * Tasks that wait in this worker's own queue. Exact when its own thread asks, else a moment old.
   *
   * @return at least 0
   */
  int queuedTasks();
}
