package dev.catnap.loom;

import dev.catnap.Flavor;
import dev.catnap.ThreadBudget;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.WorkerHooks;
import dev.catnap.loom.internal.CommonCarriers;
import dev.catnap.loom.internal.WorkerRig;
import dev.catnap.spi.SchedulerTuning;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads on the workers of a {@link WorkStealingScheduler}. The same workers also run what
 * {@link #scheduler} is given, coroutines for example.
 *
 * <p><b>Options of the JVM.</b> {@code --add-opens java.base/java.lang=ALL-UNNAMED} is needed, and
 * {@code --add-exports java.base/jdk.internal.misc=ALL-UNNAMED} for {@link Mode#CARRIER_THREADS};
 * {@code dev.catnap.loom} instead of {@code ALL-UNNAMED} if this library is on the module path.
 * What is missing is said in one sentence by an {@link IllegalStateException}, or by an {@link
 * UnsupportedOperationException} if the JDK has no way in at all.
 *
 * <p><b>Virtual threads.</b> A virtual thread that a virtual thread of this pool starts belongs to
 * this pool too, however it is started; one that a task of another kind starts is the JDK's, unless
 * it is made by a method of this pool. They run in the order in which they become ready, first in,
 * first out, as far as one worker is concerned; a yield lets all that is ready on its worker go
 * first. {@code execute}, {@code submit} and {@code schedule} of {@link #scheduler} called inside a
 * virtual thread use the queue of the worker that carries it; {@link
 * WorkStealingScheduler#blocking} inside one just calls the section.
 *
 * <p><b>Thread per core.</b> With {@link Flavor#THREAD_PER_CORE} a virtual thread never moves to
 * another carrier: it stays on that which carried its creator, or on any, by chance, if that was
 * elsewhere. One that pins its carrier, or blocks it, keeps all those waiting that live there: no
 * carrier is replaced.
 *
 * <p><b>The end.</b> After {@link #close} no virtual thread starts: {@code Thread.start} throws
 * {@link java.util.concurrent.RejectedExecutionException}. Those that were started before and are
 * parked, asleep or waiting for a monitor at that time are not waited for, unless they are pinned
 * there, and not lost either: when they go on, they do so on the JDK's default scheduler. So do
 * those that {@link WorkStealingScheduler#shutdownNow} finds in the queues; it interrupts none, and
 * one that runs is waited for until it leaves its carrier. To wait for all of them, use {@link
 * #newThreadPerTaskExecutor} and close that first.
 *
 * <p><b>Memory effects.</b> Those of the JDK: what happens before a start or an unpark is visible
 * to the virtual thread.
 *
 * <p>Thread-safe. Methods throw {@link NullPointerException} for null arguments.
 */
public final class CarrierPool implements AutoCloseable {

  /** What the workers are to the JDK. */
  public enum Mode {
    /**
     * Carrier threads, as those of the JDK's default scheduler. Sleeps and time limits run on the
     * scheduler's own timers, and a virtual thread that yields goes behind tasks from outside also
     * on JDKs that do not show that it yields.
     *
     * <p>Deviations for tasks that are no virtual threads: {@code ForkJoinTask.fork} and parallel
     * streams in such a task run on its worker alone, and {@code ForkJoinPool.managedBlock} gets no
     * spare thread.
     */
    CARRIER_THREADS,
    /**
     * Platform threads of no special class, without those deviations. Virtual threads have fewer
     * privileges: sleeps and time limits run on the one or few timer threads that the JDK keeps for
     * all custom schedulers, and one that blocks in file, DNS or process I/O is not announced to
     * the scheduler.
     */
    PLATFORM_THREADS
  }

  /** A virtual thread that waits for it leaves its carrier. */
  private static final ReentrantLock MAKING_COMMON = new ReentrantLock();

  private static volatile @Nullable CarrierPool common;

  private final WorkStealingScheduler scheduler;
  private final WorkerRig rig;

  private CarrierPool(WorkStealingScheduler scheduler, WorkerRig rig) {
    this.scheduler = scheduler;
    this.rig = rig;
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
   * A pool with the defaults.
   *
   * @return a new one, its workers started
   * @throws IllegalStateException if the JVM lacks an option, which the message names, or a thread
   *     cannot be started
   * @throws UnsupportedOperationException if this JDK has no way to choose the scheduler of virtual
   *     threads
   */
  public static CarrierPool create() {
    return builder().build();
  }

  /**
   * Virtual threads on {@link WorkStealingScheduler#common}. It cannot be closed; {@link
   * WorkStealingScheduler#shutdownCommon} ends it, for tests and containers. After that no virtual
   * thread starts, and those that are not over go on on the JDK's default scheduler, as after
   * {@link #close} of another pool.
   *
   * @return always the same
   * @throws IllegalStateException if the JVM lacks an option, which the message names, or a thread
   *     cannot be started, or the common scheduler was made without this library, as where that is
   *     not in the class loader in which Catnap's core is
   * @throws UnsupportedOperationException if this JDK has no way to choose the scheduler of virtual
   *     threads
   */
  public static CarrierPool common() {
    CarrierPool made = common;
    return made != null ? made : makeCommon();
  }

  /** Not by the initialiser of a class: a first use that fails is not the last. */
  private static CarrierPool makeCommon() {
    WorkStealingScheduler scheduler = WorkStealingScheduler.common();
    WorkerRig rig = CommonCarriers.rig();
    MAKING_COMMON.lock();
    try {
      CarrierPool made = common;
      if (made == null) {
        rig.servePollers();
        made = new CarrierPool(scheduler, rig);
        common = made;
      }
      return made;
    } finally {
      MAKING_COMMON.unlock();
    }
  }

  /**
   * The scheduler underneath, for tasks of other kinds on the same workers.
   *
   * @return always the same
   */
  public WorkStealingScheduler scheduler() {
    return scheduler;
  }

  /**
   * What its workers are to the JDK.
   *
   * @return the mode, fixed when it was built
   */
  public Mode mode() {
    return rig.isCarriers() ? Mode.CARRIER_THREADS : Mode.PLATFORM_THREADS;
  }

  /**
   * Makes virtual threads on this pool; with a thread per core, all those of one builder on one
   * carrier: that under the caller of this method, or any. {@link #threadFactory} chooses for each.
   *
   * @return a new builder, not thread-safe, as any of the JDK
   */
  public Thread.Builder.OfVirtual ofVirtual() {
    return rig.newBuilder();
  }

  /**
   * Makes virtual threads on this pool, without names.
   *
   * @return a new factory, thread-safe
   */
  public ThreadFactory threadFactory() {
    return rig.newFactory();
  }

  /**
   * Runs each task in a new virtual thread on this pool. Its {@code close} waits for them; close it
   * before the pool.
   *
   * @return a new executor
   */
  public ExecutorService newThreadPerTaskExecutor() {
    return Executors.newThreadPerTaskExecutor(threadFactory());
  }

  /**
   * Closes the scheduler: no virtual thread starts, no task is accepted, what is ready runs, and
   * the workers end. Waits for that, unless called on a worker or in a virtual thread that one of
   * them carries. Virtual threads that are not ready at that time go on elsewhere, see above. Can
   * be called more than once.
   *
   * @throws UnsupportedOperationException on the common pool
   */
  @Override
  public void close() {
    scheduler.close();
  }

  /** The mode and the state of the scheduler, in one line. */
  @Override
  public String toString() {
    return "CarrierPool " + mode() + " on " + scheduler;
  }

  /** Settings of a pool to be made. Not thread-safe. */
  public static final class Builder {
    private final WorkStealingScheduler.Builder settings = WorkStealingScheduler.builder();
    private boolean daemon = true;
    private Flavor flavor = Flavor.WORK_STEALING;
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private @Nullable Mode mode;

    private Builder() {}

    /**
     * Prefix of the names of the worker threads; {@code catnap-} and a number by default.
     *
     * @param name not blank
     * @return this
     * @throws IllegalArgumentException if blank
     */
    public Builder name(String name) {
      settings.name(name);
      return this;
    }

    /**
     * How many virtual threads and other tasks run at once; the number of available processors by
     * default.
     *
     * @param parallelism 1 to {@link WorkStealingScheduler#MAX_PARALLELISM}
     * @return this
     * @throws IllegalArgumentException if out of that range
     */
    public Builder parallelism(int parallelism) {
      settings.parallelism(parallelism);
      this.parallelism = parallelism;
      return this;
    }

    /**
     * How virtual threads are spread; {@link Flavor#WORK_STEALING} by default.
     *
     * @param flavor the flavor
     * @return this
     */
    public Builder flavor(Flavor flavor) {
      settings.flavor(flavor);
      this.flavor = flavor;
      return this;
    }

    /**
     * How many worker threads there may be, with those that are blocked; 256 by default, or twice
     * the parallelism if that is more.
     *
     * @param maxThreads from the parallelism to {@link WorkStealingScheduler#MAX_PARALLELISM}
     * @return this
     * @throws IllegalArgumentException if out of the range of a count
     */
    public Builder maxThreads(int maxThreads) {
      settings.maxThreads(maxThreads);
      return this;
    }

    /**
     * Threads that it shares with other pools and schedulers, see {@link
     * WorkStealingScheduler.Builder#threadBudget}; by default it shares none.
     *
     * @param budget the budget
     * @return this
     */
    public Builder threadBudget(ThreadBudget budget) {
      settings.threadBudget(budget);
      return this;
    }

    /**
     * How long a thread that stood in for a blocked one waits for the next time before it ends; 30
     * s by default.
     *
     * @param keepAlive not negative
     * @return this
     * @throws IllegalArgumentException if negative
     */
    public Builder keepAlive(Duration keepAlive) {
      settings.keepAlive(keepAlive);
      return this;
    }

    /**
     * Whether the JVM may exit while the workers run; true by default. Virtual threads never keep
     * it from that.
     *
     * @param daemon whether worker threads are daemons
     * @return this
     */
    public Builder daemon(boolean daemon) {
      this.daemon = daemon;
      settings.daemon(daemon);
      return this;
    }

    /**
     * Receives what tasks of the scheduler throw that are no virtual threads; those have a handler
     * of their own.
     *
     * @param handler the handler
     * @return this
     */
    public Builder uncaughtExceptionHandler(Thread.UncaughtExceptionHandler handler) {
      settings.uncaughtExceptionHandler(handler);
      return this;
    }

    /**
     * Called on worker threads when they start, park, unpark and stop: on the carrier itself, never
     * in a virtual thread. Nothing by default.
     *
     * @param hooks thread-safe
     * @return this
     */
    public Builder hooks(WorkerHooks hooks) {
      settings.hooks(hooks);
      return this;
    }

    /**
     * Priority of worker threads; {@link Thread#NORM_PRIORITY} by default. That of a virtual thread
     * is always {@link Thread#NORM_PRIORITY}, as the JDK has it.
     *
     * @param priority {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
     * @return this
     * @throws IllegalArgumentException if out of that range
     */
    public Builder priority(int priority) {
      settings.priority(priority);
      return this;
    }

    /**
     * Context class loader of worker threads, for tasks that are no virtual threads; by default
     * that of the thread that builds the pool. A virtual thread has that of the thread that made
     * it.
     *
     * @param loader the loader
     * @return this
     */
    public Builder contextClassLoader(ClassLoader loader) {
      settings.contextClassLoader(loader);
      return this;
    }

    /**
     * Other sizes and rounds, for experiments.
     *
     * @param tuning the values
     * @return this
     */
    public Builder tuning(SchedulerTuning tuning) {
      settings.tuning(tuning);
      return this;
    }

    /**
     * What the workers are to the JDK. By default the better of what the options of the JVM allow.
     *
     * @param mode the mode that is wanted, and no other
     * @return this
     */
    public Builder mode(Mode mode) {
      this.mode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /**
     * Makes the pool and starts its workers.
     *
     * @return a new pool
     * @throws IllegalArgumentException if {@code maxThreads} is below {@code parallelism}, or not
     *     equal to it with {@link Flavor#THREAD_PER_CORE}
     * @throws IllegalStateException if the JVM lacks an option, which the message names, or a
     *     thread cannot be started
     * @throws UnsupportedOperationException if this JDK has no way to choose the scheduler of
     *     virtual threads
     */
    public CarrierPool build() {
      WorkerRig rig = rig();
      return new CarrierPool(rig.build(settings, daemon), rig);
    }

    private WorkerRig rig() {
      int seats = flavor == Flavor.THREAD_PER_CORE ? parallelism : 1;
      if (mode == null) {
        return WorkerRig.best(seats);
      }
      return switch (mode) {
        case CARRIER_THREADS -> WorkerRig.carrierThreads(seats);
        case PLATFORM_THREADS -> WorkerRig.platformThreads(seats);
      };
    }
  }
}
