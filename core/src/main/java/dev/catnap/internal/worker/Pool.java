package dev.catnap.internal.worker;

import dev.catnap.SchedulerStats;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.sentinel.Watch;
import dev.catnap.internal.sentinel.Watched;
import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.WorkView;
import dev.catnap.internal.timer.TimerQueue;
import dev.catnap.spi.Placement;
import dev.catnap.spi.WorkerThread;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one scheduler: its queues, its protocol, its threads. Publishing and the view of
 * all queues are here; {@link Crew} starts threads, {@link Shutdown} ends them.
 *
 * <p>Thread-safe. {@link #publish} and {@link #publishContinuation} are lock-free and allocate only
 * when a queue grows.
 */
public final class Pool implements WorkView, Watch {
  private final PoolConfig config;
  private final Lifecycle lifecycle = new Lifecycle();
  private final Injector injector;
  private final int batchLimit;

  /** Tasks that give way to all others. */
  private final Injector background;

  /** Where full queues of workers overflow to once the injector is closed; looked at only then. */
  private final Injector afterClose;

  private final Sleep sleep;
  private final Crew crew;
  private final Sentinel sentinel;
  private final TimerQueue timers;
  private final Shutdown shutdown;

  private final LongAdder publishedOutside = new LongAdder();
  private final LongAdder wakesFromOutside = new LongAdder();

  /**
   * Starts the workers.
   *
   * @throws IllegalStateException if the thread factory fails; no thread is left then
   */
  public Pool(PoolConfig config) {
    this.config = config;
    var tuning = config.tuning();
    batchLimit = Math.min(tuning.dequeCapacity() / 2, tuning.injectorInterval() - 1);
    injector = new Injector(tuning.segmentSize());
    background = new Injector(tuning.segmentSize());
    afterClose = new Injector(tuning.segmentSize());
    sleep =
        new Sleep(
            new CounterWord(tuning.jecBits(), tuning.initialJec()),
            tuning.parker(),
            this,
            config.maxThreads(),
            Crew.searchLimit(config.parallelism()));
    crew = new Crew(this, config, sleep, lifecycle);
    timers =
        new TimerQueue(
            tuning.clock(),
            crew::startTimerThread,
            sleep::somebodySearchesOrNobodySleeps,
            this::noTimersLeft,
            this::reportUncaught);
    sentinel =
        new Sentinel(
            this,
            tuning.slotTickNanos(),
            tuning.stallTickNanos(),
            tuning.clock(),
            crew::startSentinelThread,
            crew::reportSentinelNotStarted);
    shutdown = new Shutdown(this, lifecycle, crew, timers, sentinel);
    crew.startAll();
  }

  // ---- publishing
  // --------------------------------------------------------------------------------

  /** Publishes a new task; false: refused, the pool is shut down. */
  public boolean publish(Runnable task, Placement placement) {
    if (!lifecycle.isRunning()) {
      return false;
    }
    return publishContinuation(task, placement);
  }

  /** Publishes something accepted before; false: no worker is sure to look at it any more. */
  public boolean publishContinuation(Runnable task, Placement placement) {
    Worker worker = currentWorker();
    if (worker != null) {
      // Accepted in every phase: this worker empties its own queues before it ends.
      worker.publish(task, placement);
      return true;
    }
    if (!(placement == Placement.BACKGROUND ? background : injector).push(task)) {
      return false;
    }
    publishedOutside.increment();
    if (sleep.publish() != 0) {
      wakesFromOutside.increment();
    }
    sentinel.guardQueues();
    crew.retryFailedStart();
    return true;
  }

  /** The worker under the caller, or null. */
  @Nullable Worker currentWorker() {
    Thread thread = config.locator().currentPlatformThread();
    return thread instanceof WorkerThread carrier
            && carrier.worker() instanceof Worker worker
            && worker.pool() == this
            && worker.isRunBy(thread)
        ? worker
        : null;
  }

  /** Whether the caller is the thread of a worker itself, not a virtual thread that it carries. */
  public boolean isWorkerThread() {
    Worker worker = currentWorker();
    return worker != null && worker.isRunBy(Thread.currentThread());
  }

  /** Whether the caller is on a worker of this pool. */
  public boolean isWorker() {
    return currentWorker() != null;
  }

  // ---- the queues as workers see them
  // ------------------------------------------------------------

  Injector injector() {
    return injector;
  }

  Injector background() {
    return background;
  }

  /** Each push came before, or is refused. */
  void closeInjectors() {
    injector.close();
    background.close();
  }

  /**
   * A share of what was injected: one to run, the others into the caller's deque. Fewer than the
   * injector's interval, so that they are gone before the caller looks at the injector again: what
   * was injected in order is not overtaken by what was injected later.
   */
  @Nullable Runnable pollInjected(WorkerDeque into) {
    Runnable task = injector.poll(into, crew.parallelism(), batchLimit);
    return task == null && phase() >= Lifecycle.DRAINING ? afterClose.poll() : task;
  }

  /**
   * A share of what was injected goes into the caller's deque, of which no more than a batch is
   * filled: nothing overflows back.
   *
   * @return false: there was none, or no room
   */
  boolean moveInjected(WorkerDeque into) {
    int most = batchLimit - into.size();
    return most > 0 && injector.move(into, crew.parallelism(), most);
  }

  /** How many tasks come to a worker at once. */
  int batchLimit() {
    return batchLimit;
  }

  @Nullable Runnable pollAfterClose() {
    return afterClose.poll();
  }

  /** For tasks that are accepted already. */
  void pushOverflow(Runnable task) {
    if (!injector.push(task) && !afterClose.push(task)) {
      throw new AssertionError("the queue for the time after close is never closed");
    }
  }

  @Override
  public boolean isWorkVisible() {
    if (!injector.isEmpty() || !afterClose.isEmpty() || !background.isEmpty()) {
      return true;
    }
    // Before the slots: the sentinel looks at them after it went off duty, so one that is
    // overlooked
    // here because it was on is seen there.
    boolean guarded = sentinel.isOnDuty();
    int n = crew.size();
    for (int i = 0; i < n; i++) {
      Worker w = crew.worker(i);
      if (!w.deque.isEmpty() || (!w.slot.isEmpty() && (!guarded || w.isSlotExposed()))) {
        return true;
      }
    }
    return false;
  }

  // ---- as the sentinel sees it
  // -------------------------------------------------------------------

  Sentinel sentinel() {
    return sentinel;
  }

  @Override
  public int size() {
    return crew.size();
  }

  @Override
  public boolean everybodyRuns() {
    return sleep.nobodyIsInactive();
  }

  @Override
  public void releaseRightOf(Watched worker) {
    try {
      WorkerRelieved.report(this, (Worker) worker); // first: it tells what the worker does now
    } catch (RuntimeException | Error e) {
      reportUncaught(e); // what cannot be recorded must not keep the right
    } finally {
      crew.rights().release();
    }
  }

  @Override
  public void publishExposed() {
    if (sleep.publish() != 0) {
      wakesFromOutside.increment();
    }
  }

  int workerCount() {
    return crew.size();
  }

  @Override
  public Worker worker(int index) {
    return crew.worker(index);
  }

  // ---- blocking
  // ----------------------------------------------------------------------------------

  /**
   * Declares that the platform thread under the caller is about to block; false: not a worker's.
   */
  public boolean beginBlocking() {
    Worker worker = currentWorker();
    if (worker == null) {
      return false;
    }
    worker.beginBlocking();
    return true;
  }

  /** Ends the section. */
  public void endBlocking() {
    Worker worker = currentWorker();
    if (worker == null) {
      throw new IllegalStateException("endBlocking on a thread that is not a worker of " + name());
    }
    worker.endBlocking();
  }

  void workerBlocks(boolean holdsRight) {
    crew.blocked(holdsRight);
  }

  void workerUnblocks() {
    crew.unblocked();
  }

  /** How many workers may run at once. */
  public int parallelism() {
    return crew.parallelism();
  }

  /** Changes it, see {@link Crew#setParallelism}. */
  public void setParallelism(int parallelism) {
    crew.setParallelism(parallelism);
  }

  RunRights rights() {
    return crew.rights();
  }

  @Override
  public boolean isSurplus() {
    return crew.rights().isSurplus() && lifecycle.phase() < Lifecycle.DRAINING;
  }

  void retryFailedStart() {
    crew.retryFailedStart();
  }

  long keepAliveNanos() {
    return config.keepAliveNanos();
  }

  // ---- life
  // --------------------------------------------------------------------------------------

  int phase() {
    return lifecycle.phase();
  }

  void workerEnded() {
    crew.workerEnded();
  }

  /** See {@link Lifecycle#rest}; a worker that rests may sleep, and must call {@link #work}. */
  void rest() {
    if (lifecycle.rest()) {
      drained();
    }
  }

  /** Before a worker that rested looks for a task again. */
  void work() {
    lifecycle.work();
  }

  void drained() {
    shutdown.drained();
  }

  /** Waits while the caller of shutdownNow empties the queues. */
  void awaitSweep() {
    while (lifecycle.phase() == Lifecycle.STOPPING) {
      Thread.yield();
    }
  }

  private void noTimersLeft() {
    shutdown.noTimersLeft();
  }

  /** Refuses new tasks; what was accepted runs. Idempotent. */
  public void shutdown() {
    shutdown.begin();
  }

  /** Refuses new tasks and takes back those that wait; running ones are interrupted. */
  public List<Runnable> shutdownNow() {
    return shutdown.now();
  }

  /** As of {@code ExecutorService}. */
  public boolean isShutdown() {
    return !lifecycle.isRunning();
  }

  /** As of {@code ExecutorService}. */
  public boolean isTerminated() {
    return lifecycle.isTerminated();
  }

  /** As of {@code ExecutorService}. */
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return lifecycle.awaitTermination(timeout, unit);
  }

  /** After termination: waits for threads that have left their loop but are not quite over. */
  public void joinThreads() throws InterruptedException {
    crew.joinThreads();
    Crew.join(timers.thread());
    Crew.join(sentinel.thread());
  }

  /** Where tasks of adapters go that {@code shutdownNow} found. */
  public Shutdown shutdownSequence() {
    return shutdown;
  }

  // ---- reading
  // -----------------------------------------------------------------------------------

  /** The armed timers. */
  public TimerQueue timers() {
    return timers;
  }

  /** The name. */
  public String name() {
    return config.name();
  }

  /** What it was built from. */
  public PoolConfig config() {
    return config;
  }

  /** A snapshot of every count. */
  public SchedulerStats stats() {
    return StatsReader.read(
        config,
        sleep,
        crew,
        injector.size() + background.size(),
        timers,
        sentinel,
        publishedOutside.sum(),
        wakesFromOutside.sum());
  }

  /** Where work is stuck, in words. */
  public String dump() {
    return Dump.of(this, crew, sentinel);
  }

  void reportUncaught(Throwable thrown) {
    crew.reportUncaught(thrown);
  }

  @Override
  public String toString() {
    return name() + "[" + lifecycle + ", " + sleep + "]";
  }
}
