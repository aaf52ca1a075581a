package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.SpinLock;
import dev.catnap.internal.blocking.FailedStarts;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.blocking.ThreadPermits;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WakeRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool and their threads: starts them, keeps spares for blocking sections, and
 * copes with threads that cannot be started. Thread-safe.
 */
final class Crew implements RunRights.Crew {
  /** How long somebody waits for the end of a start that another thread is at. */
  private static final long START_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Pool pool;
  private final PoolConfig config;
  private final Sleep sleep;
  private final Lifecycle lifecycle;
  private final Threads threads;
  private final RunRights rights = new RunRights(this);

  /** What it may take of the threads that pools share; null: it shares none. */
  private final ThreadPermits.@Nullable Share share;

  private final AtomicReferenceArray<@Nullable Worker> workers;

  /** Runs on threads that are not its own; null: workers have threads. */
  private final @Nullable CallerWorker caller;

  private final AtomicInteger blocked = new AtomicInteger();
  private final AtomicInteger workerThreads = new AtomicInteger();

  /** Workers below this index exist; grows only, under the lock. */
  private volatile int size;

  private final SpinLock growth = new SpinLock();

  private final SpinLock resizing = new SpinLock();

  /** As many rights to run as there are, held or not; written under the lock. */
  private volatile int parallelism;

  /** Written with it. So many are to be awake; then the rest, which are on standby, asleep. */
  private volatile int processors;

  private volatile int standby;

  /** Of spares; the others' are told to who starts them. */
  private final FailedStarts failedStarts;

  Crew(Pool pool, PoolConfig config, Sleep sleep, Lifecycle lifecycle, Threads threads) {
    this.pool = pool;
    this.config = config;
    this.sleep = sleep;
    this.lifecycle = lifecycle;
    this.threads = threads;
    this.workers = new AtomicReferenceArray<>(config.maxThreads());
    this.parallelism = config.parallelism();
    this.failedStarts = new FailedStarts(config.tuning().clock());
    countProcessors();
    this.caller = config.onCaller() ? new CallerWorker(pool, sleep, rights, config.tuning()) : null;
    this.share = config.budget() == null ? null : config.budget().share(this::takeFromBudget);
  }

  /** Called by the thread of another pool, which gave back what this one was refused. */
  private void takeFromBudget() {
    if (!lifecycle.isStopped()) {
      rights.handOut();
    }
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

  int size() {
    return size;
  }

  Worker worker(int index) {
    return Objects.requireNonNull(workers.get(index));
  }

  @Nullable CallerWorker caller() {
    return caller;
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
      for (int i = 0; i < size; i++) {
        sleep.wakeIfAsleep(worker(i));
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

  /** Threads of workers that were started and are not over. */
  int threadCount() {
    return workerThreads.get();
  }

  // ---- starting
  // ----------------------------------------------------------------------------------

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
    if (caller != null) {
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
        w = Objects.requireNonNull(addWorker());
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
    Worker w = addWorker();
    if (w == null || !lifecycle.tryAddThread()) {
      throw new AssertionError("a new pool has no room for a worker");
    }
    sleep.begin(w);
    workerThreads.incrementAndGet();
    lifecycle.work();
  }

  /** A worker whose thread the caller must start; null: there are as many as there may be. */
  private @Nullable Worker addWorker() {
    growth.lock();
    try {
      if (size == config.maxThreads()) {
        return null;
      }
      Worker w = newWorker();
      // Before it can be seen: else somebody who looks for a retired worker takes this one, and it
      // gets two threads.
      sleep.revive(w);
      add(w);
      return w;
    } finally {
      growth.unlock();
    }
  }

  /** Workers up to that index exist. Those that had to be added are as if they had retired. */
  void addUpTo(int index) {
    Objects.checkIndex(index, config.maxThreads());
    growth.lock();
    try {
      while (size <= index) {
        add(newWorker());
      }
    } finally {
      growth.unlock();
    }
  }

  /** Under the lock. */
  private Worker newWorker() {
    return caller != null
        ? caller
        : new Worker(pool, sleep, rights, config.tuning(), pool.firstWorker() + size);
  }

  /** Under the lock. */
  private void add(Worker w) {
    int index = size;
    workers.set(index, w);
    sleep.add(w);
    size = index + 1;
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
    if (standby > 0 && pool.isWorkVisible()) {
      pool.publishWaiting();
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
    int n = size;
    for (int i = 0; i < n; i++) {
      Worker w = worker(i);
      if (sleep.isSpare(w) && sleep.claimSpare(w)) {
        sleep.unpark(w);
        return true;
      }
    }
    return startSpare(null);
  }

  @Override
  public boolean hasSpare() {
    boolean retired = false;
    int n = size;
    for (int i = 0; i < n; i++) {
      Worker w = worker(i);
      if (sleep.isSpare(w)) {
        return true;
      }
      retired |= sleep.isRetiring(w) || sleep.isRetired(w); // in this order, or it slips through
    }
    // Retired ones as well: a spare whose keep-alive is short may have become one and retired
    // between the caller's two looks, or be about to. Not after a failed start: a later publish
    // tries that again.
    if (failedStarts.isFailing()) {
      return false;
    }
    return share == null ? retired : (retired || n < config.maxThreads()) && share.awaitOne();
  }

  @Override
  public boolean needsMore() {
    return sleep.nobodyIsInactive() && pool.isWorkVisible();
  }

  @Override
  public void recall() {
    int left = rights.unclaimed();
    for (int i = 0; i < size && left > 0; i++) {
      if (worker(i).section().recall()) {
        left--;
      }
    }
  }

  int spareCount() {
    int spares = 0;
    for (int i = 0; i < size; i++) {
      if (sleep.isSpare(worker(i))) {
        spares++;
      }
    }
    return spares;
  }

  /**
   * A spare begins that task at once, beside all that have a right to run.
   *
   * @return false: none can be had, and the task is still the caller's
   */
  boolean handToSpare(Runnable task) {
    int n = size;
    for (int i = 0; i < n; i++) {
      if (worker(i).spare.call(task)) {
        return true;
      }
    }
    return (!failedStarts.isFailing() || failedStarts.isRetryDue()) && startSpare(task);
  }

  /** With a right to run, or to begin with a task that needs none. */
  private boolean startSpare(@Nullable Runnable first) {
    if (!reserve()) {
      return false;
    }
    Worker w = null;
    try {
      w = retiredOrNew();
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

  private void couldNotStart(Throwable t) {
    if (failedStarts.failed() && !lifecycle.isStopped()) { // at the end nobody is missed
      threads.reportNotStarted("a spare worker", t);
    }
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
    if (size == config.maxThreads() && !hasRetired()) {
      return false;
    }
    if (share.tryTake(1)) {
      return true;
    }
    failedStarts.endRow(); // the budget calls when there is one: no publish need try
    return false;
  }

  private boolean hasRetired() {
    for (int i = 0; i < size; i++) {
      if (sleep.isRetired(worker(i))) {
        return true;
      }
    }
    return false;
  }

  private void unreserve(int threads) {
    if (share != null && threads > 0) {
      share.putBack(threads);
      share.callNext();
    }
  }

  private @Nullable Worker retiredOrNew() {
    for (int i = 0; i < size; i++) {
      Worker w = worker(i);
      if (sleep.revive(w)) {
        return w;
      }
    }
    return addWorker();
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
    if (failedStarts.isRetryDue()) {
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

  void notifyAllWorkers() {
    for (int i = 0; i < size; i++) {
      sleep.sendNotification(worker(i));
    }
    if (caller != null) {
      caller.endIfIdle();
    }
  }

  /** Interrupts the threads that run tasks or hooks; a sleeping one clears it. */
  void interruptAll() {
    List<Thread> interrupted = workersThreads();
    for (int i = 0; i < size; i++) {
      worker(i).interrupt();
    }
    for (Thread t : threads.leaving()) {
      if (!interrupted.contains(t)) { // each once
        t.interrupt();
      }
    }
  }

  /** The latest of each worker, and those that are leaving; they may be over. */
  List<Thread> startedThreads() {
    List<Thread> all = workersThreads();
    for (Thread t : threads.leaving()) {
      if (!all.contains(t)) {
        all.add(t);
      }
    }
    return all;
  }

  private List<Thread> workersThreads() {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Thread t = worker(i).thread();
      if (t != null) {
        all.add(t);
      }
    }
    return all;
  }
}
