package dev.catnap.coroutines;

import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Delay;
import kotlinx.coroutines.DisposableHandle;
import org.jspecify.annotations.Nullable;

/** A {@link WorkStealingDispatcher} whose coroutines run on one worker. Thread-safe. */
final class ConfinedView extends CoroutineDispatcher implements Delay, Views {
  private final WorkStealingDispatcher home;
  private final int worker;

  ConfinedView(WorkStealingDispatcher home, int worker) {
    this.home = home;
    this.worker = worker;
  }

  @Override
  public void dispatch(CoroutineContext context, Runnable block) {
    home.publishTo(worker, context, block);
  }

  /** The same: its queue is first in, first out. */
  @Override
  public void dispatchYield(CoroutineContext context, Runnable block) {
    home.publishTo(worker, context, block);
  }

  /** There is never more than one at once. */
  @Override
  public CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String name) {
    Lane.checkParallelism(parallelism);
    return name == null ? this : new DelegatingDispatcher(name, () -> this);
  }

  @Override
  public void scheduleResumeAfterDelay(
      long timeMillis, CancellableContinuation<? super Unit> continuation) {
    // The timer fires as an ordinary task, which dispatches the coroutine to this view.
    home.timers().resumeAfter(timeMillis, continuation, home);
  }

  @Override
  public DisposableHandle invokeOnTimeout(
      long timeMillis, Runnable block, CoroutineContext context) {
    return home.timers().runAfter(timeMillis, block, context);
  }

  /** Then a {@code withContext} from one to the other does not dispatch. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ConfinedView view && view.home == home && view.worker == worker;
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(home) + worker;
  }

  @Override
  public String toString() {
    return home + ".confinedTo(" + worker + ")";
  }
}
