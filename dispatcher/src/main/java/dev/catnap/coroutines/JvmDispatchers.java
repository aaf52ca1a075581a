package dev.catnap.coroutines;

import dev.catnap.WorkStealingScheduler;
import java.util.List;
import java.util.function.Supplier;
import kotlinx.coroutines.CoroutineDispatcher;
import org.jspecify.annotations.Nullable;

/**
 * What one copy of kotlinx.coroutines has for {@code Dispatchers.Default} and {@code .IO} under the
 * agent; it loads this class by its name, once per copy, and knows it as a {@link Supplier}.
 *
 * <p>The dispatchers are made at once, so that a setting which cannot be used is told before an
 * application depends on them. That happens while {@code Dispatchers} is being initialised: nothing
 * here may ask for that class.
 */
final class JvmDispatchers implements Supplier<List<CoroutineDispatcher>> {
  private final CoroutineDispatcher forDefault;
  private final CoroutineDispatcher forIo;

  /**
   * For the agent.
   *
   * @param scheduler is never closed
   * @param ownIo what {@code Dispatchers.IO} was
   * @param loader what tasks find as context class loader; null: that of the worker
   */
  JvmDispatchers(
      WorkStealingScheduler scheduler, CoroutineDispatcher ownIo, @Nullable ClassLoader loader) {
    WorkStealingDispatcher workers = WorkStealingDispatcher.detached(scheduler, ownIo, loader);
    forDefault = new DelegatingDispatcher("Dispatchers.Default[Catnap]", () -> workers);
    forIo = new DelegatingDispatcher("Dispatchers.IO[Catnap]", workers::io);
  }

  /** {@code Default} and {@code IO}. */
  @Override
  public List<CoroutineDispatcher> get() {
    return List.of(forDefault, forIo);
  }
}
