package dev.catnap.coroutines;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Delay;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.DisposableHandle;
import kotlinx.coroutines.ExecutorCoroutineDispatcher;
import org.jspecify.annotations.Nullable;

/**
 * Runs coroutines on the workers of a {@link WorkStealingScheduler}.
 *
 * <p><b>Order.</b> A coroutine resumed by another one runs next on the same worker, unless an idle
 * worker takes it first. {@code yield()} puts a coroutine behind all that waits. There is no
 * starvation either way: see {@link dev.catnap.spi.SchedulerTuning}.
 *
 * <p><b>Identity.</b> There is one dispatcher per scheduler: {@link #of} returns the same object
 * every time, as long as anybody holds it, so {@code
 * withContext(WorkStealingDispatcher.of(scheduler))} on that scheduler does not dispatch.
 *
 * <p><b>Thread per core.</b> On a scheduler with {@link dev.catnap.Flavor#THREAD_PER_CORE} a
 * coroutine never moves: it goes on where it was launched, on the worker that launched it, or on
 * any worker if that was elsewhere, until it is complete. So do the scopes that it opens; a child
 * that it launches lives where that happens. A coroutine that was started without a dispatch
 * ({@code CoroutineStart.UNDISPATCHED}) gets its home when it is first resumed, that of its nearest
 * ancestor if it has one; a coroutine whose context has no {@code Job} has none.
 *
 * <p><b>Time.</b> {@code delay} uses timers of the scheduler, measured with the monotonic clock;
 * they do not fire early, and a cancelled one leaves nothing behind. {@code withTimeout} and {@code
 * onTimeout} use the timer thread of kotlinx.coroutines, as on {@code Dispatchers.Default}: they
 * end a loop over {@code isActive} even if every worker is in one.
 *
 * <p><b>Closing.</b> {@link #close} shuts the scheduler down. From then on a coroutine that would
 * be dispatched is cancelled and completes on {@code Dispatchers.IO}; it neither hangs nor goes on
 * as if nothing had happened. {@code dispatch} itself does not throw; a task for which there is no
 * memory in a queue is treated in the same way.
 *
 * <p>Thread-safe. What a thread did before it dispatched a task happens-before the task.
 */
public final class WorkStealingDispatcher extends ExecutorCoroutineDispatcher
    implements Delay, Views {

  /** No worker. */
  private static final int ANY = -1;

  private final WorkStealingScheduler scheduler;
  private final SchedulerAdapter adapter;
  private final int maxThreads;
  private final CoroutineTimers timers;
  private final Fallback fallback;
  private final CoroutineDispatcher io;

  /** Null: workers steal. */
  private final @Nullable Homes homes;

  /** One for each home. */
  private final List<CoroutineTimers> homeTimers;

  private final LowPriorityView lowPriority;
  private final Executor executor;

  /** The scheduler does not hold it. */
  private final Face face = new Face(this);

  /** What tasks find as context class loader; null: that of the worker. */
  private final @Nullable ClassLoader loader;

  /** By worker: where what it was refused goes; made when it is. */
  private final ConcurrentHashMap<Integer, Lane> exits = new ConcurrentHashMap<>();

  private WorkStealingDispatcher(
      WorkStealingScheduler scheduler,
      Supplier<CoroutineDispatcher> elsewhere,
      @Nullable Executor executor,
      @Nullable ClassLoader loader) {
    this.scheduler = scheduler;
    this.executor =
        executor != null ? executor : task -> dispatch(EmptyCoroutineContext.INSTANCE, task);
    this.loader = loader;
    this.adapter = scheduler.adapter();
    this.maxThreads = scheduler.stats().maxThreads();
    this.fallback = new Fallback(this, elsewhere);
    this.timers = new CoroutineTimers(adapter, fallback, loader);
    List<SchedulerAdapter> workers = adapter.homes();
    this.homes = workers.isEmpty() ? null : new Homes(adapter);
    this.homeTimers = workers.stream().map(w -> new CoroutineTimers(w, fallback, loader)).toList();
    this.io = homes == null ? Lane.io(this) : OutsideLane.io(this);
    this.lowPriority = new LowPriorityView(this);
  }

  /**
   * The dispatcher of a scheduler.
   *
   * @param scheduler where the coroutines run
   * @return the same object for the same scheduler, as long as anybody holds it; a coroutine on it
   *     does
   * @throws IllegalStateException if the system property {@code kotlinx.coroutines.io.parallelism}
   *     is not a number above zero
   */
  public static WorkStealingDispatcher of(WorkStealingScheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler");
    return scheduler
        .adapter()
        .attach(
            Face.class,
            () -> new WorkStealingDispatcher(scheduler, Dispatchers::getIO, scheduler, null).face)
        .dispatcher;
  }

  /**
   * One more dispatcher of a scheduler that nobody closes. The scheduler does not know of it: a
   * scheduler of the JVM would otherwise keep the class loader of an application that is gone.
   *
   * @param elsewhere where tasks go for which there is no memory in a queue
   * @param loader what tasks find as context class loader; null: that of the worker
   */
  static WorkStealingDispatcher detached(
      WorkStealingScheduler scheduler,
      CoroutineDispatcher elsewhere,
      @Nullable ClassLoader loader) {
    return new WorkStealingDispatcher(scheduler, () -> elsewhere, null, loader);
  }

  /** What a scheduler knows of its dispatcher. */
  private record Face(WorkStealingDispatcher dispatcher) implements TaskReclaimer {
    @Override
    public boolean reclaim(Runnable task) {
      return dispatcher.reclaim(task);
    }
  }

  // ---- dispatching -----------------------------------------------------------------------------

  @Override
  public void dispatch(CoroutineContext context, Runnable block) {
    publish(context, block, Placement.NEXT);
  }

  /** Puts the block behind all that waits on this worker, injected tasks included. */
  @Override
  public void dispatchYield(CoroutineContext context, Runnable block) {
    publish(context, block, Placement.YIELDED);
  }

  void publish(CoroutineContext context, Runnable block, Placement placement) {
    Runnable task = block;
    int worker = ANY;
    Throwable cause = null;
    boolean accepted = false;
    try {
      task = taskOf(context, block);
      Homes all = homes;
      SchedulerAdapter where = adapter;
      if (all != null) {
        worker = all.homeOf(context, block);
        where = all.worker(worker);
      }
      accepted = where.publish(task, placement);
    } catch (OutOfMemoryError e) {
      cause = e; // to throw it would leave the coroutine suspended for ever
    }
    if (!accepted) {
      refused(worker, context, task, cause);
    }
  }

  /** To one worker, or cancelled: it must not run on another of them. */
  void publishTo(int worker, CoroutineContext context, Runnable block) {
    Runnable task = block;
    Throwable cause = null;
    boolean accepted = false;
    try {
      task = new ConfinedTask(worker, context, block, loader);
      accepted = adapter.publishTo(worker, task);
    } catch (OutOfMemoryError | IllegalStateException e) {
      cause = e; // as above
    }
    if (!accepted) {
      refused(worker, context, task, cause);
    }
  }

  private void refused(
      int worker, CoroutineContext context, Runnable task, @Nullable Throwable cause) {
    adapter.ensureStack();
    fallback.cancelJob(context, cause);
    leave(worker, context, task);
  }

  /** What a worker does not run goes on elsewhere, where it keeps what it was promised. */
  private void leave(int worker, CoroutineContext context, Runnable task) {
    Lane exit = null;
    try {
      exit = worker == ANY ? null : exits.computeIfAbsent(worker, w -> Lane.exit(this, w));
    } catch (OutOfMemoryError e) {
      // To lose it is worse than to run it beside others.
    }
    if (exit == null) {
      fallback.run(context, task);
    } else {
      exit.leave(context, task);
    }
  }

  /** What the scheduler gets for a block. */
  Runnable taskOf(CoroutineContext context, Runnable block) {
    return loader == null
        ? ContextTask.of(context, block)
        : ContextTask.withLoader(context, block, loader);
  }

  /**
   * A view of this dispatcher that runs at most {@code parallelism} tasks at once, in the order in
   * which they were dispatched. With a thread per core these are so many workers, each with an
   * order of its own, on which the coroutines of the view live.
   *
   * @param parallelism how many, at least 1
   * @param name what the view's {@code toString} returns, or null
   * @return the view; this dispatcher itself if {@code parallelism} is above 1, not below that of
   *     the scheduler, and there is no name. That is no limit on tasks that block, since spares
   *     replace their workers: for these take a view of {@link #io()}
   * @throws IllegalArgumentException if {@code parallelism} is below 1
   */
  @Override
  public CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String name) {
    Lane.checkParallelism(parallelism);
    if (isLimit(parallelism)) {
      return homes == null
          ? Lane.view(this, parallelism, name)
          : PerCoreView.of(this, this, parallelism, false, name);
    }
    return name == null ? this : new DelegatingDispatcher(name, () -> this);
  }

  /**
   * Whether there can be more at once. One is always a limit: it is used for mutual exclusion,
   * which must hold on a single worker too, when that blocks and a spare runs.
   */
  boolean isLimit(int parallelism) {
    return parallelism == 1 || parallelism < scheduler.parallelism();
  }

  /**
   * A view whose coroutines give way to the scheduler's other work, or do not.
   *
   * @param priority which
   * @return always the same object for {@link Priority#LOW}; this dispatcher for {@link
   *     Priority#NORMAL}
   */
  public CoroutineDispatcher withPriority(Priority priority) {
    return switch (Objects.requireNonNull(priority, "priority")) {
      case NORMAL -> this;
      case LOW -> lowPriority;
    };
  }

  /**
   * A view whose coroutines run on one worker, one at a time, in the order in which they were
   * dispatched, and never on another thread: what only they use needs no synchronisation between
   * their suspensions. See {@link WorkStealingScheduler#confinedTo} for what they wait for.
   *
   * @param worker 0 to the scheduler's parallelism - 1
   * @return the view; those of the same worker are equal
   * @throws IllegalArgumentException if there is no such worker
   */
  public CoroutineDispatcher confinedTo(int worker) {
    Executor ignored = scheduler.confinedTo(worker); // the check, and its message
    return new ConfinedView(this, worker);
  }

  /**
   * A dispatcher for blocking tasks, on the same threads. Each of its tasks is a declared blocking
   * section: while it runs, a spare worker keeps the other coroutines going, up to the scheduler's
   * {@code maxThreads}. {@code withContext(io())} needs no switch of threads.
   *
   * <p>At most 64 tasks run at once, or as many as there are processors if that is more; the system
   * property {@code kotlinx.coroutines.io.parallelism} sets another limit. More wait in order of
   * arrival. Its {@code limitedParallelism} views are elastic: they have their own limit, above 64
   * too, and do not share the 64. All of them together never take so many threads that fewer than
   * the scheduler's parallelism are left to run other tasks (where {@code maxThreads} equals the
   * parallelism, one blocking task is still let through).
   *
   * <p>A task begins at once, also while every worker computes: a spare runs it then, as long as
   * there are fewer threads than {@code maxThreads}. Only what a coroutine launches in the first
   * 0.1 ms of its turn waits for that to suspend, since it mostly does.
   *
   * <p>With a thread per core its threads are those of {@code Dispatchers.IO}, with the same limit:
   * a worker that blocked would keep everything waiting that belongs to it. The end of the
   * scheduler does not wait for them.
   *
   * @return always the same object
   */
  public CoroutineDispatcher io() {
    return io;
  }

  // ---- time ------------------------------------------------------------------------------------

  @Override
  public void scheduleResumeAfterDelay(
      long timeMillis, CancellableContinuation<? super Unit> continuation) {
    resumeAfter(timeMillis, continuation, this);
  }

  /** On behalf of a dispatcher that dispatches to this one. */
  void resumeAfter(
      long millis,
      CancellableContinuation<? super Unit> continuation,
      CoroutineDispatcher dispatcher) {
    timersOf(continuation).resumeAfter(millis, continuation, dispatcher);
  }

  private CoroutineTimers timersOf(CancellableContinuation<? super Unit> continuation) {
    return homes == null
        ? timers
        : homeTimers.get(homes.homeOf(continuation.getContext(), continuation));
  }

  @Override
  public DisposableHandle invokeOnTimeout(
      long timeMillis, Runnable block, CoroutineContext context) {
    return timers.runAfter(timeMillis, block, context);
  }

  // ---- life ------------------------------------------------------------------------------------

  /**
   * The scheduler, which is also what {@code asExecutor()} returns. {@code asCoroutineDispatcher()}
   * on it gives kotlinx.coroutines' general wrapper, not this dispatcher: use {@link #of}.
   *
   * @return the scheduler
   */
  @Override
  public Executor getExecutor() {
    return executor;
  }

  /**
   * Shuts the scheduler down, as the dispatchers made by {@code asCoroutineDispatcher()} do, and
   * returns at once: accepted tasks run, new ones are refused. To wait for the end, close the
   * scheduler. Can be called from anywhere, a coroutine on this dispatcher included, and again.
   *
   * @throws UnsupportedOperationException if this is the dispatcher of the common scheduler
   */
  @Override
  public void close() {
    scheduler.shutdown();
  }

  /**
   * Tells where work is stuck, for a log or a terminal: what waits, in {@link #io()} too, and for
   * each worker what it does, with the stack of those that run a task.
   *
   * @return several lines, in no format to be relied on
   */
  public String dump() {
    return scheduler.dump() + describeIo() + '\n';
  }

  private String describeIo() {
    return io instanceof Lane lane ? lane.describe() : "io: on the threads of Dispatchers.IO";
  }

  /** The state of the scheduler, in one line. */
  @Override
  public String toString() {
    return "WorkStealingDispatcher[" + scheduler + "]";
  }

  /** Called by {@code shutdownNow} for each task that it found. */
  private boolean reclaim(Runnable task) {
    if (task instanceof LaneRunner runner) {
      runner.evict();
      return true;
    }
    CoroutineContext context = ContextTask.contextOf(task);
    if (context == null) {
      return timers.reclaim(task);
    }
    int worker = workerOf(context, task);
    if (worker == ANY) {
      fallback.cancelAndRun(task);
    } else {
      adapter.ensureStack();
      // Told at once, though its turn may come late: behind what the worker runs at this moment.
      fallback.run(() -> fallback.cancelJobOf(task));
      leave(worker, context, () -> fallback.cancelAndRunHere(task));
    }
    return true;
  }

  /** The one worker that a task that was accepted could run on. */
  private int workerOf(CoroutineContext context, Runnable task) {
    if (task instanceof ConfinedTask confined) {
      return confined.worker;
    }
    return homes == null ? ANY : homes.homeOf(context, task);
  }

  // ---- for lanes -------------------------------------------------------------------------------

  SchedulerAdapter adapter() {
    return adapter;
  }

  CoroutineTimers timers() {
    return timers;
  }

  Fallback fallback() {
    return fallback;
  }

  /** How many tasks may block at once while all others still have their threads. */
  int blockingLimit() {
    return Math.max(1, maxThreads - scheduler.parallelism());
  }

  /** Whether a coroutine goes on where it was launched. */
  boolean isPerCore() {
    return homes != null;
  }

  /** Coroutines whose home is remembered. */
  int coroutinesAtHome() {
    return homes == null ? 0 : homes.size();
  }

  boolean isClosed() {
    return scheduler.isShutdown();
  }
}
