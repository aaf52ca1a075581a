package dev.catnap;

/**
 * What an application does when a worker thread starts, falls idle, works again, and stops. Each
 * method is called on the thread that it is about, and does nothing unless overridden.
 *
 * <pre>
 *   onThreadStart   once, before the first task
 *   onPark          before the thread parks: once in each idle time, however often it wakes in vain
 *   onUnpark        once for each onPark: before the next task, or before the thread stops
 *   onThreadStop    once, after everything else
 * </pre>
 *
 * <p><b>Which threads.</b> Workers, the spares of blocking sections included: a spare that waits
 * for the next section is parked as well, and one whose keep-alive is over stops. A worker that
 * waits in a join or a blocking section is in the middle of a task: that is no park. Not the timer
 * thread and the sentinel, which run no tasks.
 *
 * <p><b>What a hook may do.</b> All that a task may: submit tasks, declare a blocking section,
 * close the scheduler (not within a time: that would wait for the hook). While it runs its worker
 * counts as busy, and others are woken for what is submitted. A worker looks for tasks once more
 * after {@link #onPark}, so what comes meanwhile is not left lying; it may therefore find a task
 * and not park after all. A task that a worker has taken waits for {@link #onUnpark}, so that one
 * should be short. In {@link #onThreadStop} the thread is no worker any more: what it submits is
 * submitted from outside, and refused if the scheduler is shut down.
 *
 * <p><b>Containment.</b> What a hook throws goes to the uncaught-exception handler, and nothing
 * else changes. Name, priority and context class loader that {@link #onThreadStart} gives to its
 * thread stay, and every task finds them; what the other hooks leave behind is set back, as it is
 * after a task.
 *
 * <p><b>Memory effects.</b> The calls on one thread are in program order with the tasks that run on
 * it. Threads of one scheduler call concurrently, so implementations must be thread-safe.
 *
 * <p>The names are those of Tokio's runtime builder.
 */
public interface WorkerHooks {

  /**
   * A worker thread begins.
   *
   * @param worker its number in its scheduler, from 0; a worker whose thread has stopped and that
   *     is needed again gets another thread with the same number
   */
  default void onThreadStart(int worker) {}

  /**
   * The thread has found no task, and is about to park.
   *
   * @param worker its number in its scheduler, from 0
   */
  default void onPark(int worker) {}

  /**
   * The thread has taken a task and is about to run it, or is about to stop.
   *
   * @param worker its number in its scheduler, from 0
   */
  default void onUnpark(int worker) {}

  /**
   * The thread ends. The scheduler is not terminated before this has returned.
   *
   * @param worker its number in its scheduler, from 0
   */
  default void onThreadStop(int worker) {}
}
