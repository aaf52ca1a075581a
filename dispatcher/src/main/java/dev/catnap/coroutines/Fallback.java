package dev.catnap.coroutines;

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineExceptionHandlerKt;
import kotlinx.coroutines.JobKt;

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

  /** Cancels the job of the context, if it has one. */
  void cancelJob(CoroutineContext context) {
    try {
      JobKt.cancel(context, new CancellationException("refused by " + home));
    } catch (Throwable fromHandler) {
      // A handler that waits for the cancellation failed. That must not cost the coroutine its end.
      CoroutineExceptionHandlerKt.handleCoroutineException(context, fromHandler);
    }
  }

  /** Cancels the job of the coroutine that a task belongs to, if it has one. */
  void cancelJobOf(Runnable task) {
    if (task instanceof Continuation<?> continuation) {
      cancelJob(continuation.getContext());
    } else if (task instanceof ContextTask withContext) {
      cancelJob(withContext.context);
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
    run(
        () -> {
          cancelJobOf(task);
          task.run();
        });
  }
}
