package dev.catnap;

import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.timer.ScheduledTask;
import dev.catnap.internal.worker.Pool;
import dev.catnap.internal.worker.PoolAdapter;
import dev.catnap.internal.worker.PoolConfig;
import dev.catnap.spi.CommonSchedulerProvider;
import dev.catnap.spi.CurrentThreadLocator;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A pool of worker threads that steal from each other, sleep without a timeout while there is
 * nothing to do, and never miss a wake.
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

  private final Pool pool;
  private final SchedulerAdapter adapter;
  private final boolean closeable;

  private WorkStealingScheduler(Pool pool, boolean closeable) {
    this.pool = pool;
    this.adapter = new PoolAdapter(pool);
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
   * and it cannot be closed.
   *
   * @return always the same
   */
  public static WorkStealingScheduler common() {
    return Common.INSTANCE;
  }

  private static final class Common {
    static final WorkStealingScheduler INSTANCE = build();

    private static WorkStealingScheduler build() {
      Builder builder = builder().name("catnap");
      for (CommonSchedulerProvider provider : ServiceLoader.load(CommonSchedulerProvider.class)) {
        try {
          if (provider.configure(builder)) {
            break;
          }
        } catch (ServiceConfigurationError e) {
          throw new IllegalStateException("no common scheduler: " + e.getMessage(), e);
        }
      }
      return new WorkStealingScheduler(new Pool(builder.config()), false);
    }
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
   * any queue, and about once in 500 tasks although it has, so that background work goes on. First
   * in, first out. A task that runs is not interrupted for others.
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

  private RejectedExecutionException refused(Object task) {
    return new RejectedExecutionException(pool + " is closed and refuses " + task);
  }

  /**
   * Runs a section that blocks its thread: a spare worker takes over at once, so that the other
   * tasks of this scheduler keep as many threads as before, as long as there are fewer than {@code
   * maxThreads}. Anywhere else than on a worker of this scheduler, and in virtual threads, it just
   * calls the section.
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
    return arm(new ScheduledTask<>(pool.timers(), this::publishDue, callable), unit.toNanos(delay));
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
    return arm(
        new ScheduledTask<@Nullable Object>(pool.timers(), this::publishDue, command, null, period),
        unit.toNanos(initialDelay));
  }

  private <V extends @Nullable Object> ScheduledFuture<V> arm(
      ScheduledTask<V> task, long delayNanos) {
    if (!pool.isShutdown() && task.arm(delayNanos)) {
      return task;
    }
    throw refused(task);
  }

  private void publishDue(Runnable task) {
    if (!pool.publishContinuation(task, Placement.QUEUED)) {
      throw new AssertionError(pool + " drained while a delayed task was due");
    }
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
   * @return exactly the tasks that were accepted and will not run, save those of adapters, which
   *     take care of their own
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
   * set again at the end. Called on a worker of this scheduler it does not wait. Can be called more
   * than once.
   *
   * @throws UnsupportedOperationException on the common scheduler
   */
  @Override
  public void close() {
    checkCloseable();
    pool.shutdown();
    if (pool.isWorker()) {
      return;
    }
    boolean interrupted = false;
    for (boolean over = false; !over; ) {
      try {
        over = pool.awaitTermination(1, TimeUnit.DAYS);
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
   * afterwards. Without effect after {@link #shutdown}.
   *
   * @param parallelism 1 to {@link #maxThreads}
   * @throws IllegalArgumentException if out of that range; nothing has changed then
   */
  public void setParallelism(int parallelism) {
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
    private Duration keepAlive = DEFAULT_KEEP_ALIVE;
    private boolean daemon = true;
    private @Nullable WorkerThreadFactory threadFactory;
    private CurrentThreadLocator locator = Thread::currentThread;
    private Thread.@Nullable UncaughtExceptionHandler handler;
    private SchedulerTuning tuning = SchedulerTuning.production();

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
     * default, or the parallelism if that is more.
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
     * @throws UnsupportedOperationException for {@link Flavor#THREAD_PER_CORE}, which this version
     *     does not have
     */
    public Builder flavor(Flavor flavor) {
      if (Objects.requireNonNull(flavor, "flavor") != Flavor.WORK_STEALING) {
        throw new UnsupportedOperationException(flavor + " is not available in this version");
      }
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

    /**
     * For adapters: threads of a class of their own. {@link #daemon} is then up to the factory.
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
     * @throws IllegalArgumentException if {@code maxThreads} is below {@code parallelism}
     * @throws IllegalStateException if a thread cannot be started; none is left then
     */
    public WorkStealingScheduler build() {
      return new WorkStealingScheduler(new Pool(config()), true);
    }

    private PoolConfig config() {
      if (maxThreads != 0 && maxThreads < parallelism) {
        throw new IllegalArgumentException(
            "maxThreads must not be below parallelism " + parallelism + ": " + maxThreads);
      }
      return new PoolConfig(
          name != null ? name : "catnap-" + NUMBER.incrementAndGet(),
          parallelism,
          maxThreads != 0 ? maxThreads : Math.max(parallelism, DEFAULT_MAX_THREADS),
          toNanos(keepAlive),
          daemon,
          threadFactory != null ? threadFactory : WorkerThreadFactory.platform(daemon),
          locator,
          handler,
          tuning);
    }

    private static long toNanos(Duration d) {
      return d.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? d.toNanos() : Long.MAX_VALUE;
    }
  }
}
