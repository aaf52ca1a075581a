package dev.catnap;

import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.timer.ScheduledTask;
import dev.catnap.internal.worker.Broadcast;
import dev.catnap.internal.worker.DeadlineShutdown;
import dev.catnap.internal.worker.Engine;
import dev.catnap.internal.worker.ForkJoin;
import dev.catnap.internal.worker.KeySpread;
import dev.catnap.internal.worker.PerCorePools;
import dev.catnap.internal.worker.Pool;
import dev.catnap.internal.worker.PoolAdapter;
import dev.catnap.internal.worker.PoolConfig;
import dev.catnap.internal.worker.ThreadSettings;
import dev.catnap.spi.CurrentThreadLocator;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pool of worker threads that steal from each other, sleep without a timeout while there is
 * nothing to do, and never miss a wake. With {@link Flavor#THREAD_PER_CORE} they do not steal:
 * every task stays on the worker that it was given to.
 *
 * <p><b>Order.</b> A task published by a worker goes to the end of that worker's own queue; a task
 * from outside goes to the end of the injector, which all workers share. Both are first in, first
 * out; between the two, and between workers, there is no order, only bounds: no queue starves
 * another.
 *
 * <p><b>Memory effects.</b> What a thread did before it submitted a task happens-before the task.
 * The futures that {@code submit} and {@code schedule} return add what {@link
 * java.util.concurrent.Future} promises.
 *
 * <p><b>Containment.</b> Whatever a task throws goes to the uncaught-exception handler and does not
 * end the worker; an interrupt, a thread name, priority or context class loader that it leaves
 * behind is not seen by the next task. Thread locals stay.
 *
 * <p><b>Shutdown.</b> After {@link #shutdown} new tasks are refused with {@link
 * RejectedExecutionException}; accepted ones run, delayed ones included, periodic ones end. A
 * submit that races with it either runs or is refused.
 *
 * <p>Thread-safe. Methods throw {@link NullPointerException} for null arguments.
 *
 * <p>The protocol descends from Rayon's sleep module and its jobs event counter; the deque from
 * Go's run queue; the rule of one wake at a time from Go, Tokio and Julia.
 */
public final class WorkStealingScheduler extends AbstractExecutorService
    implements ScheduledExecutorService, AutoCloseable {

  /** Parallelism and threads must fit in the 16 bits in which the protocol counts workers. */
  public static final int MAX_PARALLELISM = CounterWord.MAX_WORKERS;

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Engine pool;
  private final SchedulerAdapter adapter;
  private final ForkJoin forkJoin;
  private final boolean closeable;

  WorkStealingScheduler(Engine pool, boolean closeable) {
    this.pool = pool;
    this.adapter = new PoolAdapter(pool);
    this.forkJoin = new ForkJoin(pool);
    this.closeable = closeable;
  }

  /**
   * Starts with the defaults: as many workers as processors.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A scheduler with the defaults.
   *
   * @return a new one, its workers started
   * @throws IllegalStateException if its threads cannot be started
   */
  public static WorkStealingScheduler create() {
    return builder().build();
  }

  /**
   * The scheduler that is shared by all that do not make their own; {@code
   * CatnapDispatchers.Default} runs on it. It is built at the first call, its threads are daemons,
   * and it cannot be closed; {@link #shutdownCommon} ends it, for tests and containers.
   *
   * <p>It keeps nothing of who calls first: its threads have the class loader in which Catnap is as
   * context class loader, and are in the topmost thread group. That class loader is also where a
   * {@link dev.catnap.spi.CommonSchedulerProvider} is looked for.
   *
   * @return always the same
   * @throws IllegalStateException if it cannot be built, since a thread cannot be started, or a
   *     provider fails; the next call tries again
   */
  public static WorkStealingScheduler common() {
    return CommonScheduler.get();
  }

  /**
   * Ends the common scheduler for good, within a time, as {@link #close(Duration, Duration)} does
   * another one. {@link #common} returns the same object afterwards, which refuses tasks; if it was
   * not built before, it never starts a thread.
   *
   * <p>For tests and containers: to be called once, at the very end, by whoever owns the class
   * loader in which Catnap is, after all that use the common scheduler. Then nothing keeps that
   * class loader.
   *
   * <p>Coroutines on {@code CatnapDispatchers} are cancelled when they would be dispatched next,
   * and complete on {@code Dispatchers.IO}, as after any shutdown; so end it before {@code
   * Dispatchers.shutdown()}. Virtual threads of {@code CarrierPool.common()} that are not over go
   * on on the JDK's default scheduler.
   *
   * @param drain how long tasks may end by themselves; any long time is possible
   * @param interrupt how long after the interrupt
   * @return what happened; the same as of {@code close} if it is called again
   * @throws IllegalArgumentException if a time is negative; nothing has changed then
   * @throws IllegalStateException on a thread of the common scheduler, which would wait for its own
   *     end; nothing has changed then
   */
  public static ShutdownReport shutdownCommon(Duration drain, Duration interrupt) {
    Objects.requireNonNull(drain, "drain");
    Objects.requireNonNull(interrupt, "interrupt");
    return CommonScheduler.end(drain, interrupt);
  }

  // ---- tasks
  // -------------------------------------------------------------------------------------

  /**
   * Runs the task some time later: into this worker's queue when called on a worker of this
   * scheduler (or in a virtual thread that such a worker carries), else into the injector.
   *
   * @param task what to run
   * @throws RejectedExecutionException if the scheduler was shut down
   * @throws OutOfMemoryError if a queue cannot grow; the task was not accepted
   */
  @Override
  public void execute(Runnable task) {
    if (!pool.publish(Objects.requireNonNull(task, "task"), Placement.QUEUED)) {
      throw refused(task);
    }
  }

  /**
   * Runs tasks that give way to all others: a worker takes one when it has found nothing else in
   * the queues that it looks into, short ones of workers that get on left aside, and about once in
   * 500 tasks although it has, so that background work goes on; after one that takes long, the
   * others have 16 times as long, up to a second. First in, first out. A task that runs is not
   * interrupted for others.
   *
   * @return an executor whose {@code execute} throws as {@link #execute} does
   */
  public Executor background() {
    return task -> {
      if (!pool.publish(Objects.requireNonNull(task, "task"), Placement.BACKGROUND)) {
        throw refused(task);
      }
    };
  }

  /**
   * Runs tasks on one worker, one at a time, in the order in which they were given; they never move
   * to another thread, so what only they use needs no synchronisation. They wait while their worker
   * runs something else, and also while that blocks: no other worker may take them. In turn with
   * other work none of both waits for more than a bounded number of tasks of the other.
   *
   * <p>After the first call for a worker its thread stays until the end of the scheduler, also if a
   * spare that replaced it in a blocking section goes on in its place. If the worker has none at
   * that moment, {@code execute} starts one, or waits for whoever is starting it.
   *
   * @param worker 0 to {@link #parallelism} - 1
   * @return an executor whose {@code execute} throws as {@link #execute} does, and {@link
   *     IllegalStateException} if the worker has no thread and none can be started, or if it is the
   *     thread factory itself that waits for this task
   * @throws IllegalArgumentException if there is no such worker
   */
  public Executor confinedTo(int worker) {
    int workers = parallelism();
    if (worker < 0 || worker >= workers) {
      throw new IllegalArgumentException("worker must be 0 to " + (workers - 1) + ": " + worker);
    }
    return executorOf(worker);
  }

  private Executor executorOf(int worker) {
    return task -> {
      if (!pool.publishTo(worker, Objects.requireNonNull(task, "task"))) {
        throw refused(task);
      }
    };
  }

  /**
   * Runs a task once on every worker, as many as the parallelism at this moment; each runs it
   * between two of its other tasks, and one that sleeps is woken for it. Rayon's {@code broadcast}.
   * What the task throws goes to the future, not to the uncaught-exception handler.
   *
   * <p>If a task of this scheduler calls it, its worker runs its share at once, before this method
   * returns and before what else waits for that worker alone. So the task may wait for the future,
   * as long as all other workers come to the end of what they run. Do not wait in a task if another
   * task may do so at the same time, on another worker: each waits for a share that comes only
   * after the other task. The same holds if a task on another worker waits for the end of this one
   * ({@link #join}, {@link #scope}, {@code Future.get}). A declared {@linkplain #blocking blocking
   * section} does not help, for a spare may not run the share of the worker that it replaces. Go on
   * in a stage of the future instead, or wait outside. A virtual thread that waits leaves its
   * worker, and may.
   *
   * @param task what to run, by several threads at once
   * @return completes when the task has run on all of them, or exceptionally after that with what
   *     the first failing one threw, that of others suppressed. If the scheduler is shut down
   *     meanwhile, {@link RejectedExecutionException} stands for each worker that it does not
   *     reach; the task is not handed back by {@link #shutdownNow} then
   * @throws RejectedExecutionException if the scheduler was shut down; the task does not run then
   * @throws IllegalStateException if a worker has no thread and none can be started; the task does
   *     not run then
   */
  public CompletableFuture<@Nullable Void> broadcast(Runnable task) {
    Objects.requireNonNull(task, "task");
    CompletableFuture<@Nullable Void> done = Broadcast.to(pool, task);
    if (done == null) {
      throw refused(task);
    }
    return done;
  }

  /**
   * The executor {@link #confinedTo} the worker of a key: the same for equal keys as long as the
   * parallelism is the same, and the keys are spread over the workers by their hash code.
   *
   * @param key what the tasks have in common, such as a connection or the name of a customer
   * @return as {@code confinedTo}
   */
  public Executor confinedByKey(Object key) {
    return executorOf(KeySpread.indexOf(key, parallelism()));
  }

  private RejectedExecutionException refused(Object task) {
    return pool.refused(task);
  }

  /**
   * Runs a section that blocks its thread: as soon as a task waits and no worker is free, a spare
   * takes over, so that the other tasks of this scheduler keep as many threads as before, as long
   * as there are fewer than {@code maxThreads}. Anywhere else than on a worker of this scheduler,
   * in virtual threads, and with {@link Flavor#THREAD_PER_CORE}, it just calls the section.
   *
   * @param section what blocks; runs on the calling thread
   * @param <T> its result
   * @return the result
   * @throws Exception what the section throws
   */
  public <T extends @Nullable Object> T blocking(Callable<T> section) throws Exception {
    Objects.requireNonNull(section, "section");
    // A virtual thread unmounts when it blocks, and its carrier goes on.
    boolean declared = pool.isWorkerThread() && pool.beginBlocking();
    try {
      return section.call();
    } finally {
      if (declared) {
        pool.endBlocking();
      }
    }
  }

  /**
   * A lane for tasks that block: a queue of its own, at most so many tasks at once, each in a
   * declared blocking section, and a clear error when it is full. Make it once; it ends with the
   * scheduler. Lanes do not know of each other: the threads of all lanes and the parallelism
   * together should not exceed {@code maxThreads}, else blocking tasks take the threads of others.
   * That is looked at when a lane is made, and not again: who raises the parallelism later sees to
   * it.
   *
   * @param name for messages; not blank
   * @param threads how many of its tasks may run at once; 1 to {@code maxThreads} less the
   *     parallelism, so that the other tasks keep their threads
   * @param queueCapacity how many more may wait; not negative
   * @return a new lane
   * @throws IllegalArgumentException if an argument is out of its range
   * @throws UnsupportedOperationException with {@link Flavor#THREAD_PER_CORE}, and on the scheduler
   *     of a {@link CurrentThreadScheduler}: there is no other thread for what blocks
   */
  public BlockingLane blockingLane(String name, int threads, int queueCapacity) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a lane must not be blank: '" + name + "'");
    }
    if (queueCapacity < 0) {
      throw new IllegalArgumentException("queueCapacity must not be negative: " + queueCapacity);
    }
    return new BlockingLane(
        this, pool.newLane(name, threads, queueCapacity, adapter), name, threads, queueCapacity);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Objects.requireNonNull(command, "command");
    return schedule(Executors.callable(command), delay, unit);
  }

  /**
   * {@inheritDoc} The delay is measured with the monotonic clock, and the task does not start
   * early.
   *
   * @throws RejectedExecutionException if the scheduler was shut down
   */
  @Override
  public <V extends @Nullable Object> ScheduledFuture<V> schedule(
      Callable<V> callable, long delay, TimeUnit unit) {
    Objects.requireNonNull(callable, "callable");
    Objects.requireNonNull(unit, "unit");
    Pool home = pool.home();
    return arm(
        new ScheduledTask<>(home.timers(), task -> publishDue(home, task), callable),
        unit.toNanos(delay));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code period} is not above zero
   */
  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return periodic(command, initialDelay, "period", period, unit, 1);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code delay} is not above zero
   */
  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return periodic(command, initialDelay, "delay", delay, unit, -1);
  }

  private ScheduledFuture<?> periodic(
      Runnable command, long initialDelay, String what, long every, TimeUnit unit, int sign) {
    Objects.requireNonNull(command, "command");
    Objects.requireNonNull(unit, "unit");
    if (every <= 0) {
      throw new IllegalArgumentException(what + " must be above zero: " + every);
    }
    long period = sign * unit.toNanos(every);
    Pool home = pool.home();
    return arm(
        new ScheduledTask<@Nullable Object>(
            home.timers(), task -> publishDue(home, task), command, null, period),
        unit.toNanos(initialDelay));
  }

  private <V extends @Nullable Object> ScheduledFuture<V> arm(
      ScheduledTask<V> task, long delayNanos) {
    if (!pool.isShutdown() && task.arm(delayNanos)) {
      return task;
    }
    throw refused(task);
  }

  private static void publishDue(Pool home, Runnable task) {
    if (!home.publishContinuation(task, Placement.QUEUED)) {
      throw new AssertionError(home + " drained while a delayed task was due");
    }
  }

  // ---- fork/join
  // ---------------------------------------------------------------------------------

  /**
   * Runs both, at the same time if another worker is free, and returns when both are over. On a
   * worker of this scheduler {@code left} runs at once, and {@code right} after it, unless another
   * worker has taken it meanwhile; then this worker runs other tasks until that one is over.
   * Anywhere else, in a virtual thread too, both run as a task of this scheduler, and the caller
   * waits: a worker of another scheduler runs tasks of its own meanwhile, and so does a thread,
   * virtual or not, that runs a {@link CurrentThreadScheduler}; another virtual thread leaves its
   * carrier. An interrupt does not end the wait; its flag is set again afterwards.
   *
   * <p>Other tasks run on top of the one that waits, on the same thread: do not call this while you
   * hold a lock that they may want, for a reentrant one would let them in.
   *
   * <p>What the caller did before happens-before both; what both do happens-before the return. The
   * idea is Rayon's {@code join}.
   *
   * @param left the first branch
   * @param right the second branch
   * @throws RuntimeException what a branch throws (an {@link Error} likewise); of both, the left
   *     one with the right one suppressed. If the left one throws, the right one may not run; it is
   *     never still running
   * @throws RejectedExecutionException if the scheduler was shut down, unless called by one of its
   *     tasks
   * @throws java.util.concurrent.CancellationException if {@code shutdownNow} took a branch back
   *     before it began
   * @throws OutOfMemoryError if a queue cannot grow; neither has begun
   * @throws StackOverflowError on a worker of another scheduler with too little of its stack left
   *     to run other tasks on while it waits; neither has begun
   */
  public void join(Runnable left, Runnable right) {
    forkJoin.join(left, right);
  }

  /**
   * The same, with results. A checked exception of a branch is thrown inside a {@link
   * java.util.concurrent.CompletionException}, so that a recursion need not declare it.
   *
   * @param left the first branch
   * @param right the second branch
   * @param <A> result of the left one
   * @param <B> result of the right one
   * @return both results
   */
  public <A extends @Nullable Object, B extends @Nullable Object> Joined<A, B> join(
      Callable<A> left, Callable<B> right) {
    return forkJoin.join(left, right);
  }

  /**
   * Runs the body, which may fork subtasks, which may fork more, and returns when all are over.
   * Where it runs, how it waits and what it throws is as with {@link #join(Runnable, Runnable)}:
   * what was thrown first, with the others suppressed. All subtasks run, whatever others throw.
   *
   * @param body what forks; runs on a worker of this scheduler
   * @param <T> its result
   * @return the result of the body
   */
  public <T extends @Nullable Object> T scope(Function<? super ForkScope, ? extends T> body) {
    return forkJoin.scope(body);
  }

  // ---- life
  // --------------------------------------------------------------------------------------

  /**
   * Refuses new tasks. Accepted ones run: delayed ones at their time, periodic ones no more.
   * Returns at once.
   *
   * @throws UnsupportedOperationException on the common scheduler
   */
  @Override
  public void shutdown() {
    checkCloseable();
    pool.shutdown();
  }

  /**
   * Refuses new tasks, interrupts running ones, and takes back those that have not begun.
   *
   * @return exactly the tasks that were accepted and will not run. Without those of adapters, which
   *     take care of their own, and without what somebody waits for who is told: the branches of a
   *     {@code join} and the subtasks of a {@code scope}, which are cancelled, and a {@link
   *     #broadcast}, whose future completes before this returns; what depends on that may run here
   * @throws UnsupportedOperationException on the common scheduler
   */
  @Override
  public List<Runnable> shutdownNow() {
    checkCloseable();
    return pool.shutdownNow();
  }

  /**
   * {@link #shutdown}, and waits until every task has run and every thread has ended. If the
   * waiting thread is interrupted, {@link #shutdownNow}, and it waits on; the interrupt status is
   * set again at the end. Called on a thread of this scheduler, in a task or a hook for example, it
   * does not wait. Can be called more than once.
   *
   * @throws UnsupportedOperationException on the common scheduler
   */
  @Override
  public void close() {
    checkCloseable();
    pool.shutdown();
    if (pool.isOnOwnThread()) {
      pool.oweEnd();
      return;
    }
    boolean interrupted = false;
    for (boolean over = false; !over; ) {
      try {
        over = pool.awaitEnd();
        if (over) {
          pool.joinThreads();
        }
      } catch (InterruptedException e) {
        if (!interrupted) {
          pool.shutdownNow();
        }
        interrupted = true;
        over = false;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the scheduler within a time, in phases:
   *
   * <ol>
   *   <li><i>refuse</i>: as {@link #shutdown}. Delayed tasks that are due after the time to drain
   *       are taken back at once: nobody waits for them.
   *   <li><i>drain</i>: accepted tasks run. It waits until all are over, at most {@code drain}.
   *   <li><i>interrupt</i>: as {@link #shutdownNow}: what has not begun is taken back, what runs is
   *       interrupted, once. It waits until all are over, at most {@code interrupt}.
   *   <li><i>report</i>: what happened, what was taken back, and which threads still run a task or
   *       a hook, with their stacks. They and the scheduler end when that does.
   * </ol>
   *
   * <p>It returns when these times are over, whatever the scheduler's threads do; not at once only
   * if no task runs: then hooks have a moment more, 50 ms, and threads that are about to end a
   * second. Not in these times is what the end runs on the calling thread itself: what adapters do
   * with tasks of theirs, and what depends on the future of a {@link #broadcast}.
   *
   * <p>No task runs on the calling thread, where nobody could interrupt it. So accepted tasks of a
   * {@link CurrentThreadScheduler} run only if another thread is in a run, or calls its {@code
   * close()}; else this waits for {@code drain} in vain, and takes them back.
   *
   * <p>A time of zero skips the waiting of its phase. An interrupt of the calling thread ends the
   * waiting of the phase; the status is set again at the end. Can be called more than once, and
   * while others close: each task that is taken back is in the result of one call. One call does
   * not prolong the time of another.
   *
   * @param drain how long tasks may end by themselves; any long time is possible
   * @param interrupt how long after the interrupt
   * @return what happened
   * @throws IllegalArgumentException if a time is negative; nothing has changed then
   * @throws IllegalStateException on a thread of this scheduler, in a task or a hook for example,
   *     which would wait for its own end; nothing has changed then
   * @throws UnsupportedOperationException on the common scheduler
   */
  public ShutdownReport close(Duration drain, Duration interrupt) {
    Objects.requireNonNull(drain, "drain");
    Objects.requireNonNull(interrupt, "interrupt");
    checkCloseable();
    return DeadlineShutdown.run(pool, drain, interrupt);
  }

  Engine engine() {
    return pool;
  }

  private void checkCloseable() {
    if (!closeable) {
      throw new UnsupportedOperationException("the common scheduler cannot be closed");
    }
  }

  @Override
  public boolean isShutdown() {
    return pool.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return pool.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return pool.awaitTermination(timeout, unit);
  }

  // ---- reading
  // -----------------------------------------------------------------------------------

  /**
   * How many workers may run tasks at once.
   *
   * @return at least 1
   */
  public int parallelism() {
    return pool.parallelism();
  }

  /**
   * Changes how many workers may run tasks at once, from now on. More start at once. Fewer: what
   * runs is not disturbed, and workers leave as they come between two tasks, so that for that long
   * more may run. May be called by any thread at any time; of two calls that race, one is in effect
   * afterwards. Without effect after {@link #shutdown}. Threads of a {@link #blockingLane} are not
   * set aside: leave room for them below {@code maxThreads}.
   *
   * @param parallelism 1 to {@link #maxThreads}
   * @throws IllegalArgumentException if out of that range; nothing has changed then
   * @throws UnsupportedOperationException with {@link Flavor#THREAD_PER_CORE}
   */
  public void setParallelism(int parallelism) {
    pool.requireResizable();
    if (parallelism < 1 || parallelism > maxThreads()) {
      throw new IllegalArgumentException(
          "parallelism must be 1 to maxThreads " + maxThreads() + ": " + parallelism);
    }
    if (!pool.isShutdown()) {
      pool.setParallelism(parallelism);
    }
  }

  /**
   * How many worker threads there may be, with those that sit in blocking sections.
   *
   * @return at least the parallelism
   */
  public int maxThreads() {
    return pool.config().maxThreads();
  }

  /**
   * The name that its threads carry.
   *
   * @return never blank
   */
  public String name() {
    return pool.name();
  }

  /**
   * What it has done and is doing. Reading it never slows a worker.
   *
   * @return an immutable snapshot
   */
  public SchedulerStats stats() {
    return pool.stats();
  }

  /**
   * Tells where work is stuck, for a log or a terminal: what waits, and for each worker what it
   * does, with the stack of those that run a task. Stops each of these threads for a moment;
   * everything else is read without disturbing it.
   *
   * @return several lines, in no format to be relied on
   */
  public String dump() {
    return pool.dump();
  }

  /**
   * The calls for adapters.
   *
   * @return always the same
   */
  public SchedulerAdapter adapter() {
    return adapter;
  }

  /** Name, phase and the counts of workers, in one line. */
  @Override
  public String toString() {
    return "WorkStealingScheduler " + pool;
  }

  /** Settings of a scheduler to be made. Not thread-safe. */
  public static final class Builder {
    private static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(30);
    private static final int DEFAULT_MAX_THREADS = 256;

    private @Nullable String name;
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int maxThreads;
    private @Nullable ThreadBudget threadBudget;
    private Duration keepAlive = DEFAULT_KEEP_ALIVE;
    private boolean daemon = true;
    private @Nullable WorkerThreadFactory threadFactory;
    private CurrentThreadLocator locator = Thread::currentThread;
    private Thread.@Nullable UncaughtExceptionHandler handler;
    private SchedulerTuning tuning = SchedulerTuning.production();
    private @Nullable WorkerHooks hooks;
    private int priority;
    private @Nullable ClassLoader contextClassLoader;
    private @Nullable ThreadGroup group;

    private Flavor flavor = Flavor.WORK_STEALING;

    private Builder() {}

    /**
     * Prefix of the names of its threads; {@code catnap-} and a number by default.
     *
     * @param name not blank
     * @return this
     * @throws IllegalArgumentException if blank
     */
    public Builder name(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("name must not be blank: '" + name + "'");
      }
      this.name = name;
      return this;
    }

    /**
     * How many workers may run tasks at once; the number of available processors by default.
     *
     * @param parallelism 1 to {@link WorkStealingScheduler#MAX_PARALLELISM}
     * @return this
     * @throws IllegalArgumentException if out of that range
     */
    public Builder parallelism(int parallelism) {
      checkCount("parallelism", parallelism);
      this.parallelism = parallelism;
      return this;
    }

    /**
     * How many worker threads there may be, with those that sit in blocking sections; 256 by
     * default, or twice the parallelism if that is more.
     *
     * @param maxThreads from the parallelism to {@link WorkStealingScheduler#MAX_PARALLELISM}
     * @return this
     * @throws IllegalArgumentException if out of the range of a count; {@link #build} checks it
     *     against the parallelism
     */
    public Builder maxThreads(int maxThreads) {
      checkCount("maxThreads", maxThreads);
      this.maxThreads = maxThreads;
      return this;
    }

    /**
     * Threads that it shares with other schedulers; by default it shares none. Its workers are
     * taken from the budget by {@link #build}, its spares when they are started.
     *
     * @param budget the budget
     * @return this
     */
    public Builder threadBudget(ThreadBudget budget) {
      this.threadBudget = Objects.requireNonNull(budget, "budget");
      return this;
    }

    private static void checkCount(String what, int value) {
      if (value < 1 || value > MAX_PARALLELISM) {
        throw new IllegalArgumentException(
            what + " must be 1 to " + MAX_PARALLELISM + ": " + value);
      }
    }

    /**
     * How tasks are spread; {@link Flavor#WORK_STEALING} by default.
     *
     * @param flavor the flavor
     * @return this
     */
    public Builder flavor(Flavor flavor) {
      this.flavor = Objects.requireNonNull(flavor, "flavor");
      return this;
    }

    /**
     * How long a thread that was needed for a blocking section waits for the next one before it
     * ends; 30 s by default.
     *
     * @param keepAlive not negative
     * @return this
     * @throws IllegalArgumentException if negative
     */
    public Builder keepAlive(Duration keepAlive) {
      if (keepAlive.isNegative()) {
        throw new IllegalArgumentException("keepAlive must not be negative: " + keepAlive);
      }
      this.keepAlive = keepAlive;
      return this;
    }

    /**
     * Whether the JVM may exit while the scheduler's threads run; true by default.
     *
     * @param daemon whether threads are daemons
     * @return this
     */
    public Builder daemon(boolean daemon) {
      this.daemon = daemon;
      return this;
    }

    /**
     * Receives what tasks throw, on the thread that ran them; by default the thread's own handler
     * does. What the handler itself throws is ignored.
     *
     * @param handler the handler
     * @return this
     */
    public Builder uncaughtExceptionHandler(Thread.UncaughtExceptionHandler handler) {
      this.handler = Objects.requireNonNull(handler, "handler");
      return this;
    }

    // ---- worker threads
    // ----------------------------------------------------------------------------------

    /**
     * Called on worker threads when they start, park, unpark and stop; nothing by default.
     *
     * @param hooks thread-safe
     * @return this
     */
    public Builder hooks(WorkerHooks hooks) {
      this.hooks = Objects.requireNonNull(hooks, "hooks");
      return this;
    }

    /**
     * Priority of worker threads; {@link Thread#NORM_PRIORITY} by default. Set on every worker
     * thread before it starts, also on one of a {@link #workerThreadFactory}, which otherwise
     * decides. A thread group with a lower maximum lowers it.
     *
     * @param priority {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
     * @return this
     * @throws IllegalArgumentException if out of that range
     */
    public Builder priority(int priority) {
      if (priority < Thread.MIN_PRIORITY || priority > Thread.MAX_PRIORITY) {
        throw new IllegalArgumentException(
            "priority must be "
                + Thread.MIN_PRIORITY
                + " to "
                + Thread.MAX_PRIORITY
                + ": "
                + priority);
      }
      this.priority = priority;
      return this;
    }

    /**
     * Context class loader of worker threads, of the timer thread and of the sentinel; by default
     * that of the thread that builds the scheduler. Set on every worker thread before it starts,
     * also on one of a {@link #workerThreadFactory}, which otherwise decides.
     *
     * @param loader the loader
     * @return this
     */
    public Builder contextClassLoader(ClassLoader loader) {
      this.contextClassLoader = Objects.requireNonNull(loader, "loader");
      return this;
    }

    /**
     * For adapters: threads of a class of their own. {@link #daemon} is then up to the factory;
     * {@link #priority} and {@link #contextClassLoader}, if they are set, are not.
     *
     * @param factory makes worker threads
     * @return this
     */
    public Builder workerThreadFactory(WorkerThreadFactory factory) {
      this.threadFactory = Objects.requireNonNull(factory, "factory");
      return this;
    }

    /**
     * For adapters: finds the platform thread under the caller, where that is not {@link
     * Thread#currentThread}.
     *
     * @param locator the locator
     * @return this
     */
    public Builder currentThreadLocator(CurrentThreadLocator locator) {
      this.locator = Objects.requireNonNull(locator, "locator");
      return this;
    }

    /**
     * Other sizes and rounds, for experiments and model checkers.
     *
     * @param tuning the values
     * @return this
     */
    public Builder tuning(SchedulerTuning tuning) {
      this.tuning = Objects.requireNonNull(tuning, "tuning");
      return this;
    }

    /**
     * Makes the scheduler and starts its workers.
     *
     * @return a new scheduler
     * @throws IllegalArgumentException if {@code maxThreads} or the whole budget is below {@code
     *     parallelism}, or {@code maxThreads} is not equal to it with {@link
     *     Flavor#THREAD_PER_CORE}
     * @throws IllegalStateException if a thread cannot be started, or the budget has too few left;
     *     none is left then
     */
    public WorkStealingScheduler build() {
      return new WorkStealingScheduler(
          switch (flavor) {
            case WORK_STEALING -> new Pool(config());
            case THREAD_PER_CORE -> new PerCorePools(config());
          },
          true);
    }

    private int effectiveMaxThreads() {
      boolean perCore = flavor == Flavor.THREAD_PER_CORE;
      if (perCore && maxThreads != 0 && maxThreads != parallelism) {
        throw new IllegalArgumentException(
            "maxThreads must be the parallelism "
                + parallelism
                + " with a thread per core: "
                + maxThreads);
      }
      int twice = Math.min(2 * parallelism, MAX_PARALLELISM);
      int byDefault = perCore ? parallelism : Math.max(twice, DEFAULT_MAX_THREADS);
      return maxThreads != 0 ? maxThreads : byDefault;
    }

    /**
     * Makes a scheduler without threads, whose tasks run on whichever thread calls {@link
     * CurrentThreadScheduler#runUntil}. It has one worker, no spares and no sentinel. What is said
     * here about threads, their number, their {@link #threadBudget}, {@code keepAlive}, {@code
     * daemon}, {@code priority} and {@code contextClassLoader}, has no effect on it, and it calls
     * no hooks. The builder stays as it is, for other schedulers.
     *
     * @return a new scheduler, which takes nothing of a budget
     * @throws IllegalStateException if a thread factory was given, which would never be asked, or
     *     {@link Flavor#THREAD_PER_CORE}, which is about several threads
     */
    public CurrentThreadScheduler buildForCurrentThread() {
      if (threadFactory != null) {
        throw new IllegalStateException(
            "a scheduler for the current thread makes no threads, but was given " + threadFactory);
      }
      if (flavor != Flavor.WORK_STEALING) {
        throw new IllegalStateException(
            "a scheduler for the current thread has no threads, but was given the flavor "
                + flavor);
      }
      Pool pool = poolWithoutThreads();
      return new CurrentThreadScheduler(
          new WorkStealingScheduler(pool, true), Objects.requireNonNull(pool.caller()));
    }

    Pool poolWithoutThreads() {
      SchedulerTuning unwatched = tuning.withSentinel(0, 0);
      return new Pool(config(1, 1, null, Thread::currentThread, unwatched, true));
    }

    /** Where all its threads are; null: where they are made. */
    Builder group(ThreadGroup topmost) {
      this.group = topmost;
      return this;
    }

    PoolConfig config() {
      if (maxThreads != 0 && maxThreads < parallelism) {
        throw new IllegalArgumentException(
            "maxThreads must not be below parallelism " + parallelism + ": " + maxThreads);
      }
      if (threadBudget != null && threadBudget.threads() < parallelism) {
        throw new IllegalArgumentException(
            "parallelism must not be above the threads of the budget, "
                + threadBudget.threads()
                + ": "
                + parallelism);
      }
      return config(parallelism, effectiveMaxThreads(), threadBudget, locator, tuning, false);
    }

    private PoolConfig config(
        int workers,
        int threads,
        @Nullable ThreadBudget budget,
        CurrentThreadLocator where,
        SchedulerTuning tuned,
        boolean onCaller) {
      return new PoolConfig(
          name != null ? name : "catnap-" + NUMBER.incrementAndGet(),
          workers,
          threads,
          budget != null ? budget.permits() : null,
          toNanos(keepAlive),
          daemon,
          threadFactory != null ? threadFactory : WorkerThreadFactory.platform(daemon),
          where,
          handler,
          tuned,
          threads(),
          onCaller);
    }

    private ThreadSettings threads() {
      ClassLoader forHelpers = contextClassLoader;
      if (forHelpers == null) {
        forHelpers = Thread.currentThread().getContextClassLoader();
      }
      return new ThreadSettings(hooks, priority, contextClassLoader, forHelpers, group);
    }

    private static long toNanos(Duration d) {
      return d.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? d.toNanos() : Long.MAX_VALUE;
    }
  }
}
