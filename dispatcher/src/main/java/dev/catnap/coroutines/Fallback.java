package dev.catnap.coroutines;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.ContinuationInterceptor;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlin.coroutines.jvm.internal.CoroutineStackFrame;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineExceptionHandlerKt;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks go that the scheduler refuses, because it is shut down or out of memory: their job is
 * cancelled, and they run on another dispatcher, {@code Dispatchers.IO}, so that coroutines
 * complete. Thread-safe. Nothing here throws, unless {@code Dispatchers.shutdown()} has ended that
 * dispatcher as well.
 */
final class Fallback {
  private final WorkStealingDispatcher home;
  private final Supplier<CoroutineDispatcher> elsewhere;

  Fallback(WorkStealingDispatcher home, Supplier<CoroutineDispatcher> elsewhere) {
    this.home = home;
    this.elsewhere = elsewhere;
  }

  /**
   * Cancels the job of the context, if it has one, and of who waits for it on the same dispatcher.
   * The job may be that of a {@code withTimeout} which is over: without the others the coroutine
   * would go on where that is told, and one that polls so would never end.
   */
  void cancelJob(CoroutineContext context) {
    cancelJob(context, null);
  }

  /**
   * The same.
   *
   * @param cause why the task was refused; null: the scheduler is shut down
   */
  void cancelJob(CoroutineContext context, @Nullable Throwable cause) {
    @Nullable CoroutineContext next = context;
    while (next != null) { // inside out: who is waited for ends for a reason of its own
      try {
        CancellationException refused = new CancellationException("refused by " + home);
        refused.initCause(cause);
        JobKt.cancel(next, refused);
      } catch (Throwable fromHandler) {
        // A handler that waits for the cancellation failed. That must not cost the coroutine its
        // end.
        CoroutineExceptionHandlerKt.handleCoroutineException(next, fromHandler);
      }
      next = whoWaitsFor(next);
    }
  }

  /**
   * Whom the job of the context, if it is a scope, resumes without a dispatch. Who waits on another
   * dispatcher is resumed there, and is none of ours.
   */
  private static @Nullable CoroutineContext whoWaitsFor(CoroutineContext context) {
    if (context.get(Job.Key) instanceof CoroutineStackFrame scope
        && scope.getCallerFrame() instanceof Continuation<?> waiting) {
      CoroutineContext its = waiting.getContext();
      return Objects.equals(dispatcherOf(its), dispatcherOf(context)) ? its : null;
    }
    return null;
  }

  private static @Nullable ContinuationInterceptor dispatcherOf(CoroutineContext context) {
    return context.get(ContinuationInterceptor.Key);
  }

  /** Cancels the job of the coroutine that a task belongs to, if it has one. */
  void cancelJobOf(Runnable task) {
    CoroutineContext context = ContextTask.contextOf(task);
    if (context != null) {
      cancelJob(context);
    }
  }

  /** Runs a task on a thread that is not one of the scheduler's. */
  void run(CoroutineContext context, Runnable task) {
    elsewhere.get().dispatch(context, task);
  }

  /** Runs something without a coroutine on a thread that is not one of the scheduler's. */
  void run(Runnable task) {
    run(EmptyCoroutineContext.INSTANCE, task);
  }

  /** Both, over there: cancelling runs handlers that the caller must not wait for. */
  void cancelAndRun(Runnable task) {
    run(() -> cancelAndRunHere(task));
  }

  /** For the thread that is to run it. */
  void cancelAndRunHere(Runnable task) {
    cancelJobOf(task);
    task.run();
  }
}
