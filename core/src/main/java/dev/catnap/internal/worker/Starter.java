package dev.catnap.internal.worker;

import dev.catnap.internal.blocking.FailedStarts;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.blocking.ThreadPermits;
import dev.catnap.internal.sleep.Sleep;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts the threads of workers, no more than the budget has for the pool, and copes with those
 * that cannot be started. Thread-safe.
 */
final class Starter {
  /** How long somebody waits for the end of a start that another thread is at. */
  private static final long START_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Pool pool;
  private final PoolConfig config;
  private final Sleep sleep;
  private final Lifecycle lifecycle;
  private final Threads threads;
  private final Roster roster;
  private final RunRights rights;

  /** What it may take of the threads that pools share; null: it shares none. */
  private final ThreadPermits.@Nullable Share share;

  private final AtomicInteger workerThreads = new AtomicInteger();

  /** Of spares; the others' are told to who starts them. */
  private final FailedStarts failedStarts;

  Starter(
      Pool pool,
      PoolConfig config,
      Sleep sleep,
      Lifecycle lifecycle,
      Threads threads,
      Roster roster,
      RunRights rights) {
    this.pool = pool;
    this.config = config;
    this.sleep = sleep;
    this.lifecycle = lifecycle;
    this.threads = threads;
    this.roster = roster;
    this.rights = rights;
    this.failedStarts = new FailedStarts(config.tuning().clock());
    this.share = config.budget() == null ? null : config.budget().share(this::takeFromBudget);
  }

  /** Called by the thread of another pool, which gave back what this one was refused. */
  private void takeFromBudget() {
    if (!lifecycle.isStopped()) {
      rights.handOut();
    }
  }

  /** Threads of workers that were started and are not over. */
  int threadCount() {
    return workerThreads.get();
  }

  // ---- the build
  // ---------------------------------------------------------------------------------

  /**
   * One worker for each right to run. Throws, with nothing left behind, if one cannot be started.
   */
  void startAll() {
    int n = config.parallelism();
    try {
      reserveAll(n);
    } catch (IllegalStateException e) {
      pool.shutdownNow(); // of a thread per core: ends the pools of the workers before this one
      throw e;
    }
    if (roster.caller() != null) {
      addCaller();
      return;
    }
    try {
      startEach(n);
    } finally {
      if (!pool.isAlone()) { // else there are others to come
        Threads.workersStarted(config);
      }
    }
  }

  private void startEach(int n) {
    for (int i = 0; i < n; i++) {
      Worker w = null;
      try {
        w = Objects.requireNonNull(roster.add());
        startThread(w, null, Threads::startPatiently);
      } catch (Throwable t) {
        unreserve(w == null ? n - i : n - i - 1); // startThread gives back its own
        pool.shutdownNow();
        throw new IllegalStateException(
            "worker "
                + (pool.firstWorker() + i)
                + " of "
                + config.name()
                + " could not be started: "
                + t.getMessage(),
            t);
      }
    }
  }

  /** It counts as a thread that runs, whether there is one at present or not. */
  private void addCaller() {
    Worker w = roster.add();
    if (w == null || !lifecycle.tryAddThread()) {
      throw new AssertionError("a new pool has no room for a worker");
    }
    sleep.begin(w);
    workerThreads.incrementAndGet();
    lifecycle.work();
  }

  /**
   * The caller has revived the worker, and reserved a thread; neither holds any more if this
   * throws.
   *
   * @param first what it begins with, without a right to run; null: the caller has a right for it
   */
  private void startThread(Worker w, @Nullable Runnable first, Consumer<Thread> start) {
    boolean added = false;
    w.beginsWith = first;
    try {
      Thread thread = threads.newThread(w);
      w.setThread(thread);
      added = lifecycle.tryAddThread();
      if (!added) {
        throw new IllegalStateException("the scheduler is closed");
      }
      workerThreads.incrementAndGet();
      lifecycle.work();
      start.accept(thread);
    } catch (Throwable t) {
      w.beginsWith = null;
      sleep.end(w);
      if (added) {
        workerEnded();
      } else {
        unreserve(1);
      }
      throw t;
    }
  }

  // ---- later
  // -------------------------------------------------------------------------------------

  /**
   * With a right to run, or to begin with a task that needs none.
   *
   * @return false: none can be started
   */
  boolean startSpare(@Nullable Runnable first) {
    if (!reserve()) {
      return false;
    }
    Worker w = null;
    try {
      w = roster.retiredOrNew();
      if (w == null) {
        unreserve(1);
        return false;
      }
      startThread(w, first, Thread::start);
      failedStarts.endRow();
      return true;
    } catch (Throwable t) {
      if (w == null) {
        unreserve(1); // else startThread did
      }
      couldNotStart(t);
      return false;
    }
  }

  private void couldNotStart(Throwable t) {
    if (failedStarts.failed() && !lifecycle.isStopped()) { // at the end nobody is missed
      threads.reportNotStarted("a spare worker", t);
    }
  }

  /** The last spare could not be started, and it is too early to try again. */
  boolean isWaitingToRetry() {
    return failedStarts.isFailing() && !failedStarts.isRetryDue();
  }

  /** The last spare could not be started; it is time to try again. */
  boolean isRetryDue() {
    return failedStarts.isRetryDue();
  }

  /**
   * Whether a spare can be had, at the latest when the budget calls since it has a thread. Not
   * after a failed start: a later publish tries that again.
   *
   * @param retired one has retired, or is about to
   * @param mayGrow one can be added
   */
  boolean mayStartSpare(boolean retired, boolean mayGrow) {
    if (failedStarts.isFailing()) {
      return false;
    }
    return share == null ? retired : (retired || mayGrow) && share.awaitOne();
  }

  /**
   * A worker that has retired gets a thread, with a right that is taken back from another worker.
   * If somebody else is starting one, this waits for the outcome:
   *
   * <pre>
   *   T1 addresses, or starts a spare        T2 addresses
   *   revives the worker
   *                                          it is not retired: pushes, wakes nobody; accepted
   *   its thread cannot be started
   * </pre>
   *
   * and the task would lie in the inbox of nobody: other workers must not take it, and DRAINING
   * does not end before it. T1 may be in a thread factory that itself waits for T2, so there is an
   * end to T2's patience.
   *
   * @return false: the pool is over
   * @throws IllegalStateException if no thread can be started, or the budget has none left
   */
  boolean hasThread(Worker w) {
    long since = 0;
    while (!sleep.hasThread(w)) {
      if (sleep.revive(w)) {
        return restart(w);
      }
      long now = config.tuning().clock().nanoTime();
      if (since == 0) {
        since = now;
      } else if (now - since > START_PATIENCE_NANOS) {
        throw hasNoThread(w, "and whoever starts one does not come to an end with it", null);
      }
      Thread.yield();
    }
    return true;
  }

  /** The caller has revived it. */
  private boolean restart(Worker w) {
    rights.reclaim();
    Throwable cause = null;
    // After it was revived: else, of two that address the same worker, the one that is refused a
    // permit would not wait for the thread of the other, which has got it.
    if (share != null && !share.tryTake(1)) {
      sleep.end(w);
    } else {
      try {
        startThread(w, null, Thread::start);
        return true;
      } catch (Throwable t) {
        cause = t;
      }
    }
    rights.release();
    if (lifecycle.phase() >= Lifecycle.DRAINING) {
      return false;
    }
    throw hasNoThread(
        w,
        cause == null
            ? "and the budget has none left: " + config.budget()
            : "and none can be started",
        cause);
  }

  private IllegalStateException hasNoThread(Worker w, String why, @Nullable Throwable cause) {
    return new IllegalStateException(
        "worker " + w.index() + " of " + config.name() + " has no thread, " + why, cause);
  }

  // ---- threads of a budget
  // -----------------------------------------------------------------------

  private void reserveAll(int threads) {
    if (share != null && !share.tryTake(threads)) {
      throw new IllegalStateException(
          config.name()
              + " needs "
              + threads
              + " threads for its workers, and its budget has not as many left: "
              + config.budget());
    }
  }

  /** False: the budget has none left, or no thread of this pool can be started anyway. */
  private boolean reserve() {
    if (share == null) {
      return true;
    }
    if (roster.isFull() && !roster.hasRetired()) {
      return false;
    }
    if (share.tryTake(1)) {
      return true;
    }
    failedStarts.endRow(); // the budget calls when there is one: no publish need try
    return false;
  }

  private void unreserve(int threads) {
    if (share != null && threads > 0) {
      share.putBack(threads);
      share.callNext();
    }
  }

  /** By a worker's thread, last, or for it. */
  void workerEnded() {
    workerThreads.decrementAndGet();
    if (share != null) {
      share.putBack(1); // before the end of the pool can be seen: then its threads are there
    }
    if (lifecycle.rest()) {
      pool.drained();
    }
    boolean stopped = lifecycle.isStopped();
    lifecycle.removeThread();
    if (share != null) {
      if (stopped) {
        share.close();
      }
      share.callNext(); // last: it starts threads of other pools
    }
  }
}
