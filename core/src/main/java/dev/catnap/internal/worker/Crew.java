package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.SpinLock;
import dev.catnap.internal.blocking.FailedStarts;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.spi.WorkerThread;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool and their threads: starts them, keeps spares for blocking sections, and
 * copes with threads that cannot be started. Thread-safe.
 */
final class Crew implements RunRights.Crew {
  private static final long JOIN_MILLIS = 1_000;

  private final Pool pool;
  private final PoolConfig config;
  private final Sleep sleep;
  private final Lifecycle lifecycle;
  private final RunRights rights = new RunRights(this);
  private final AtomicReferenceArray<@Nullable Worker> workers;
  private final AtomicInteger blocked = new AtomicInteger();
  private final AtomicInteger workerThreads = new AtomicInteger();

  /** Workers below this index exist; grows only, under the lock. */
  private volatile int size;

  private final SpinLock growth = new SpinLock();

  private final SpinLock resizing = new SpinLock();

  /** As many rights to run as there are, held or not; written under the lock. */
  private volatile int parallelism;

  private final FailedStarts failedStarts;

  Crew(Pool pool, PoolConfig config, Sleep sleep, Lifecycle lifecycle) {
    this.pool = pool;
    this.config = config;
    this.sleep = sleep;
    this.lifecycle = lifecycle;
    this.workers = new AtomicReferenceArray<>(config.maxThreads());
    this.parallelism = config.parallelism();
    this.failedStarts = new FailedStarts(config.tuning().clock());
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
    } finally {
      resizing.unlock();
    }
    sleep.setSearchLimit(searchLimit(wanted));
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

  int blockedCount() {
    return blocked.get();
  }

  /** Threads of workers that were started and are not over. */
  int threads() {
    return workerThreads.get();
  }

  // ---- starting
  // ----------------------------------------------------------------------------------

  /**
   * One worker for each right to run. Throws, with nothing left behind, if one cannot be started.
   */
  void startAll() {
    for (int i = 0; i < config.parallelism(); i++) {
      try {
        startThread(Objects.requireNonNull(addWorker()));
      } catch (Throwable t) {
        pool.shutdownNow();
        throw new IllegalStateException(
            "worker " + i + " of " + config.name() + " could not be started: " + t.getMessage(), t);
      }
    }
  }

  /** A worker whose thread the caller must start; null: there are as many as there may be. */
  private @Nullable Worker addWorker() {
    growth.lock();
    try {
      int index = size;
      if (index == config.maxThreads()) {
        return null;
      }
      Worker w = new Worker(pool, sleep, config.tuning(), index);
      // Before it can be seen: else somebody who looks for a retired worker takes this one, and it
      // gets two threads.
      sleep.revive(w);
      workers.set(index, w);
      sleep.add(w);
      size = index + 1;
      return w;
    } finally {
      growth.unlock();
    }
  }

  /** The worker's latch is not RETIRED any more; it is again if this throws. */
  private void startThread(Worker w) {
    boolean added = false;
    try {
      Thread thread = newThread(w);
      w.setThread(thread);
      added = lifecycle.tryAddThread();
      if (!added) {
        throw new IllegalStateException("the scheduler is closed");
      }
      workerThreads.incrementAndGet();
      lifecycle.work();
      thread.start();
    } catch (Throwable t) {
      sleep.end(w);
      if (added) {
        workerEnded();
      }
      throw t;
    }
  }

  private Thread newThread(Worker w) {
    Thread thread = config.threadFactory().newThread(w);
    if (thread == null) {
      throw new IllegalStateException("the thread factory returned null");
    }
    if (!(thread instanceof WorkerThread carrier) || carrier.worker() != w) {
      throw new IllegalStateException(
          "the thread factory returned "
              + thread.getClass().getName()
              + ", which does not implement WorkerThread with the body that it was given");
    }
    return thread;
  }

  /** False: the pool is over. */
  boolean startTimerThread(Runnable body) {
    return startHelper("timer", body);
  }

  /** False: the pool is over. */
  boolean startSentinelThread(Runnable body) {
    return startHelper("sentinel", body);
  }

  void reportSentinelNotStarted(Throwable cause) {
    reportUncaught(
        new IllegalStateException(
            "the sentinel of "
                + config.name()
                + " could not be started; it is tried again with later tasks",
            cause));
  }

  private boolean startHelper(String role, Runnable body) {
    Runnable whole =
        () -> {
          try {
            body.run();
          } finally {
            lifecycle.removeThread();
          }
        };
    Thread thread = new Thread(null, whole, config.name() + "-" + role, 0, false);
    thread.setDaemon(config.daemon());
    if (!lifecycle.tryAddThread()) {
      return false;
    }
    try {
      thread.start();
    } catch (Throwable t) {
      lifecycle.removeThread();
      throw t;
    }
    return true;
  }

  // ---- spares
  // ------------------------------------------------------------------------------------

  void blocked(boolean holdsRight) {
    blocked.incrementAndGet();
    if (holdsRight) {
      rights.release();
    }
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
    return startSpare();
  }

  @Override
  public boolean hasSpare() {
    int n = size;
    for (int i = 0; i < n; i++) {
      Worker w = worker(i);
      // Retired ones as well: a spare whose keep-alive is short may have become one and retired
      // between the caller's two looks. Not after a failed start: a later publish tries that again.
      if (sleep.isSpare(w) || (!failedStarts.isFailing() && sleep.isRetired(w))) {
        return true;
      }
    }
    return false;
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

  private boolean startSpare() {
    try {
      Worker w = retiredOrNew();
      if (w == null) {
        return false;
      }
      startThread(w);
      failedStarts.endRow();
      return true;
    } catch (Throwable t) {
      if (failedStarts.failed()) {
        reportUncaught(
            new IllegalStateException(
                "a spare worker of "
                    + config.name()
                    + " could not be started; it is tried again with later tasks",
                t));
      }
      return false;
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
   * Called by every publisher after its fence. The right of a thread that could not be started is
   * still unclaimed: a publish tries again, so that tasks do not wait for the end of a blocking
   * section.
   */
  void retryFailedStart() {
    if (failedStarts.isRetryDue()) {
      rights.handOut();
    }
  }

  // ---- ending
  // ------------------------------------------------------------------------------------

  void workerEnded() {
    workerThreads.decrementAndGet();
    if (lifecycle.rest()) {
      pool.drained();
    }
    lifecycle.removeThread();
  }

  void notifyAllWorkers() {
    for (int i = 0; i < size; i++) {
      sleep.sendNotification(worker(i));
    }
  }

  /** Interrupts the threads that run tasks; a sleeping one clears it. */
  void interruptAll() {
    for (int i = 0; i < size; i++) {
      Thread t = worker(i).thread();
      if (t != null) {
        t.interrupt();
      }
    }
  }

  void joinThreads() throws InterruptedException {
    for (int i = 0; i < size; i++) {
      join(worker(i).thread());
    }
  }

  static void join(@Nullable Thread t) throws InterruptedException {
    if (t != null && t != Thread.currentThread()) {
      t.join(JOIN_MILLIS);
    }
  }

  /**
   * To the builder's handler, else to that of the thread; what the handler throws ends here, as in
   * a JVM.
   */
  void reportUncaught(Throwable thrown) {
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler handler = config.handler();
    try {
      (handler != null ? handler : thread.getUncaughtExceptionHandler())
          .uncaughtException(thread, thrown);
    } catch (Throwable fromHandler) {
      // Contained (F7): the JVM ignores it as well, and there is nobody left to tell.
      return;
    }
  }
}
