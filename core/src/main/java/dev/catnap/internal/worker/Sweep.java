package dev.catnap.internal.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a pool's queues what waits there when {@code shutdownNow} comes to them. The closed
 * ones to the end: nobody adds to them, and no worker looks into them any more. Of the others as
 * many as they held then, not until they are empty:
 *
 * <pre>
 *   T1 shutdownNow                    T2 a task that resumes others until it is interrupted
 *   takes the only one
 *                                     resumes one: continuations are accepted in every phase
 *   takes the only one, and so on
 *   never comes to interrupt T2
 * </pre>
 *
 * They are first in, first out for whoever is not their owner: what is left behind came later, and
 * the workers run it before they end. By one thread.
 */
final class Sweep {
  private static final int ALL = Integer.MAX_VALUE;

  private final List<Runnable> taken = new ArrayList<>();

  /** In the order of the queues. */
  List<Runnable> taken() {
    return taken;
  }

  /**
   * After the injectors were closed. Not concurrent with the workers' looks for work: they stand
   * still.
   */
  void take(Pool pool) {
    take(ALL, pool.queues().injector()::poll);
    take(ALL, pool.queues().background()::poll);
    take(pool.queues().afterClose().size(), pool.queues().afterClose()::poll);
    for (int i = 0; i < pool.workerCount(); i++) {
      Worker w = pool.worker(i);
      take(1, w.spare::takeCalled);
      take(1, w.slot::take);
      take(w.forks.size(), w.forks::steal);
      take(w.deque.size(), w.deque::stealOne);
      take(w.inbox.size(), () -> pool.addressing().take(w));
    }
  }

  /** As many as there were, or until there are none. */
  void take(int atMost, Supplier<? extends @Nullable Runnable> queue) {
    for (int i = 0; i < atMost; i++) {
      Runnable task = queue.get();
      if (task == null) {
        return;
      }
      taken.add(task);
    }
  }
}
