package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.SpinLock;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WakeRule;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many workers of a pool have a right to run, which of them are to be awake, and who takes over
 * where one blocks. Thread-safe.
 */
final class Crew implements RunRights.Crew {
  private final Pool pool;
  private final PoolConfig config;
  private final Sleep sleep;
  private final Threads threads;
  private final RunRights rights = new RunRights(this);
  private final Roster roster;
  private final Starter starter;

  private final AtomicInteger blocked = new AtomicInteger();
  private final SpinLock resizing = new SpinLock();

  /** As many rights to run as there are, held or not; written under the lock. */
  private volatile int parallelism;

  /** Written with it. So many are to be awake; then the rest, which are on standby, asleep. */
  private volatile int processors;

  private volatile int standby;

  Crew(Pool pool, PoolConfig config, Sleep sleep, Lifecycle lifecycle, Threads threads) {
    this.pool = pool;
    this.config = config;
    this.sleep = sleep;
    this.threads = threads;
    this.parallelism = config.parallelism();
    countProcessors();
    this.roster = new Roster(pool, config, sleep, rights);
    this.starter = new Starter(pool, config, sleep, lifecycle, threads, roster, rights);
  }

  /** More awake workers than processors would take those from each other, and the tasks' data. */
  private void countProcessors() {
    SchedulerTuning tuning = config.tuning();
    int n = tuning.processors();
    processors = n == 0 ? Runtime.getRuntime().availableProcessors() : n;
    // Under the other rule a task without a claim of its own has no one to pass it on.
    boolean may = tuning.wakeRule() == WakeRule.ONE_AT_A_TIME;
    standby = may ? Math.max(0, parallelism - processors) : 0;
  }

  /** Half of the workers may search at once, and always one. */
  static int searchLimit(int parallelism) {
    return Math.max(1, parallelism / 2);
  }

  Roster roster() {
    return roster;
  }

  Starter starter() {
    return starter;
  }

  RunRights rights() {
    return rights;
  }

  int parallelism() {
    return parallelism;
  }

  /**
   * More rights go to spares, or to threads that are started now. Fewer: each worker that comes
   * between two tasks, or sleeps, becomes a spare as long as there is one too many; what runs is
   * not disturbed.
   */
  void setParallelism(int wanted) {
    int more;
    resizing.lock();
    try {
      more = wanted - parallelism;
      parallelism = wanted;
      countProcessors();
      sleep.setSearchLimit(searchLimit(wanted)); // under the lock: else that of another call stays
    } finally {
      resizing.unlock();
    }
    for (int i = 0; i < more; i++) {
      rights.release();
    }
    for (int i = 0; i > more; i--) {
      rights.reclaim();
    }
    if (more < 0) {
      // A worker that slept on would keep its right, and when tasks come, as many would run as
      // before. This comes after the reclaim, and a worker reads the rights in its FinalCheck:
      //   T1 resizes                        T2 worker
      //                                     FinalCheck: no surplus
      //   reclaim
      //   T2 is not SLEEPING
      //                                     Commit, parks: a worker too many
      for (int i = 0; i < roster.size(); i++) {
        sleep.wakeIfAsleep(roster.worker(i));
      }
    }
  }

  int processors() {
    return processors;
  }

  /**
   * Sleepers that publishes leave asleep when they are the only inactive ones. Fewer by those that
   * are in a blocking section, since these need no processor.
   */
  int standby() {
    int n = standby;
    return n == 0 ? 0 : Math.max(0, n - blocked.get());
  }

  int blockedCount() {
    return blocked.get();
  }

  // ---- spares
  // ------------------------------------------------------------------------------------

  void blocked(boolean holdsRight) {
    blocked.incrementAndGet();
    if (holdsRight) {
      rights.releaseOnDemand();
    }
    replaceFromStandby();
  }

  /**
   * One on standby is awake instead of the one that blocks, if work waits. The look comes after
   * that one is counted as blocked:
   *
   * <pre>
   *   T1 blocks                        T2 publishes
   *   nothing is visible
   *                                    push, fence, as many are awake as processors: wakes nobody
   *   blocked += 1, for an hour; that T2's task waits is seen by the sentinel alone
   * </pre>
   */
  private void replaceFromStandby() {
    if (standby > 0) {
      pool.timers().hurry();
      if (pool.isWorkVisible()) {
        pool.publishWaiting();
      }
    }
  }

  /**
   * The same for a wait that only what lies in queues may end: a spare takes over at once.
   *
   * @return false: there is none
   */
  boolean blockedAndReplaced(boolean holdsRight) {
    blocked.incrementAndGet();
    replaceFromStandby();
    return holdsRight ? rights.tryRelease() : rights.tryHandOut();
  }

  void unblocked() {
    blocked.decrementAndGet();
  }

  @Override
  public boolean activate() {
    int n = roster.size();
    for (int i = 0; i < n; i++) {
      Worker w = roster.worker(i);
      if (sleep.isSpare(w) && sleep.claimSpare(w)) {
        sleep.unpark(w);
        return true;
      }
    }
    return starter.startSpare(null);
  }

  @Override
  public boolean hasSpare() {
    boolean retired = false;
    int n = roster.size();
    for (int i = 0; i < n; i++) {
      Worker w = roster.worker(i);
      if (sleep.isSpare(w)) {
        return true;
      }
      retired |= sleep.isRetiring(w) || sleep.isRetired(w); // in this order, or it slips through
    }
    // Retired ones as well: a spare whose keep-alive is short may have become one and retired
    // between the caller's two looks, or be about to.
    return starter.mayStartSpare(retired, n < config.maxThreads());
  }

  @Override
  public boolean needsMore() {
    return sleep.nobodyIsInactive() && pool.isWorkVisible();
  }

  @Override
  public void recall() {
    int left = rights.unclaimed();
    for (int i = 0; i < roster.size() && left > 0; i++) {
      if (roster.worker(i).section().recall()) {
        left--;
      }
    }
  }

  /**
   * A spare begins that task at once, beside all that have a right to run.
   *
   * @return false: none can be had, and the task is still the caller's
   */
  boolean handToSpare(Runnable task) {
    int n = roster.size();
    for (int i = 0; i < n; i++) {
      if (roster.worker(i).spare.call(task)) {
        return true;
      }
    }
    return !starter.isWaitingToRetry() && starter.startSpare(task);
  }

  /**
   * Called by every publisher that woke nobody. If that is because everybody runs, a spare gets a
   * right that was left until then. The right of a thread that could not be started is still
   * unclaimed: a publish tries again, so that tasks do not wait for the end of a blocking section.
   */
  void wokeNobody() {
    if (rights.awaitsDemand() && sleep.nobodyIsInactive()) {
      rights.handOutOnDemand();
    }
    if (starter.isRetryDue()) {
      rights.handOut();
    }
  }

  /**
   * Called by every searcher whose FoundWork woke nobody. What else is visible was published while
   * that one was inactive, and left to it.
   */
  void foundWork() {
    if (rights.awaitsDemand() && needsMore()) {
      rights.handOutOnDemand();
    }
  }

  // ---- ending
  // ------------------------------------------------------------------------------------

  void notifyAllWorkers() {
    for (int i = 0; i < roster.size(); i++) {
      sleep.sendNotification(roster.worker(i));
    }
    CallerWorker caller = roster.caller();
    if (caller != null) {
      caller.endIfIdle();
    }
  }

  /** Interrupts the threads that run tasks or hooks; a sleeping one clears it. */
  void interruptAll() {
    List<Thread> interrupted = roster.threads();
    for (int i = 0; i < roster.size(); i++) {
      roster.worker(i).interrupt();
    }
    for (Thread t : threads.leaving()) {
      if (!interrupted.contains(t)) { // each once
        t.interrupt();
      }
    }
  }

  /** The latest of each worker, and those that are leaving; they may be over. */
  List<Thread> startedThreads() {
    List<Thread> all = roster.threads();
    for (Thread t : threads.leaving()) {
      if (!all.contains(t)) {
        all.add(t);
      }
    }
    return all;
  }
}
