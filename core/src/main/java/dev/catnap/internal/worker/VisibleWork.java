package dev.catnap.internal.worker;

import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.WorkView;

/** What of a pool's queues the protocol looks at, by whoever is about to sleep or to wake. */
final class VisibleWork implements WorkView {
  /**
   * So many injected tasks are left to each worker that searches. Two wait, for a moment, even
   * where tasks come one by one, 0.1 ms apart, which is as long as a woken thread may take to its
   * processor: where one was left, another worker was woken for nothing.
   */
  private static final int TASKS_PER_SEARCHER = 2;

  private final Pool pool;

  VisibleWork(Pool pool) {
    this.pool = pool;
  }

  @Override
  public boolean isWorkVisible() {
    SharedQueues queues = pool.queues();
    if (!queues.injector().isEmpty() || !queues.background().isEmpty()) {
      return true;
    }
    // The injector is closed after the end of RUNNING: what is pushed there is pushed later.
    if (!pool.lifecycle().isRunning() && !queues.afterClose().isEmpty()) {
      return true;
    }
    // Before the slots: the sentinel looks at them after it went off duty, so one that is
    // overlooked here because it was on is seen there.
    boolean guarded = pool.areSlotsGuarded();
    Sleep sleep = pool.sleep();
    int n = pool.workerCount();
    for (int i = sleep.nextAwake(0, n); i >= 0; i = sleep.nextAwake(i + 1, n)) {
      Worker w = pool.worker(i);
      if (!w.forks.isEmpty()) {
        return true;
      }
      if (!w.deque.isEmpty() || (!w.slot.isEmpty() && (!guarded || w.isSlotExposed()))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isSurplus() {
    return pool.rights().isSurplus() && pool.phase() < Lifecycle.DRAINING;
  }

  @Override
  public long nanosToPark() {
    return pool.isAlone() ? pool.timers().nanosToPark() : Long.MAX_VALUE;
  }

  @Override
  public boolean leavesAsleep(int inactive) {
    int standby = pool.crew().standby();
    return standby > 0 && inactive <= standby && pool.sentinel().guardStandby();
  }

  @Override
  public boolean isBacklogged(int searching, int sleeping) {
    Crew crew = pool.crew();
    return crew.parallelism() - sleeping < crew.processors()
        && pool.queues().injector().hasMoreThan(searching * TASKS_PER_SEARCHER);
  }
}
