package dev.catnap.spi;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The calls by which an adapter uses a scheduler; got from {@code WorkStealingScheduler.adapter()}.
 * Thread-safe. What a thread did before it published a task is visible to the task.
 */
public interface SchedulerAdapter {

  /**
   * Publishes a new task: into the queue of the worker that calls, else into the injector.
   *
   * @param task the task; must not be null
   * @param placement where, if called on a worker
   * @return false: refused, because the scheduler was shut down
   * @throws OutOfMemoryError if no room can be made in the queue; the task was not accepted
   */
  boolean publish(Runnable task, Placement placement);

  /**
   * For callers that change something of their own before they publish: looks whether the stack has
   * room for both. Each call of this adapter looks itself, before it changes anything, whether
   * there are 8 KB.
   *
   * @throws StackOverflowError if there are not 16 KB left; nothing has changed
   */
  void ensureStack();

  /**
   * Publishes a new task that does nothing outside of a section that it declares by {@link
   * #beginBlocking}. If no worker is free, a spare begins it at once, without a right to run, so
   * that it does not wait for the end of tasks that compute. Not if the task is the {@linkplain
   * Placement#NEXT next} of a worker whose present task has run for less than 0.1 ms: then it is
   * expected to suspend soon, and goes on without a change of threads. If it does not, the task
   * waits as any other would. One that its publisher does not wait for is {@link
   * Placement#RESUMED}.
   *
   * @param task the task; must not be null
   * @param placement where, if called on a worker and no spare is called
   * @return false: refused, because the scheduler was shut down
   * @throws OutOfMemoryError if no room can be made in the queue; the task was not accepted
   */
  boolean publishDeclared(Runnable task, Placement placement);

  /**
   * Publishes the continuation of something accepted before, such as a virtual thread that was
   * unparked. Accepted also after the shutdown, as long as a worker is sure to look at it.
   *
   * @param task the continuation; must not be null
   * @param placement where, if called on a worker
   * @return false: no worker is left; the caller must run it elsewhere, or it is stranded
   * @throws OutOfMemoryError if no room can be made in the queue; the task was not accepted
   */
  boolean publishContinuation(Runnable task, Placement placement);

  /**
   * Publishes a new task to one worker, which alone takes it: see {@code
   * WorkStealingScheduler.confinedTo}.
   *
   * @param worker 0 to parallelism - 1
   * @param task the task; must not be null
   * @return false: refused, because the scheduler was shut down
   * @throws IllegalStateException if that worker has no thread and none can be started; the task
   *     was not accepted. While another thread starts one, this waits for the outcome
   * @throws OutOfMemoryError if no room can be made in the queue; the task was not accepted
   */
  boolean publishTo(int worker, Runnable task);

  /**
   * The same with the continuation of something accepted before.
   *
   * @param worker 0 to parallelism - 1
   * @param task the continuation; must not be null
   * @return false: that worker is no more; the caller must run it elsewhere, or it is stranded
   * @throws IllegalStateException if that worker has no thread and none can be started; the task
   *     was not accepted
   * @throws OutOfMemoryError if no room can be made in the queue; the task was not accepted
   */
  boolean publishContinuationTo(int worker, Runnable task);

  /**
   * With {@link dev.catnap.Flavor#THREAD_PER_CORE}: each worker as an adapter. What is published
   * through it, from wherever, runs on that worker and on no other, and a timer that is armed
   * through it fires there; {@link #isWorker} tells whether the caller is on that very worker. An
   * adapter that was made for one worker has none itself.
   *
   * @return one for each worker, by its number; empty if workers steal
   */
  List<SchedulerAdapter> homes();

  /**
   * Where {@link #publish} would put a task now if workers do not steal: the worker under the
   * caller, or else any, by chance.
   *
   * @return an index of {@link #homes}; without meaning if that is empty
   */
  int home();

  /**
   * Whether the caller runs on a worker of this scheduler; inside a virtual thread, whether its
   * carrier is one.
   *
   * @return true on a worker
   */
  boolean isWorker();

  /**
   * Declares that the platform thread under the caller is about to block: if it is a worker, a
   * spare takes over its right to run as soon as a task waits and no worker is free. Inside a
   * virtual thread that is the carrier, so call it there only for what really blocks the carrier,
   * and pinned. Nests. Every call that returned true must be paired with {@link #endBlocking} on
   * the same platform thread.
   *
   * @return false: not on a worker, nothing to end
   */
  boolean beginBlocking();

  /**
   * The same for a section that knows when it is about to end. Whoever publishes inside of a
   * section goes on blocking, so that what it publishes is for others; only in the end the next
   * task stays with the worker, which takes it when the section is over.
   *
   * @param isEnding whether nothing more is blocked for; called on this thread, by publishes inside
   *     of the section. If it is not over then after all, call {@link #blockingGoesOn}
   * @return false: not on a worker, nothing to end
   */
  boolean beginBlocking(BooleanSupplier isEnding);

  /** A section whose end was told begins something else, on the thread that began it. */
  void blockingGoesOn();

  /**
   * The blocking section is over. The caller goes on at once; some worker becomes a spare later.
   */
  void endBlocking();

  /**
   * For adapters that run several tasks as one of the scheduler's, between two of them: clears the
   * interrupt status of this thread, which was for the first of the two, or for nobody.
   *
   * @return false: the thread is one that a {@code CurrentThreadScheduler} runs on, and
   *     interrupted, which is for whoever lent it. The status stays, and the adapter must return to
   *     the scheduler before it begins the next task
   */
  boolean clearInterrupt();

  /**
   * Whether {@code shutdownNow} has come as far as to take back what waits. It knows the queues of
   * the scheduler only: what an adapter keeps in one of its own must not begin any more either.
   *
   * @return true from before {@code shutdownNow} interrupts the running tasks
   */
  boolean isStopping();

  /**
   * Publishes the timer when its time has come, or runs it if it is {@linkplain Timer#isInline
   * inline}. It uses the monotonic clock, and never fires early. If the scheduler is shut down
   * before, or was before this call, the timer is {@linkplain Timer#refused refused} instead.
   *
   * @param timer what to publish; must not be null
   * @param delayNanos from now, in nanoseconds; not above zero means at once
   * @throws IllegalStateException if it was armed before
   * @throws OutOfMemoryError if there is no memory, or if the thread of the timers cannot be
   *     started; the timer is not armed
   */
  void arm(Timer timer, long delayNanos);

  /**
   * By an {@linkplain Timer#isInline inline} timer, when its time has come: has the worker that
   * fires it run a task before anything else. Many timers may share one.
   *
   * @param task what cannot be done inside of the timer; must not be null
   * @return false: nothing has changed, since the caller is the timer thread, or a worker that has
   *     other tasks to run, or has one of these already
   */
  boolean runUrgently(Runnable task);

  /**
   * The one object of a type that belongs to this scheduler: that of the first call, for every
   * caller, as long as anybody holds it. {@code shutdownNow} offers it the tasks that it found in
   * the queues, so that tasks of this adapter are not stranded in a list that knows nothing of
   * them. Lock-free.
   *
   * <p>The scheduler does not hold it, for it may be that of an application which is gone before
   * the scheduler ends. So an adapter's tasks must refer to it, as coroutines do by their
   * dispatcher and virtual threads by their scheduler. A task that does not, and whose adapter
   * nobody holds, is handed back by {@code shutdownNow} like any other.
   *
   * @param <T> the type
   * @param type the same, one of each adapter's own
   * @param make called if there is none yet; of several threads at once each may call it, and one
   *     result is kept
   * @return the one object
   */
  <T extends TaskReclaimer> T attach(Class<T> type, Supplier<? extends T> make);

  /** Takes back tasks that will not run on the scheduler. */
  @FunctionalInterface
  interface TaskReclaimer {
    /**
     * Takes the task if it is one of this adapter's. Called once per task found, on the thread that
     * calls {@code shutdownNow}.
     *
     * @param task a task that did not run
     * @return true: taken, it is not reported by {@code shutdownNow}
     */
    boolean reclaim(Runnable task);
  }
}
