package dev.catnap.coroutines;

import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.Timer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlin.jvm.functions.Function1;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineExceptionHandlerKt;
import kotlinx.coroutines.DefaultExecutorKt;
import kotlinx.coroutines.DisposableHandle;
import kotlinx.coroutines.NonDisposableHandle;
import org.jspecify.annotations.Nullable;

/**
 * {@code delay} and {@code withTimeout} on the timers of the scheduler. Every call that
 * kotlinx.coroutines calls internal is in this class; written against 1.11.0. Thread-safe.
 */
final class CoroutineTimers {
  /** 146 years, as in kotlinx.coroutines: longer waits need no timer. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  private final SchedulerAdapter adapter;
  private final Fallback fallback;
  private final DueLimits dueLimits = new DueLimits();

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
      Delayed wait =
          loader == null
              ? new Delayed(this, continuation, dispatcher)
              : new DelayedWithLoader(this, continuation, dispatcher, loader);
      adapter.arm(wait, nanos);
      continuation.invokeOnCancellation(wait);
    }
  }

  /**
   * As {@code Delay.invokeOnTimeout}. The block must not wait for a worker: it may be what ends a
   * {@code while (isActive)} on the last of them. So it is run at once by an idle worker that finds
   * it due, else on the thread of kotlinx.coroutines, as everywhere: it calls handlers of users.
   * Most limits are not reached; they never come there, where all threads meet at one lock.
   */
  DisposableHandle runAfter(long millis, Runnable block, CoroutineContext context) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    if (nanos >= NEVER) {
      return NonDisposableHandle.INSTANCE;
    }
    Limit limit = new Limit(dueLimits, block, context);
    adapter.arm(limit, nanos);
    return limit;
  }

  /** On the thread of kotlinx.coroutines, which has no part in this scheduler. */
  private static DisposableHandle runElsewhere(
      long nanos, Runnable block, CoroutineContext context) {
    // Rounded up: not before the time (G11).
    long millis = nanos <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
    return DefaultExecutorKt.getDefaultDelay().invokeOnTimeout(millis, block, context);
  }

  /**
   * The scheduler was shut down before the task that the timer published began: the coroutine goes
   * on elsewhere.
   *
   * @return false: the task is not a timer's
   */
  boolean reclaim(Runnable task) {
    if (!(task instanceof Delayed wait)) {
      return false;
    }
    wait.refused();
    return true;
  }

  /** The job is cancelled. If that does not end the wait, it lasts its time. */
  private void endElsewhere(Delayed wait) {
    CoroutineContext context = wait.continuation.getContext();
    fallback.cancelJob(context);
    if (!wait.isOver()) {
      wait.continueWith(runElsewhere(wait.remainingNanos(), wait::resumeElsewhere, context));
    }
  }

  /**
   * A wait that may go on elsewhere. Its handle goes from null to one of kotlinx.coroutines, and
   * from any state to {@link #OVER} by cancellation.
   */
  private abstract static class Wait extends Timer {
    static final Object OVER = new Object();
    static final VarHandle HANDLE;

    static {
      try {
        HANDLE = MethodHandles.lookup().findVarHandle(Wait.class, "handle", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    @SuppressWarnings("UnusedVariable") // through HANDLE
    private volatile @Nullable Object handle;

    final void continueWith(DisposableHandle other) {
      if (!HANDLE.compareAndSet(this, null, other)) {
        other.dispose(); // cancelled meanwhile
      }
    }

    final boolean isOver() {
      return HANDLE.getVolatile(this) == OVER;
    }

    /** Cancelled. The scheduler forgets the timer at once. */
    final void end() {
      // One that is disarmed does not go on elsewhere any more.
      if (!cancel() && HANDLE.getAndSet(this, OVER) instanceof DisposableHandle other) {
        other.dispose();
      }
    }
  }

  /** Something that is to run if it is not cancelled before. */
  private static final class Limit extends Wait implements DisposableHandle {
    private final DueLimits due;
    private final Runnable block;
    private final CoroutineContext context;

    /** Of {@link DueLimits}: came due before this. */
    private @Nullable Limit previous;

    Limit(DueLimits due, Runnable block, CoroutineContext context) {
      this.due = due;
      this.block = block;
      this.context = context;
    }

    @Override
    protected boolean isInline() {
      return true;
    }

    /** At the time, on any thread; and again if it threw, when nothing has changed. */
    @Override
    public void run() {
      if (!isOver() && !due.add(this)) {
        goOnElsewhere();
      }
    }

    @Override
    protected void refused() {
      goOnElsewhere();
    }

    private void goOnElsewhere() {
      continueWith(runElsewhere(remainingNanos(), this::runBlock, context));
    }

    void runUnlessDisposed() {
      if (HANDLE.compareAndSet(this, null, OVER)) {
        runBlock();
      }
    }

    private void runBlock() {
      try {
        block.run();
      } catch (Throwable t) { // must not cost the others their end
        CoroutineExceptionHandlerKt.handleCoroutineException(context, t);
      }
    }

    @Override
    public void dispose() {
      end();
    }
  }

  /**
   * Limits whose time has come, and the task that runs their blocks: on the worker that has fired
   * the first of them, if it has nothing else to run. No other worker may come to it in time.
   *
   * <p>Nothing here can fail. A limit that is in the list waits for that task alone: the list is
   * filled only if a worker is about to run it.
   */
  private final class DueLimits implements Runnable {
    private final AtomicReference<@Nullable Limit> last = new AtomicReference<>();

    /** False: no worker is about to run them; the list is as before. */
    boolean add(Limit limit) {
      boolean runsHere = false;
      Limit before;
      do {
        before = last.get();
        if (before == null && !runsHere) {
          runsHere = adapter.runUrgently(this); // before the push: others count on it
          if (!runsHere) {
            return false;
          }
        }
        limit.previous = before;
      } while (!last.compareAndSet(before, limit));
      return true;
    }

    /** In the order in which they came. */
    @Override
    public void run() {
      Limit next = null;
      Limit limit = last.getAndSet(null);
      while (limit != null) {
        Limit before = limit.previous;
        limit.previous = next;
        next = limit;
        limit = before;
      }
      while (next != null) {
        Limit after = next.previous;
        next.previous = null; // or one that somebody holds keeps all that came later
        next.runUnlessDisposed();
        next = after;
      }
    }
  }

  /**
   * A coroutine in {@code delay}: the timer, which is the task that goes on with it, and the
   * handler of the coroutine's cancellation. It goes on elsewhere if the scheduler refuses it.
   */
  private static class Delayed extends Wait implements Function1<Throwable, Unit> {
    private final CoroutineTimers timers;
    final CancellableContinuation<? super Unit> continuation;
    private final CoroutineDispatcher dispatcher;

    Delayed(
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

    /** On a worker, at the time. */
    @Override
    public void run() {
      continuation.resumeUndispatched(dispatcher, Unit.INSTANCE);
    }

    /** On another thread: dispatched, to where refused tasks go. */
    void resumeElsewhere() {
      continuation.resumeWith(Unit.INSTANCE);
    }

    /** The coroutine was cancelled. */
    @Override
    public Unit invoke(@Nullable Throwable cause) {
      end();
      return Unit.INSTANCE;
    }
  }

  /** A class of its own: there are millions of the other one. */
  private static final class DelayedWithLoader extends Delayed {
    private final ClassLoader loader;

    DelayedWithLoader(
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
