package dev.catnap.coroutines;

import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlin.jvm.functions.Function1;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.DefaultExecutorKt;
import kotlinx.coroutines.DisposableHandle;
import org.jspecify.annotations.Nullable;

/**
 * {@code delay} on the timers of the scheduler, {@code withTimeout} on that of kotlinx.coroutines.
 * Every call that kotlinx.coroutines calls internal is in this class; written against 1.11.0.
 * Thread-safe.
 */
final class CoroutineTimers {
  /** 146 years, as in kotlinx.coroutines: longer waits need no timer. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final SchedulerAdapter adapter;
  private final Fallback fallback;

  /** Of coroutines that go on in a timer's task; null: that of the worker. */
  private final @Nullable ClassLoader loader;

  CoroutineTimers(SchedulerAdapter adapter, Fallback fallback, @Nullable ClassLoader loader) {
    this.adapter = adapter;
    this.fallback = fallback;
    this.loader = loader;
  }

  /**
   * As {@code Delay.scheduleResumeAfterDelay}.
   *
   * @param dispatcher a continuation of this dispatcher is resumed on the worker that runs the
   *     timer's task, others are dispatched
   */
  void resumeAfter(
      long millis,
      CancellableContinuation<? super Unit> continuation,
      CoroutineDispatcher dispatcher) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    if (nanos < NEVER) {
      Wait wait =
          loader == null
              ? new Wait(this, continuation, dispatcher)
              : new WaitWithLoader(this, continuation, dispatcher, loader);
      adapter.arm(wait, nanos);
      continuation.invokeOnCancellation(wait);
    }
  }

  /**
   * As {@code Delay.invokeOnTimeout}. The block, which is short, must not wait for a worker: it may
   * be what ends a {@code while (isActive)} on the last of them. A timer of the scheduler would
   * publish it as a task.
   */
  DisposableHandle runAfter(long millis, Runnable block, CoroutineContext context) {
    return DefaultExecutorKt.getDefaultDelay().invokeOnTimeout(millis, block, context);
  }

  /**
   * The scheduler was shut down before the task that the timer published began: the coroutine goes
   * on elsewhere.
   *
   * @return false: the task is not a timer's
   */
  boolean reclaim(Runnable task) {
    if (!(task instanceof Wait wait)) {
      return false;
    }
    wait.refused();
    return true;
  }

  /** The job is cancelled. If that does not end the wait, it lasts its time. */
  private void endElsewhere(Wait wait) {
    CoroutineContext context = wait.continuation.getContext();
    fallback.cancelJob(context);
    if (!wait.isOver()) {
      // Rounded up: not before the time (G11).
      long millis = TimeUnit.NANOSECONDS.toMillis(wait.remainingNanos() + 999_999);
      wait.continueWith(runAfter(millis, wait::resumeElsewhere, context));
    }
  }

  /**
   * A coroutine in {@code delay}: the timer, which is the task that goes on with it, and the
   * handler of the coroutine's cancellation. Its handle goes from null, if the scheduler refuses
   * the timer, to one of kotlinx.coroutines; and from any state to {@link #OVER} by cancellation.
   */
  private static class Wait extends Timer implements Function1<Throwable, Unit> {
    private static final Object OVER = new Object();
    private static final VarHandle HANDLE;

    static {
      try {
        HANDLE = MethodHandles.lookup().findVarHandle(Wait.class, "handle", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final CoroutineTimers timers;
    final CancellableContinuation<? super Unit> continuation;
    private final CoroutineDispatcher dispatcher;

    @SuppressWarnings("UnusedVariable") // through HANDLE
    private volatile @Nullable Object handle;

    Wait(
        CoroutineTimers timers,
        CancellableContinuation<? super Unit> continuation,
        CoroutineDispatcher dispatcher) {
      this.timers = timers;
      this.continuation = continuation;
      this.dispatcher = dispatcher;
    }

    /** Not on this thread: it may hold up the shutdown, and cancelling runs handlers. */
    @Override
    protected void refused() {
      timers.fallback.run(() -> timers.endElsewhere(this));
    }

    void continueWith(DisposableHandle other) {
      if (!HANDLE.compareAndSet(this, null, other)) {
        other.dispose(); // cancelled meanwhile
      }
    }

    boolean isOver() {
      return HANDLE.getVolatile(this) == OVER;
    }

    /** On a worker, at the time. */
    @Override
    public void run() {
      continuation.resumeUndispatched(dispatcher, Unit.INSTANCE);
    }

    /** On another thread: dispatched, to where refused tasks go. */
    void resumeElsewhere() {
      continuation.resumeWith(Unit.INSTANCE);
    }

    /** The coroutine was cancelled. The scheduler forgets the timer at once. */
    @Override
    public Unit invoke(@Nullable Throwable cause) {
      // One that is disarmed is not refused any more.
      if (!cancel() && HANDLE.getAndSet(this, OVER) instanceof DisposableHandle other) {
        other.dispose();
      }
      return Unit.INSTANCE;
    }
  }

  /** A class of its own: there are millions of the other one. */
  private static final class WaitWithLoader extends Wait {
    private final ClassLoader loader;

    WaitWithLoader(
        CoroutineTimers timers,
        CancellableContinuation<? super Unit> continuation,
        CoroutineDispatcher dispatcher,
        ClassLoader loader) {
      super(timers, continuation, dispatcher);
      this.loader = loader;
    }

    @Override
    public void run() {
      Thread.currentThread().setContextClassLoader(loader);
      super.run();
    }
  }
}
