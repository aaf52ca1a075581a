package dev.catnap;

import dev.catnap.internal.worker.CallerWorker;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler without threads: its tasks and timers run on the thread that calls {@link #runUntil}
 * or {@link #run}, and on no other. State that only its tasks touch needs no synchronisation.
 *
 * <pre>{@code
 * try (var current = CurrentThreadScheduler.create()) {
 *   String page = current.runUntil(client.fetch(uri, current)); // runs its callbacks here
 * }
 * }</pre>
 *
 * <p><b>Who runs.</b> One thread at a time, a virtual one too; another may call the next run. Tasks
 * come from anywhere, at any time, and while nobody runs they wait. When there is nothing to run
 * the caller parks: without a timeout, or until the next timer. A publish wakes it. Between two
 * runs nothing is lost, and no timer fires.
 *
 * <p><b>Order.</b> As on a {@link WorkStealingScheduler} with one worker: first in, first out among
 * tasks from outside, and among those of tasks, with the same bounds between the two. Timers in the
 * order of their deadlines; while tasks never run out, due ones are looked for once in {@code
 * injectorInterval} tasks.
 *
 * <p><b>Blocking.</b> A task that blocks, blocks all the others: there is no second thread. So a
 * task must not wait for another task of the same scheduler, for instance by {@code get()} on its
 * future, nor call a run of the same scheduler, which is refused. While it waits in a {@code join}
 * or {@code scope}, of this or of another scheduler, the others run; but not in a run inside a task
 * of that other one, whose tasks run instead.
 *
 * <p><b>Interrupts.</b> A run can be interrupted, as {@link Future#get} can: it throws {@link
 * InterruptedException} before the next task begins, whether the interrupt came while it waited or
 * while a task ran that took no notice of it. Tasks that wait go on waiting, for the next run; if
 * one has called {@link #close}, there is none, and they are handed back as by an interrupted
 * close. One that comes when a run is about to return, {@code shutdownNow} makes such, is left to
 * its caller. An interrupt by {@code cancel(true)} of a task's future, if the task takes no notice
 * of it, ends the run as any other: nobody can tell them apart.
 *
 * <p><b>Memory effects.</b> What a thread did before it submitted a task happens-before the task.
 * Each task happens-before the next, also where different threads run them. What happened before
 * the stage was complete happens-before the return of {@link #runUntil}.
 *
 * <p>Thread-safe. Methods throw {@link NullPointerException} for null arguments. The idea is
 * Tokio's runtime for the current thread and its {@code block_on}.
 */
public final class CurrentThreadScheduler implements Executor, AutoCloseable {
  private final WorkStealingScheduler scheduler;
  private final CallerWorker worker;

  CurrentThreadScheduler(WorkStealingScheduler scheduler, CallerWorker worker) {
    this.scheduler = scheduler;
    this.worker = worker;
  }

  /**
   * A scheduler with the defaults. {@link WorkStealingScheduler.Builder#buildForCurrentThread}
   * makes one with a name, or with a handler for uncaught exceptions.
   *
   * @return a new one
   */
  public static CurrentThreadScheduler create() {
    return WorkStealingScheduler.builder().buildForCurrentThread();
  }

  /**
   * Runs tasks and timers on the calling thread until a stage is complete, whoever completes it.
   * Returns as soon as it is: no further task begins. What then waits is for the next run, or for
   * {@link #close}.
   *
   * @param stage what to wait for
   * @param <T> its result
   * @return the result
   * @throws ExecutionException if the stage completed exceptionally; has its exception as cause
   * @throws CancellationException if the stage was cancelled; or if this scheduler was shut down,
   *     and has nothing left to run, before the stage was complete
   * @throws InterruptedException if the calling thread was interrupted, by {@code shutdownNow} on
   *     another thread too
   * @throws IllegalStateException if another thread runs this scheduler, or the caller is one of
   *     its tasks
   * @throws RejectedExecutionException if it was shut down before
   */
  public <T extends @Nullable Object> T runUntil(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException {
    Objects.requireNonNull(stage, "stage");
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable begin =
        () ->
            stage.whenComplete(
                (value, thrown) -> {
                  if (thrown == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(thrown);
                  }
                  // After the completion, which the worker looks at when it is notified.
                  worker.callBack();
                });
    return runUntil(result, begin);
  }

  /**
   * Runs one more task behind all that wait, and them before it. Then it returns.
   *
   * @param main the task; it does not run if this method throws before it has begun
   * @param <T> its result
   * @return the result
   * @throws ExecutionException if it threw something, which is the cause
   * @throws CancellationException if this scheduler was shut down by {@code shutdownNow} before it
   *     began
   * @throws InterruptedException if the calling thread was interrupted
   * @throws IllegalStateException if another thread runs this scheduler, or the caller is one of
   *     its tasks
   * @throws RejectedExecutionException if it was shut down before
   */
  public <T extends @Nullable Object> T run(Callable<T> main)
      throws InterruptedException, ExecutionException {
    FutureTask<T> task = new FutureTask<>(Objects.requireNonNull(main, "main"));
    try {
      return runUntil(task, () -> scheduler.execute(task));
    } finally {
      task.cancel(false); // without effect if it is over, as it is unless something was thrown
    }
  }

  private <T extends @Nullable Object> T runUntil(Future<T> result, Runnable begin)
      throws InterruptedException, ExecutionException {
    if (scheduler.isShutdown()) {
      throw new RejectedExecutionException(scheduler + " is closed and runs nothing more");
    }
    try {
      if (!worker.run(begin, result::isDone)) {
        throw new CancellationException(scheduler + " was closed before the result was there");
      }
    } catch (InterruptedException e) {
      if (worker.isEndOwed()) {
        closeInterrupted();
      }
      throw e;
    } finally {
      if (worker.isEndOwed()) { // a task called close
        scheduler.close();
      }
    }
    return result.get();
  }

  /** Which runs nothing of what is left. That the caller was interrupted, an exception says. */
  private void closeInterrupted() {
    Thread.currentThread().interrupt();
    scheduler.close();
    boolean ignored = Thread.interrupted();
  }

  /**
   * Runs the task some time later, on whichever thread runs this scheduler then.
   *
   * @param task what to run
   * @throws RejectedExecutionException if the scheduler was shut down
   * @throws OutOfMemoryError if a queue cannot grow; the task was not accepted
   */
  @Override
  public void execute(Runnable task) {
    scheduler.execute(task);
  }

  /**
   * The same scheduler with its other faces: {@link java.util.concurrent.ScheduledExecutorService},
   * statistics, and what adapters need; {@code WorkStealingDispatcher.of} takes it. Its {@code
   * close} is {@link #close}; its {@code close} within a time runs nothing on its caller, but takes
   * back what no other thread has run in time. After its {@code shutdown} what was accepted waits
   * for a {@code close}, unless somebody runs it; if nothing waits, it is terminated at once. Its
   * {@code blocking} only calls the section.
   *
   * @return always the same
   */
  public WorkStealingScheduler scheduler() {
    return scheduler;
  }

  /**
   * Refuses new tasks, waits until no other thread runs this scheduler, and runs on the calling
   * thread what was accepted and is left: delayed tasks at their time, periodic ones no more. If
   * the caller is interrupted while there is nothing to run, what is left is handed back as by
   * {@code shutdownNow}, to nobody; the interrupt status is set again at the end.
   *
   * <p>Called by one of its tasks it only refuses; then the run that the task is part of does the
   * rest, when its stage is complete, before it returns. Can be called more than once, and from any
   * thread.
   */
  @Override
  public void close() {
    scheduler.close();
  }

  /** Name, phase and the state of its worker, in one line. */
  @Override
  public String toString() {
    return "CurrentThreadScheduler[" + scheduler + "]";
  }
}
