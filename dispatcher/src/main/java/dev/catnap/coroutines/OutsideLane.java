package dev.catnap.coroutines;

import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Dispatchers;
import org.jspecify.annotations.Nullable;

/**
 * What {@code io()} is on a scheduler with a thread per core: threads of {@code Dispatchers.IO},
 * for nobody would take over for a worker that blocks. It has its own limit and takes nothing from
 * the other views of {@code Dispatchers.IO}, which are elastic. Thread-safe.
 */
final class OutsideLane extends CoroutineDispatcher implements Views {
  private final WorkStealingDispatcher home;
  private final CoroutineDispatcher threads;

  /** Null: that of {@code io()} itself. */
  private final @Nullable String name;

  private OutsideLane(WorkStealingDispatcher home, int limit, @Nullable String name) {
    this.home = home;
    this.threads = Dispatchers.getIO().limitedParallelism(limit, null);
    this.name = name;
  }

  /** With the limit that {@code io()} has on the other flavor. */
  static OutsideLane io(WorkStealingDispatcher home) {
    return new OutsideLane(home, Lane.ioLimit(), null);
  }

  @Override
  public void dispatch(CoroutineContext context, Runnable block) {
    if (home.isClosed()) {
      home.fallback().cancelJob(context); // it runs all the same, to come to its end
    }
    threads.dispatch(context, block);
  }

  @Override
  public CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String viewName) {
    Lane.checkParallelism(parallelism);
    return new OutsideLane(
        home,
        parallelism,
        viewName != null ? viewName : this + ".limitedParallelism(" + parallelism + ")");
  }

  @Override
  public String toString() {
    return name != null ? name : home + ".io()";
  }
}
