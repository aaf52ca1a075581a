package dev.catnap.coroutines;

import dev.catnap.WorkStealingScheduler;
import kotlinx.coroutines.CoroutineDispatcher;

/**
 * Stand-ins for {@code Dispatchers.Default} and {@code Dispatchers.IO}, on the {@linkplain
 * WorkStealingScheduler#common() common scheduler}. That is built at the first dispatch; to load
 * this class, or to make views by {@code limitedParallelism}, starts no thread. Neither dispatcher
 * can be closed: their {@code close()} throws {@link UnsupportedOperationException}. {@link
 * WorkStealingScheduler#shutdownCommon} ends what is below them, for tests and containers: then
 * their coroutines are cancelled, and complete on {@code Dispatchers.IO}.
 *
 * <p>Thread-safe.
 */
public final class CatnapDispatchers {

  /**
   * For work that keeps a processor busy, and for everything that just waits for other coroutines:
   * one worker per processor.
   */
  @SuppressWarnings("MemberName") // reads like Dispatchers.Default
  public static final CoroutineDispatcher Default =
      new DelegatingDispatcher("CatnapDispatchers.Default", CatnapDispatchers::common);

  /**
   * For work that blocks its thread, on the same threads as {@link #Default}: {@code
   * withContext(IO)} needs no switch of threads, and tasks that block here take no thread from
   * {@code Default}. Limits and views are those of {@link WorkStealingDispatcher#io()}.
   */
  @SuppressWarnings("MemberName") // reads like Dispatchers.IO
  public static final CoroutineDispatcher IO =
      new DelegatingDispatcher("CatnapDispatchers.IO", () -> common().io());

  /**
   * For work that gives way to all other work of {@link #Default} and {@link #IO}, on the same
   * threads: see {@link Priority#LOW}.
   */
  @SuppressWarnings("MemberName") // reads like the others
  public static final CoroutineDispatcher Background =
      new DelegatingDispatcher(
          "CatnapDispatchers.Background", () -> common().withPriority(Priority.LOW));

  private CatnapDispatchers() {}

  private static WorkStealingDispatcher common() {
    return WorkStealingDispatcher.of(WorkStealingScheduler.common());
  }
}
