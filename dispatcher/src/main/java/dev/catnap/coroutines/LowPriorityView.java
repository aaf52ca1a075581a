package dev.catnap.coroutines;

import dev.catnap.spi.Placement;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Delay;
import kotlinx.coroutines.DisposableHandle;
import org.jspecify.annotations.Nullable;

/**
 * A {@link WorkStealingDispatcher} whose tasks go into the scheduler's background queue.
 * Thread-safe.
 */
final class LowPriorityView extends CoroutineDispatcher implements Delay, Views {
  private final WorkStealingDispatcher home;

  LowPriorityView(WorkStealingDispatcher home) {
    this.home = home;
  }

  @Override
  public void dispatch(CoroutineContext context, Runnable block) {
    home.publish(context, block, Placement.BACKGROUND);
  }

  /** The same: its queue is first in, first out. */
  @Override
  public void dispatchYield(CoroutineContext context, Runnable block) {
    home.publish(context, block, Placement.BACKGROUND);
  }

  @Override
  public CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String name) {
    Lane.checkParallelism(parallelism);
    if (home.isLimit(parallelism)) {
      return home.isPerCore()
          ? PerCoreView.of(this, home, parallelism, true, name)
          : Lane.lowPriorityView(home, parallelism, name);
    }
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

  @Override
  public String toString() {
    return home + ".withPriority(LOW)";
  }
}
