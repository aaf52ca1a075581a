package dev.catnap.internal.worker;

import dev.catnap.SchedulerStats;
import dev.catnap.ShutdownReport.RunningThread;
import dev.catnap.WorkerHooks;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.blocking.SectionForecast;
import dev.catnap.internal.lane.Lane;
import dev.catnap.internal.metrics.SharedCount;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.stack.StackReserve;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.internal.timer.TimerQueue;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WakeRule;
import dev.catnap.spi.WorkerThread;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of one scheduler: where its queues, its protocol and its threads meet. Publishing is
 * here; {@link Roster} has the workers, {@link Starter} starts threads, {@link Crew} hands out
 * rights to run, {@link Shutdown} ends all.
 *
 * <p>Thread-safe. {@link #publish} and {@link #publishContinuation} are lock-free, and allocate
 * only when a queue grows, a count is contended for the first time, or a thread is to be started.
 */
public final class Pool implements Engine {
  /** Workers are numbered from zero, as many as there are threads, and steal. */
  private static final int ALL_WORKERS = -1;

  private final boolean never = StackReserve.never();
  private final PoolConfig config;
  private final Lifecycle lifecycle;

  /** Else {@link #ALL_WORKERS}. */
  private final int onlyWorker;

  private final SharedQueues queues;

  /** One of them: who publishes from outside finds it cold, and one step sooner here. */
  private final Injector injector;

  /**
   * Not where each task has a wake of its own: one that comes out of a slot without any would use
   * up that of another task.
   */
  private final boolean slotsMayBeSilent;

  private final VisibleWork visibleWork = new VisibleWork(this);
  private final Sleep sleep;
  private final SectionForecast sections;
  private final Threads threads;
  private final Crew crew;
  private final Roster roster;
  private final Starter starter;
  private final @Nullable CallerWorker caller;
  private final Sentinel sentinel;
  private final TimerQueue timers;
  private final Shutdown shutdown;
  private final Addressing addressing;

  private final SharedCount publishedOutside = new SharedCount();
  private final SharedCount wakesFromOutside = new SharedCount();

  /**
   * Starts the workers.
   *
   * @throws IllegalStateException if the thread factory fails; no thread is left then
   */
  public Pool(PoolConfig config) {
    this(config, new Shutdown(1), ALL_WORKERS);
  }

  /**
   * Starts the only worker of a pool that has company: it fires its timers itself, and nobody
   * steals from it (thread per core).
   *
   * @param config for one thread
   * @param shutdown of all these pools
   * @param onlyWorker the number of the worker among theirs; not negative
   * @throws IllegalStateException if the thread factory fails; no thread of these pools is left
   */
  Pool(PoolConfig config, Shutdown shutdown, int onlyWorker) {
    this.config = config;
    this.shutdown = shutdown;
    this.onlyWorker = onlyWorker;
    lifecycle = shutdown.lifecycle();
    var tuning = config.tuning();
    slotsMayBeSilent = tuning.wakeRule() == WakeRule.ONE_AT_A_TIME;
    queues = new SharedQueues(this, tuning);
    injector = queues.injector();
    sleep =
        new Sleep(
            new CounterWord(tuning.jecBits(), tuning.initialJec()),
            tuning.parker(),
            visibleWork,
            config.maxThreads(),
            Crew.searchLimit(config.parallelism()),
            tuning.wakeRule());
    sections =
        new SectionForecast(
            longestKeptNanos(tuning), this::processorsInUse, tuning.clock()::nanoTime);
    threads = new Threads(config, lifecycle);
    // Before the crew, whose workers keep it.
    sentinel =
        new Sentinel(
            new WatchedPool(this),
            tuning.slotTickNanos(),
            tuning.stallTickNanos(),
            tuning.clock(),
            threads::startSentinel,
            threads::reportSentinelNotStarted);
    crew = new Crew(this, config, sleep, lifecycle, threads);
    roster = crew.roster();
    starter = crew.starter();
    caller = roster.caller();
    addressing = new Addressing(this, roster, starter, sleep, lifecycle);
    timers =
        isAlone()
            ? new TimerQueue(
                tuning.clock(), this::wakeKeeper, this::noTimersLeft, this::reportUncaught)
            : new TimerQueue(
                config.parallelism(),
                this::timersHome,
                tuning.clock(),
                threads::startTimer,
                () -> sleep.somebodySearchesOrNoOtherSleeps(crew.standby()),
                this::noTimersLeft,
                this::reportUncaught);
    shutdown.join(this, crew, timers, sentinel);
    starter.startAll();
  }

  /** A right that was kept: the sentinel lingers when it is called, and then looks twice. */
  private static long longestKeptNanos(SchedulerTuning tuning) {
    long tick = tuning.slotTickNanos();
    return tick == 0 ? 0 : tuning.stallTickNanos() + 2 * tick;
  }

  // ---- publishing
  // --------------------------------------------------------------------------------

  @Override
  public boolean publish(Runnable task, Placement placement) {
    if (!lifecycle.isRunning()) {
      return false;
    }
    return publishContinuation(task, placement);
  }

  /** A spare begins it at once if all workers run, unless the caller is about to wait for it. */
  @Override
  public boolean publishDeclared(Runnable task, Placement placement) {
    StackReserve.require(never);
    if (!lifecycle.isRunning()) {
      return false;
    }
    boolean nobodyIsFree = !isAlone() && sleep.nobodyIsInactive();
    boolean someAreOnStandby = crew.standby() > 0;
    boolean isForOthers = (nobodyIsFree || someAreOnStandby) && !isAwaited(placement);
    if (isForOthers && nobodyIsFree && crew.handToSpare(task)) {
      countPublished();
      return true;
    }
    if (!publishContinuation(task, placement)) {
      return false;
    }
    if (isForOthers && someAreOnStandby) {
      callUp(1); // who is on standby is there for what needs no processor
    }
    return true;
  }

  private boolean isAwaited(Placement placement) {
    if (placement != Placement.NEXT) {
      return false;
    }
    Worker worker = currentWorker();
    return worker != null && worker.section().isLikelyToComeBack();
  }

  /** As {@link dev.catnap.spi.SchedulerAdapter#runUrgently}. */
  boolean runUrgently(Runnable task) {
    Worker worker = currentWorker();
    return worker != null && worker.intake.runUrgently(task);
  }

  private void countPublished() {
    Worker worker = currentWorker(); // not that of before: a thread was started meanwhile
    if (worker != null) {
      worker.counters.increment(Count.PUBLISHED);
    } else {
      publishedOutside.increment();
    }
  }

  /** What a publish that was refused is answered with. */
  @Override
  public RejectedExecutionException refused(Object task) {
    return new RejectedExecutionException(this + " is closed and refuses " + task);
  }

  @Override
  public void ensureStack() {
    StackReserve.requireForMore(never);
  }

  /**
   * Is never compiled into its caller: HotSpot does that with no method that has more than 325
   * bytes of bytecode. There are two reasons.
   *
   * <p>It compiles calls into each other 15 deep. A coroutine that resumes another one comes here
   * at the twelfth; then the innermost steps of a publish, which read a field each, would be a
   * dozen calls, in one JVM, and in the next one not, as the order has it in which methods are
   * compiled. From here on there are 15 for whoever publishes.
   *
   * <p>And compiled code asks for all the stack that it may need where it is entered. Compiled as
   * one with {@code LockSupport.unpark}, which publishes a virtual thread, this would ask for its 8
   * KB
   *
   * <ul>
   *   <li>between what the JDK has said (the thread runs) and the catch of whoever publishes it;
   *   <li>and so would every other caller: the publish that has claimed a worker, with the rest of
   *       its own 8 KB. That worker would sleep for ever.
   * </ul>
   */
  @Override
  public boolean publishContinuation(Runnable task, Placement placement) {
    StackReserve.require(never);
    if (never) {
      throw new AssertionError(
          Arrays.toString(
              new int[] { // seven bytes of bytecode each
                1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012,
                1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 1025,
                1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1036, 1037,
              }));
    }
    Worker worker = currentWorker();
    if (worker != null) {
      // Accepted in every phase: this worker empties its own queues before it ends.
      worker.publisher.publish(task, placement);
      return true;
    }
    if (!(placement == Placement.BACKGROUND ? queues.pushBackground(task) : injector.push(task))) {
      return isPerCore() && addressing.handOver(task);
    }
    publishedOutside.increment();
    publishFromOutside();
    sentinel.guardQueues();
    return true;
  }

  /** Publishes to one worker. */
  Addressing addressing() {
    return addressing;
  }

  /** The worker under the caller, or null. */
  @Nullable Worker currentWorker() {
    Worker worker = Worker.of(config.locator().currentPlatformThread());
    return worker != null && worker.pool() == this ? worker : callerIfCurrent();
  }

  /** The caller, if it runs a pool that has no threads. */
  @Nullable Worker callerIfCurrent() {
    return caller != null && caller.isRunBy(Thread.currentThread()) ? caller : null;
  }

  /** The worker that runs on the threads of others; null: workers have threads of their own. */
  public @Nullable CallerWorker caller() {
    return caller;
  }

  @Override
  public boolean isAddressable(int worker) {
    return addressing.addressable(worker) != null;
  }

  @Override
  public boolean publishTo(int worker, Runnable task) {
    return addressing.publish(worker, task);
  }

  @Override
  public boolean publishContinuationTo(int worker, Runnable task) {
    return addressing.publishContinuation(worker, task);
  }

  @Override
  public Pool home() {
    return this;
  }

  @Override
  public int ownWorker() {
    Worker worker = currentWorker();
    return worker != null && worker.isRunBy(Thread.currentThread()) ? worker.index() : -1;
  }

  @Override
  public boolean isOnOwnThread() {
    return (config.locator().currentPlatformThread() instanceof WorkerThread carrier
            && carrier.worker() instanceof Worker worker
            && worker.pool() == this)
        || callerIfCurrent() != null
        || Thread.currentThread() == timers.thread()
        || Thread.currentThread() == sentinel.thread();
  }

  @Override
  public boolean isWorker() {
    return currentWorker() != null;
  }

  // ---- as workers see it
  // -------------------------------------------------------------------------

  SharedQueues queues() {
    return queues;
  }

  boolean isWorkVisible() {
    return visibleWork.isWorkVisible();
  }

  // ---- as the sentinel sees it
  // -------------------------------------------------------------------

  Sentinel sentinel() {
    return sentinel;
  }

  Sleep sleep() {
    return sleep;
  }

  Threads threads() {
    return threads;
  }

  Crew crew() {
    return crew;
  }

  /** Whether a push into an empty slot need wake nobody, if the sentinel looks after it. */
  boolean maySlotsBeSilent() {
    return slotsMayBeSilent;
  }

  /** Whether searchers leave slots to the sentinel, but for those that it has exposed. */
  boolean areSlotsGuarded() {
    return slotsMayBeSilent && sentinel.isOnDuty();
  }

  private int processorsInUse() {
    return Math.min(crew.parallelism(), crew.processors());
  }

  /** By the sentinel, and by the publish of a declared section while workers are on standby. */
  void callUp(int most) {
    wakesFromOutside.add(sleep.callUp(most));
  }

  /** Not one more beside those that search: what waits was published when it came. */
  void publishWaiting() {
    published(sleep.publish());
  }

  private void publishFromOutside() {
    published(sleep.publishFromOutside());
  }

  private void published(int wakes) {
    if (wakes != 0) {
      wakesFromOutside.increment();
    } else {
      crew.wokeNobody();
    }
  }

  /** What {@code waiter} waits for is done. Any thread. */
  void wakeWaiter(Worker waiter) {
    if (sleep.wakeWaiter(waiter) != 0) {
      Worker worker = currentWorker();
      if (worker != null) {
        worker.counters.increment(Count.WAKES);
      } else {
        wakesFromOutside.increment();
      }
    }
  }

  int workerCount() {
    return roster.size();
  }

  Worker worker(int index) {
    return roster.worker(index);
  }

  // ---- blocking
  // ----------------------------------------------------------------------------------

  @Override
  public boolean beginBlocking(@Nullable BooleanSupplier isEnding) {
    StackReserve.require(never);
    Worker worker = currentWorker();
    if (worker == null || isAlone()) {
      return false; // nobody could take over
    }
    worker.section().begin(isEnding);
    return true;
  }

  @Override
  public void blockingGoesOn() {
    Worker worker = currentWorker();
    if (worker != null) {
      worker.section().goesOn();
    }
  }

  @Override
  public void endBlocking() {
    StackReserve.require(never); // a section that is not ended now is ended with its task
    Worker worker = currentWorker();
    if (worker == null) {
      throw new IllegalStateException("endBlocking on a thread that is not a worker of " + name());
    }
    worker.section().end();
  }

  /** Of a thread that is lent: its interrupt ends the run, which a task may not prevent. */
  @Override
  public boolean clearInterrupt() {
    return callerIfCurrent() == null
        ? Engine.super.clearInterrupt()
        : !Thread.currentThread().isInterrupted();
  }

  SectionForecast sections() {
    return sections;
  }

  /** {@code workWaits}: what it had in its slot, for which nobody was woken. */
  void workerBlocks(boolean holdsRight, boolean workWaits) {
    crew.blocked(holdsRight);
    if (workWaits) {
      wokeNobody();
      sentinel.guardQueues();
    }
  }

  /** See {@link Crew#blockedAndReplaced}. */
  boolean workerIsReplaced(boolean holdsRight) {
    return crew.blockedAndReplaced(holdsRight);
  }

  void workerUnblocks() {
    crew.unblocked();
  }

  @Override
  public int parallelism() {
    return crew.parallelism();
  }

  /** See {@link Crew#setParallelism}. */
  @Override
  public void setParallelism(int parallelism) {
    StackReserve.require(never);
    crew.setParallelism(parallelism);
  }

  @Override
  public void requireResizable() {
    // It can be.
  }

  RunRights rights() {
    return crew.rights();
  }

  boolean isSurplus() {
    return visibleWork.isSurplus();
  }

  /** See {@link Crew#wokeNobody}. */
  void wokeNobody() {
    crew.wokeNobody();
  }

  /** See {@link Crew#foundWork}. */
  void foundWork() {
    crew.foundWork();
  }

  /** For a thread of that worker; null: there are no hooks. */
  @Nullable HookCalls newHookCalls(int worker) {
    WorkerHooks hooks = config.threads().hooks();
    return hooks == null ? null : new HookCalls(hooks, worker, this);
  }

  long keepAliveNanos() {
    return config.keepAliveNanos();
  }

  @Override
  public Lane newLane(String name, int threads, int capacity, SchedulerAdapter adapter) {
    if (config.onCaller()) {
      throw new UnsupportedOperationException(
          name()
              + " runs on the thread of its caller, which would block with its tasks: the lane "
              + name
              + " for blocking tasks needs a scheduler with threads");
    }
    int most = config.maxThreads() - parallelism();
    if (threads < 1 || threads > most) {
      throw new IllegalArgumentException(
          "threads of a lane must be 1 to maxThreads "
              + config.maxThreads()
              + " less parallelism "
              + parallelism()
              + ": "
              + threads);
    }
    Lane lane =
        new Lane(
            name,
            threads,
            capacity,
            adapter,
            config.tuning().parker(),
            this::runOnTop,
            this::laneTaskThrew);
    shutdown.lanes().add(lane);
    if (isShutdown()) {
      lane.shutdown(); // it may have been added too late to be told
    }
    return lane;
  }

  /** On a worker, in the middle of a task; does not throw for what is its own. */
  private void runOnTop(Runnable other) {
    Worker worker = Objects.requireNonNull(currentWorker());
    Containment.Traits traits = null;
    try {
      traits = worker.suspendTask();
    } catch (OutOfMemoryError e) {
      // Then the other one finds the thread as this task has left it.
    }
    try {
      other.run();
    } finally {
      worker.resumeTask(traits, false);
    }
  }

  /** On a worker; the worker itself sees only the runner, which does not throw. */
  private void laneTaskThrew(Throwable thrown) {
    Worker worker = currentWorker();
    if (worker != null) {
      worker.counters.increment(Count.UNCAUGHT);
    }
    reportUncaught(thrown);
  }

  // ---- thread per core
  // --------------------------------------------------------------------------------

  /** Whether the worker of this pool is the only one that may run its tasks. */
  boolean isPerCore() {
    return onlyWorker != ALL_WORKERS;
  }

  /** The number of the first worker. */
  int firstWorker() {
    return isPerCore() ? onlyWorker : 0;
  }

  /** Whether a worker is registered as asleep; a moment old. */
  boolean isAsleep() {
    return sleep.sleepingCount() > 0;
  }

  /** A timer is due before the worker would look by itself. If it is awake, it looks anyway. */
  private void wakeKeeper() {
    if (roster.size() > 0 && sleep.wakeIfAsleep(roster.worker(0))) {
      wakesFromOutside.increment();
    }
  }

  /** There is one worker for good: nobody steals, takes over, or fires timers for it. */
  boolean isAlone() {
    return isPerCore() || config.onCaller();
  }

  // ---- life
  // --------------------------------------------------------------------------------------

  Lifecycle lifecycle() {
    return lifecycle;
  }

  int phase() {
    return lifecycle.phase();
  }

  void workerEnded() {
    starter.workerEnded();
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

  @Override
  public void shutdown() {
    shutdown.begin();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return shutdown.now();
  }

  @Override
  public boolean isShutdown() {
    return !lifecycle.isRunning();
  }

  @Override
  public boolean isTerminated() {
    return lifecycle.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return lifecycle.awaitTermination(timeout, unit);
  }

  @Override
  public boolean awaitEnd() throws InterruptedException {
    if (caller != null) {
      caller.runToTheEnd();
    }
    return lifecycle.awaitTermination(1, TimeUnit.DAYS);
  }

  @Override
  public void oweEnd() {
    if (caller != null) {
      caller.oweEnd();
    }
  }

  @Override
  public void joinThreads(long deadline) throws InterruptedException {
    for (Thread t : startedThreads()) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis > 0 && t != Thread.currentThread()) {
        t.join(millis);
      }
    }
  }

  @Override
  public List<RunningThread> liveThreads() {
    return LiveThreads.of(this, startedThreads());
  }

  /** All that may not be over. */
  private List<Thread> startedThreads() {
    List<Thread> all = crew.startedThreads();
    for (Thread helper : new Thread[] {timers.thread(), sentinel.thread()}) {
      if (helper != null) {
        all.add(helper);
      }
    }
    return all;
  }

  @Override
  public List<TimerNode> takeTimersLaterThan(long nanos) {
    return timers.takeLaterThan(nanos);
  }

  @Override
  public Shutdown shutdownSequence() {
    return shutdown;
  }

  // ---- reading
  // -----------------------------------------------------------------------------------

  /** The armed timers. */
  public TimerQueue timers() {
    return timers;
  }

  /** One worker fires them in the order of their deadlines: they are in one place. */
  private int timersHome() {
    if (crew.parallelism() == 1) {
      return 0;
    }
    Worker worker = currentWorker();
    return worker != null ? worker.index() : (int) Thread.currentThread().getId() & 0xffff;
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public PoolConfig config() {
    return config;
  }

  @Override
  public SchedulerStats stats() {
    return StatsReader.read(
        config,
        sleep,
        crew,
        queues.size(),
        timers,
        sentinel,
        publishedOutside.sum(),
        wakesFromOutside.sum(),
        addressing);
  }

  @Override
  public String dump() {
    return Dump.of(this, crew, sentinel);
  }

  void reportUncaught(Throwable thrown) {
    threads.reportUncaught(thrown);
  }

  @Override
  public String toString() {
    return name() + "[" + lifecycle + ", " + sleep + "]";
  }
}
