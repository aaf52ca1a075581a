package dev.catnap.coroutines;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Delay;
import kotlinx.coroutines.DisposableHandle;
import kotlinx.coroutines.ExecutorCoroutineDispatcher;
import org.jspecify.annotations.Nullable;

/**
 * A dispatcher that has a name, and finds out at its first dispatch which one it stands for. It
 * cannot be closed. Thread-safe.
 */
final class DelegatingDispatcher extends ExecutorCoroutineDispatcher implements Delay, Views {
  private final String name;
  private final Supplier<CoroutineDispatcher> source;

  private static final VarHandle FOUND;

  static {
    try {
      FOUND =
          MethodHandles.lookup()
              .findVarHandle(DelegatingDispatcher.class, "found", CoroutineDispatcher.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile @Nullable CoroutineDispatcher found;

  /**
   * Starts nothing.
   *
   * @param name what {@code toString} returns
   * @param source gives a {@link WorkStealingDispatcher}, a {@link Lane} or a {@link
   *     LowPriorityView}
   */
  DelegatingDispatcher(String name, Supplier<CoroutineDispatcher> source) {
    this.name = name;
    this.source = source;
  }

  /**
   * The one that all dispatches go to, the first ones included: two views, each with its own limit,
   * would not exclude each other.
   *
   * <pre>
   *   T1 dispatches first              T2 as well
   *   finds none, makes a view
   *                                    finds none, makes another view
   *   keeps its own
   *                                    keeps its own: a task of each runs
   * </pre>
   */
  private CoroutineDispatcher target() {
    CoroutineDispatcher target = found;
    if (target != null) {
      return target;
    }
    CoroutineDispatcher made = source.get();
    return FOUND.compareAndSet(this, null, made) ? made : Objects.requireNonNull(found);
  }

  @Override
  public void dispatch(CoroutineContext context, Runnable block) {
    target().dispatch(context, block);
  }

  @Override
  public void dispatchYield(CoroutineContext context, Runnable block) {
    target().dispatchYield(context, block);
  }

  /** Also a view starts nothing before its first dispatch: views are often static fields. */
  @Override
  public CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String viewName) {
    Lane.checkParallelism(parallelism);
    return new DelegatingDispatcher(
        viewName != null ? viewName : name + ".limitedParallelism(" + parallelism + ")",
        () -> ((Views) target()).limitedParallelism(parallelism, null));
  }

  /**
   * What applications call that were compiled against kotlinx.coroutines 1.9 or older, and what
   * those versions call themselves; the later ones keep it, hidden. The agent meets them.
   */
  @SuppressWarnings("MissingOverride") // hidden: javac does not see the overridden one
  public CoroutineDispatcher limitedParallelism(int parallelism) {
    return limitedParallelism(parallelism, null);
  }

  @Override
  public void scheduleResumeAfterDelay(
      long timeMillis, CancellableContinuation<? super Unit> continuation) {
    CoroutineDispatcher target = target();
    if (target instanceof WorkStealingDispatcher workers) {
      // Its timers fire where this dispatcher dispatches to: no further dispatch.
      workers.resumeAfter(timeMillis, continuation, this);
    } else {
      ((Delay) target).scheduleResumeAfterDelay(timeMillis, continuation);
    }
  }

  @Override
  public DisposableHandle invokeOnTimeout(
      long timeMillis, Runnable block, CoroutineContext context) {
    return ((Delay) target()).invokeOnTimeout(timeMillis, block, context);
  }

  @Override
  public Executor getExecutor() {
    return target() instanceof WorkStealingDispatcher workers
        ? workers.getExecutor()
        : task -> dispatch(EmptyCoroutineContext.INSTANCE, task);
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException(name + " cannot be closed");
  }

  @Override
  public String toString() {
    return name;
  }
}
