package dev.catnap.internal.worker;

import dev.catnap.WorkerHooks;
import java.util.function.IntConsumer;

/**
 * The application's hooks as one worker thread calls them. Not thread-safe: a thread has its own,
 * also one that is about to end while another carries on with its worker.
 *
 * <p>Hooks are user code, and user code never runs while its worker is counted inactive: else the
 * publish that comes meanwhile relies on a searcher that does not search,
 *
 * <pre>
 *   T1 worker, searching                T2 publisher
 *   onPark blocks
 *                                       reads searching = 1: wakes nobody, and its task strands
 * </pre>
 *
 * so a worker that would park for the first time leaves the search, with the duty to hand on, calls
 * the hook, and begins another search; only that one ends with a park. And onUnpark comes after
 * FoundWork.
 */
final class HookCalls {
  /** The name of the method under which hooks run; {@link LiveThreads} looks for it in stacks. */
  static final String CALL = "call";

  private final WorkerHooks hooks;
  private final int worker;
  private final Pool pool;

  /** onPark was called, and onUnpark was not since. */
  private boolean idle;

  HookCalls(WorkerHooks hooks, int worker, Pool pool) {
    this.hooks = hooks;
    this.worker = worker;
    this.pool = pool;
  }

  /** Whether the thread may park: it has said so. */
  boolean isIdle() {
    return idle;
  }

  void start() {
    call(hooks::onThreadStart);
  }

  void park() {
    idle = true;
    call(hooks::onPark);
  }

  /** False: nothing was to be called. */
  boolean unpark() {
    if (!idle) {
      return false;
    }
    idle = false;
    call(hooks::onUnpark);
    return true;
  }

  /**
   * By a thread that has left its loop. Its worker may have another one meanwhile: so that the end
   * of the pool does not lose sight of this one, its pool keeps it until the hooks have returned.
   */
  void stop(Threads threads) {
    threads.leaves(Thread.currentThread());
    unpark();
    call(hooks::onThreadStop);
    threads.hasLeft(Thread.currentThread());
  }

  private void call(IntConsumer hook) {
    try {
      hook.accept(worker);
    } catch (Throwable t) {
      pool.reportUncaught(t);
    }
  }
}
