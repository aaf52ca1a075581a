package dev.catnap.coroutines;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Delay;
import kotlinx.coroutines.DisposableHandle;
import org.jspecify.annotations.Nullable;

/**
 * What {@code limitedParallelism} returns on a scheduler with a thread per core: as many workers as
 * tasks may run at once, each with a {@link Lane} of one task at a time. A coroutine lives on one
 * of them, so it does not move, and the limit holds. Thread-safe.
 */
final class PerCoreView extends CoroutineDispatcher implements Delay, Views {
  private final CoroutineDispatcher origin;
  private final WorkStealingDispatcher home;
  private final int first;
  private final List<Lane> lanes;
  private final Homes homes;
  private final @Nullable String name;

  private PerCoreView(
      CoroutineDispatcher origin,
      WorkStealingDispatcher home,
      int first,
      List<Lane> lanes,
      @Nullable String name) {
    this.origin = origin;
    this.home = home;
    this.first = first;
    this.lanes = lanes;
    this.homes = new Homes(home.adapter(), first, lanes.size());
    this.name = name;
  }

  /**
   * A view of so many workers, the first of which is chosen by chance.
   *
   * @param origin what it is a view of, for its name
   * @param limit above zero, not above the number of workers
   */
  static CoroutineDispatcher of(
      CoroutineDispatcher origin,
      WorkStealingDispatcher home,
      int limit,
      boolean lowPriority,
      @Nullable String name) {
    int n = home.adapter().homes().size();
    int first = ThreadLocalRandom.current().nextInt(n);
    if (limit == 1) {
      return Lane.onWorker(home, first, lowPriority, name);
    }
    List<Lane> lanes =
        IntStream.range(0, limit)
            .mapToObj(i -> Lane.onWorker(home, (first + i) % n, lowPriority, null))
            .toList();
    return new PerCoreView(origin, home, first, lanes, name);
  }

  private Lane laneOf(CoroutineContext context, Object block) {
    int worker = homes.homeOf(context, block);
    return lanes.get(Math.floorMod(worker - first, home.adapter().homes().size()));
  }

  @Override
  public void dispatch(CoroutineContext context, Runnable block) {
    laneOf(context, block).dispatch(context, block);
  }

  @Override
  public void dispatchYield(CoroutineContext context, Runnable block) {
    laneOf(context, block).dispatchYield(context, block);
  }

  /** Some of its workers, with the same lanes: who is in one keeps those of the other out. */
  @Override
  public CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String viewName) {
    Lane.checkParallelism(parallelism);
    if (parallelism >= lanes.size()) {
      return viewName == null ? this : new DelegatingDispatcher(viewName, () -> this);
    }
    if (parallelism == 1) {
      Lane lane = lanes.get(0);
      return viewName == null ? lane : new DelegatingDispatcher(viewName, () -> lane);
    }
    return new PerCoreView(this, home, first, lanes.subList(0, parallelism), viewName);
  }

  @Override
  public void scheduleResumeAfterDelay(
      long timeMillis, CancellableContinuation<? super Unit> continuation) {
    laneOf(continuation.getContext(), continuation)
        .scheduleResumeAfterDelay(timeMillis, continuation);
  }

  @Override
  public DisposableHandle invokeOnTimeout(
      long timeMillis, Runnable block, CoroutineContext context) {
    return home.timers().runAfter(timeMillis, block, context);
  }

  @Override
  public String toString() {
    return name != null ? name : origin + ".limitedParallelism(" + lanes.size() + ")";
  }
}
