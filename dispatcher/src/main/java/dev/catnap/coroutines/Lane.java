package dev.catnap.coroutines;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.jvm.internal.CoroutineStackFrame;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Delay;
import kotlinx.coroutines.DispatchersKt;
import kotlinx.coroutines.DisposableHandle;
import kotlinx.coroutines.Job;
import org.jspecify.annotations.Nullable;

/**
 * A dispatcher that runs at most so many tasks at once, in the order of arrival, on the workers of
 * a {@link WorkStealingDispatcher}. It is what {@code limitedParallelism} returns.
 *
 * <p>Lanes can be stacked: what a lane publishes, its {@link LaneRunner}s, are tasks of the lane
 * below, or of the scheduler. All blocking lanes stand on one that is not visible, the <i>blocking
 * floor</i>, whose runners declare what they do as blocking. It has as many permits as threads can
 * block while enough are left for everything else.
 *
 * <p>kotlinx.coroutines' own views would do for most of this, but they hand over tasks of many
 * coroutines as one: a closed scheduler could not cancel them, an interrupt or a thread name left
 * behind by one coroutine would be seen by the next, and {@code shutdownNow} would strand them.
 *
 * <p>Thread-safe.
 */
final class Lane extends CoroutineDispatcher implements Delay, Views {
  /** As Dispatchers.IO: enough for ordinary blocking calls, few enough to be affordable. */
  private static final int DEFAULT_IO_LIMIT = 64;

  /** What the permits of this lane are for. */
  private enum Kind {
    /** Made by {@code limitedParallelism}. */
    VIEW,
    /** {@code io()}: its views are not its own but stand on the floor. */
    IO,
    /** All blocking tasks of the scheduler. */
    FLOOR,
    /** What one worker was refused. */
    EXIT
  }

  private final WorkStealingDispatcher home;

  /** Publishes runners: the scheduler, or one of its workers. */
  private final SchedulerAdapter where;

  /** Of an exit: whose. */
  private final int worker;

  private final @Nullable Lane below;
  private final Kind kind;
  private final int limit;
  private final boolean lowPriority;
  private final @Nullable String name;
  private final PermitQueue queue;

  /** It stands on the floor, or is it. */
  private final boolean mayBlock;

  private Lane(
      WorkStealingDispatcher home,
      SchedulerAdapter where,
      @Nullable Lane below,
      Kind kind,
      int limit,
      boolean lowPriority,
      @Nullable String name,
      Queue<Runnable> waiting,
      int worker) {
    this.home = home;
    this.where = where;
    this.worker = worker;
    this.below = below;
    this.kind = kind;
    this.limit = limit;
    this.lowPriority = lowPriority;
    this.name = name;
    this.queue = new PermitQueue(limit, waiting);
    this.mayBlock = kind == Kind.FLOOR || (below != null && below.mayBlock);
  }

  private Lane(
      WorkStealingDispatcher home,
      SchedulerAdapter where,
      @Nullable Lane below,
      Kind kind,
      int limit,
      boolean lowPriority,
      @Nullable String name) {
    this(home, where, below, kind, limit, lowPriority, name, new ConcurrentLinkedQueue<>(), -1);
  }

  /** A view of the dispatcher whose tasks wait there: an empty, concurrent FIFO queue. */
  static Lane view(WorkStealingDispatcher home, int limit, Queue<Runnable> waiting) {
    return new Lane(home, home.adapter(), null, Kind.VIEW, limit, false, null, waiting, -1);
  }

  /** A view of the dispatcher. */
  static Lane view(WorkStealingDispatcher home, int limit, @Nullable String name) {
    return new Lane(home, home.adapter(), null, Kind.VIEW, limit, false, name);
  }

  /** One task at a time, on a worker from which it does not move. */
  static Lane onWorker(
      WorkStealingDispatcher home, int worker, boolean lowPriority, @Nullable String name) {
    SchedulerAdapter where = home.adapter().homes().get(worker);
    return new Lane(home, where, null, Kind.VIEW, 1, lowPriority, name);
  }

  /** The same, giving way to all other work. */
  static Lane lowPriorityView(WorkStealingDispatcher home, int limit, @Nullable String name) {
    return new Lane(home, home.adapter(), null, Kind.VIEW, limit, true, name);
  }

  /**
   * The way out of what one worker was refused. It was promised that no two of a worker's tasks run
   * at once: so its runner goes to the worker first, behind what that has accepted, and from there
   * elsewhere, where it runs one task at a time.
   */
  static Lane exit(WorkStealingDispatcher home, int worker) {
    SchedulerAdapter where = home.isPerCore() ? home.adapter().homes().get(worker) : home.adapter();
    Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    return new Lane(home, where, null, Kind.EXIT, 1, false, null, waiting, worker);
  }

  /** The lane for blocking tasks. */
  static Lane io(WorkStealingDispatcher home) {
    SchedulerAdapter where = home.adapter();
    Lane floor = new Lane(home, where, null, Kind.FLOOR, home.blockingLimit(), false, null);
    return new Lane(home, where, floor, Kind.IO, ioLimit(), false, null);
  }

  /** How many tasks may block at once in {@code io()}. */
  static int ioLimit() {
    String property = DispatchersKt.IO_PARALLELISM_PROPERTY_NAME;
    String value = System.getProperty(property);
    if (value == null) {
      return Math.max(DEFAULT_IO_LIMIT, Runtime.getRuntime().availableProcessors());
    }
    try {
      int limit = Integer.parseInt(value);
      if (limit >= 1) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Told below, like any other value that cannot be used.
    }
    throw new IllegalStateException(
        "system property " + property + " must be a number above zero: '" + value + "'");
  }

  /** As everywhere in kotlinx.coroutines. */
  static void checkParallelism(int parallelism) {
    if (parallelism < 1) {
      throw new IllegalArgumentException(
          "Expected positive parallelism level, but got " + parallelism);
    }
  }

  @Override
  public CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String viewName) {
    checkParallelism(parallelism);
    if (kind == Kind.IO) {
      return new Lane(home, where, below, Kind.VIEW, parallelism, false, viewName);
    }
    if (parallelism < limit) {
      return new Lane(home, where, this, Kind.VIEW, parallelism, lowPriority, viewName);
    }
    return viewName == null ? this : new DelegatingDispatcher(viewName, () -> this);
  }

  // ---- dispatching -----------------------------------------------------------------------------

  @Override
  public void dispatch(CoroutineContext context, Runnable block) {
    accept(context, block, mayBlock && !isWaitedFor(context) ? Placement.RESUMED : Placement.NEXT);
  }

  /**
   * Whether who dispatches is likely to suspend for it, as in {@code withContext}; a coroutine that
   * was launched, or an actor, goes its own way. The job of a coroutine that another one waits for
   * has that one's stack below its own.
   */
  private static boolean isWaitedFor(CoroutineContext context) {
    return context.get(Job.Key) instanceof CoroutineStackFrame;
  }

  @Override
  public void dispatchYield(CoroutineContext context, Runnable block) {
    accept(context, block, Placement.YIELDED);
  }

  private void accept(CoroutineContext context, Runnable block, Placement placement) {
    where.ensureStack(); // not later: a permit is taken before the runner is published
    LaneRunner refused;
    try {
      if (home.isClosed()) {
        // It runs all the same, and within the limit: views are used for mutual exclusion.
        home.fallback().cancelJob(context);
        refused = submit(new LaneRunner.Refused(block), placement);
      } else {
        refused = submit(home.taskOf(context, block), placement);
      }
    } catch (OutOfMemoryError e) {
      // No room in the queue: nobody has it. To throw it would leave the coroutine suspended for
      // ever; so it ends, like one that the scheduler has no memory for, outside of the limit.
      home.fallback().cancelJob(context, e);
      home.fallback().run(context, block);
      return;
    }
    if (refused != null) {
      refused.evict(); // not in there: what this throws comes after the task was accepted
    }
  }

  /** Into an exit, for a caller that has looked at the stack and cancelled the job. */
  void leave(CoroutineContext context, Runnable block) {
    LaneRunner refused;
    try {
      refused = submit(new LaneRunner.Refused(block), Placement.QUEUED);
    } catch (OutOfMemoryError e) {
      home.fallback().run(context, block); // as above
      return;
    }
    if (refused != null) {
      refused.evict();
    }
  }

  /**
   * Throws an OutOfMemoryError only if the task was not accepted.
   *
   * @return null, or a runner that the scheduler has refused, which the caller must evict
   */
  private @Nullable LaneRunner submit(Runnable task, Placement placement) {
    LaneRunner runner = new LaneRunner(this, task); // afterwards, it would cost a permit and a task
    Runnable oldest = queue.enter(task);
    if (oldest == null) {
      return null;
    }
    runner.beginWith(oldest);
    try {
      return below != null ? below.submit(runner, placement) : publish(runner, placement);
    } catch (OutOfMemoryError | IllegalStateException e) { // this: a worker has no thread
      return runner;
    }
  }

  private @Nullable LaneRunner publish(LaneRunner runner, Placement placement) {
    boolean published =
        switch (kind) {
          case FLOOR -> where.publishDeclared(runner, placement);
          case EXIT -> home.adapter().publishContinuationTo(worker, runner);
          case VIEW, IO -> where.publish(runner, lowPriority ? Placement.BACKGROUND : placement);
        };
    return published ? null : runner;
  }

  // ---- for runners -----------------------------------------------------------------------------

  PermitQueue queue() {
    return queue;
  }

  WorkStealingDispatcher home() {
    return home;
  }

  /** Publishes what was accepted before, where its runners belong. */
  boolean republish(LaneRunner runner) {
    return where.publishContinuation(runner, placementOfNextTurn());
  }

  /**
   * For a runner of an exit that has come to the worker. What is addressed to a worker runs in its
   * order, but on a thread per core what has its home there waits elsewhere: then the runner goes
   * behind that as well, once.
   *
   * @return false: nothing is left there
   */
  boolean standBehind(LaneRunner runner) {
    return kind == Kind.EXIT
        && home.isPerCore()
        && where.publishContinuation(runner, Placement.YIELDED);
  }

  /** The lane that this one stands on; null: the scheduler. */
  @Nullable Lane below() {
    return below;
  }

  /** Where a runner goes after its turn. */
  private Placement placementOfNextTurn() {
    return lowPriority ? Placement.BACKGROUND : Placement.QUEUED;
  }

  /** Whether runners run in a section that they, or others below, have declared. */
  boolean mayBlock() {
    return mayBlock;
  }

  /** Whether runners declare that they block. */
  boolean declaresBlocking() {
    return kind == Kind.FLOOR;
  }

  /** Of {@code io()}, for dumps: how many are in it and how many wait. */
  String describe() {
    String floor = below != null ? "; everything that blocks: " + below.queue : "";
    return "io: " + queue + floor;
  }

  // ---- time ------------------------------------------------------------------------------------

  @Override
  public void scheduleResumeAfterDelay(
      long timeMillis, CancellableContinuation<? super Unit> continuation) {
    // Not on this lane: the timer fires on a worker, and the resumption is dispatched from there.
    home.timers().resumeAfter(timeMillis, continuation, home);
  }

  @Override
  public DisposableHandle invokeOnTimeout(
      long timeMillis, Runnable block, CoroutineContext context) {
    return home.timers().runAfter(timeMillis, block, context);
  }

  @Override
  public String toString() {
    if (name != null) {
      return name;
    }
    if (kind == Kind.IO) {
      return home + ".io()";
    }
    return origin() + ".limitedParallelism(" + limit + ")";
  }

  private String origin() {
    if (below != null) {
      return below.kind == Kind.FLOOR ? home + ".io()" : below.toString();
    }
    return (lowPriority ? home.withPriority(Priority.LOW) : home).toString();
  }
}
