package dev.catnap.coroutines;

import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
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
 * {@code delay}, {@code withTimeout} and their kin, on the timers of the scheduler. Every call that
 * kotlinx.coroutines calls internal is in this class; written against 1.11.0. Thread-safe.
 *
 * <p>When the scheduler is shut down before the time has come, the job that waits is cancelled; if
 * the wait goes on all the same, because the job cannot be cancelled or there is none, the timer of
 * kotlinx.coroutines takes over for the rest of the time.
 */
final class CoroutineTimers {
  /** 146 years, as in kotlinx.coroutines: longer waits need no timer. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final SchedulerAdapter adapter;
  private final Fallback fallback;
  private final Executor whenRefused = task -> refuse((Wait) task);

  CoroutineTimers(SchedulerAdapter adapter, Fallback fallback) {
    this.adapter = adapter;
    this.fallback = fallback;
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
      Resumption wait = new Resumption(nanos, continuation, dispatcher);
      wait.start(adapter.arm(wait, nanos, whenRefused));
      continuation.invokeOnCancellation(wait);
    }
  }

  /** As {@code Delay.invokeOnTimeout}. The block runs on a worker, whatever lane asks for it. */
  DisposableHandle runAfter(long millis, Runnable block, CoroutineContext context) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    if (nanos >= NEVER) {
      return () -> {};
    }
    Timeout wait = new Timeout(nanos, block, context);
    wait.start(adapter.arm(wait, nanos, whenRefused));
    return wait;
  }

  /** Takes the task if it is a timer's that came due and did not get to run. */
  boolean reclaim(Runnable task) {
    if (task instanceof Wait wait) {
      refuse(wait);
      return true;
    }
    return false;
  }

  /** Not on this thread: it may hold up the shutdown, and cancelling runs handlers. */
  private void refuse(Wait wait) {
    fallback.run(() -> endElsewhere(wait));
  }

  private void endElsewhere(Wait wait) {
    fallback.cancelJob(wait.context());
    if (!wait.isOver()) {
      // Rounded up: not before the time (G11).
      long millis = TimeUnit.NANOSECONDS.toMillis(wait.deadline - System.nanoTime() + 999_999);
      wait.continueWith(
          DefaultExecutorKt.getDefaultDelay()
              .invokeOnTimeout(millis, wait::endOutside, wait.context()));
    }
  }

  /**
   * One wait: the task that the timer publishes, and the means to end it early. Its handle goes
   * from null to a timer of the scheduler; if that drops the timer, to one of kotlinx.coroutines;
   * from any state to {@link #OVER}, when the wait is disposed of.
   */
  private abstract static class Wait implements Runnable, DisposableHandle {
    private static final Object OVER = new Object();
    private static final VarHandle HANDLE;

    static {
      try {
        HANDLE = MethodHandles.lookup().findVarHandle(Wait.class, "handle", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    /** In {@link System#nanoTime} units. */
    final long deadline;

    @SuppressWarnings("UnusedVariable") // through HANDLE
    private volatile @Nullable Object handle;

    Wait(long nanos) {
      deadline = System.nanoTime() + nanos;
    }

    abstract CoroutineContext context();

    /** The time has come, and the scheduler is closed. */
    abstract void endOutside();

    /**
     * Called after the timer was armed. It may be too late: a scheduler that is closed hands the
     * wait on before the call that armed it has returned.
     */
    final void start(Timer timer) {
      HANDLE.compareAndSet(this, null, timer);
    }

    final void continueWith(DisposableHandle other) {
      for (; ; ) {
        Object h = HANDLE.getVolatile(this);
        if (h == OVER) {
          other.dispose();
          return;
        }
        if (HANDLE.compareAndSet(this, h, other)) {
          return;
        }
      }
    }

    final boolean isOver() {
      return HANDLE.getVolatile(this) == OVER;
    }

    /** Nobody waits any more. The scheduler forgets the timer at once. */
    @Override
    public final void dispose() {
      Object h = HANDLE.getAndSet(this, OVER);
      if (h instanceof Timer timer) {
        timer.cancel();
      } else if (h instanceof DisposableHandle other) {
        other.dispose();
      }
    }
  }

  /** Of {@code delay}. Is its own cancellation handler. */
  private static final class Resumption extends Wait implements Function1<Throwable, Unit> {
    private final CancellableContinuation<? super Unit> continuation;
    private final CoroutineDispatcher dispatcher;

    Resumption(
        long nanos,
        CancellableContinuation<? super Unit> continuation,
        CoroutineDispatcher dispatcher) {
      super(nanos);
      this.continuation = continuation;
      this.dispatcher = dispatcher;
    }

    @Override
    CoroutineContext context() {
      return continuation.getContext();
    }

    @Override
    public void run() {
      continuation.resumeUndispatched(dispatcher, Unit.INSTANCE);
    }

    @Override
    void endOutside() {
      continuation.resumeWith(Unit.INSTANCE); // dispatched, to where refused tasks go
    }

    @Override
    public Unit invoke(@Nullable Throwable cause) {
      dispose();
      return Unit.INSTANCE;
    }
  }

  /** Of {@code withTimeout} and {@code onTimeout}. */
  private static final class Timeout extends Wait {
    private final Runnable block;
    private final CoroutineContext context;

    Timeout(long nanos, Runnable block, CoroutineContext context) {
      super(nanos);
      this.block = block;
      this.context = context;
    }

    @Override
    CoroutineContext context() {
      return context;
    }

    @Override
    public void run() {
      block.run();
    }

    @Override
    void endOutside() {
      block.run();
    }
  }
}
