package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.PaddedInt;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.fork.ForkDeque;
import dev.catnap.internal.fork.Waiter;
import dev.catnap.internal.metrics.WorkerCounters;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.queue.Inbox;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.internal.sentinel.Watched;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.Sleeper;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One worker: its queues, and the loop that runs tasks, looks for more, and sleeps. Everything here
 * is called by the worker's own thread, unless it says otherwise.
 */
class Worker extends Sleeper implements WorkerBody, Watched, Waiter {
  /** Instead of a task. */
  enum Mark implements Runnable {
    /** There is none, and never will be. */
    OVER,
    /** This worker has retired, and may have a new thread already. */
    RETIRED,
    /** Its thread has something else to do. */
    CALLED_AWAY;

    @Override
    public void run() {
      throw new AssertionError("the mark " + name() + " is not a task");
    }
  }

  /** The name of the method under which tasks run; {@link LiveThreads} looks for it in stacks. */
  static final String EXECUTE = "execute";

  final WorkerDeque deque;
  final LifoSlot slot = new LifoSlot();
  final Inbox inbox;
  final WorkerCounters counters = new WorkerCounters();
  final WorkerRight right = new WorkerRight();
  final Forks forks;
  final Turns turns;
  final Publisher publisher;
  final Intake intake;
  private final Search search;
  final Spare spare;

  /** Of who starts its thread, for that: it begins with this task, without a right to run. */
  @Nullable Runnable beginsWith;

  /** 1: the sentinel has seen that this worker does not come back to its slot. */
  private final PaddedInt slotExposed = new PaddedInt(0);

  /** 1: the sentinel has seen that this worker begins few tasks. */
  private final PaddedInt beginsFew = new PaddedInt(0);

  private final Pool pool;

  private final Sleep sleep;
  private final Lifecycle lifecycle;
  private final RunRights rights;
  final SchedulerTuning tuning;
  private final int index;
  final Containment containment = new Containment();

  /** The thread that runs the loop at present; others read it only to compare with themselves. */
  @Nullable Thread owner;

  /** What it writes in each section lies apart from what others read here. */
  private final Section section;

  /** Of the thread that runs the loop; null: there are no hooks. */
  private @Nullable HookCalls hooks;

  Worker(Pool pool, Sleep sleep, RunRights rights, SchedulerTuning tuning, int index) {
    this.pool = pool;
    this.sleep = sleep;
    this.lifecycle = pool.lifecycle();
    this.rights = rights;
    this.tuning = tuning;
    this.index = index;
    this.deque = new WorkerDeque(tuning.dequeCapacity(), tuning.initialIndex());
    this.inbox = new Inbox(tuning.segmentSize());
    this.forks = new Forks(this, pool, sleep);
    this.turns = new Turns(tuning, pool.isAlone(), tuning.clock()::nanoTime);
    this.section = new Section(this, pool);
    this.publisher = new Publisher(this, pool, sleep, tuning);
    this.intake = new Intake(this, pool);
    this.search = new Search(this, pool, sleep, tuning);
    this.spare = new Spare(this, pool, sleep);
  }

  Pool pool() {
    return pool;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public String threadName() {
    return pool.name() + "-worker-" + index;
  }

  @Override
  public @Nullable ThreadGroup threadGroup() {
    return pool.config().threads().group();
  }

  @Override
  public int queuedTasks() {
    return deque.size() + (slot.isEmpty() ? 0 : 1) + inbox.size() + forks.size();
  }

  /** The worker whose loop {@code thread} runs, of whatever pool; or null. */
  static @Nullable Worker of(Thread thread) {
    return thread instanceof WorkerThread carrier
            && carrier.worker() instanceof Worker worker
            && worker.isRunBy(thread)
        ? worker
        : null;
  }

  /** Any thread. Whether {@code thread} runs this worker's loop; one that has left it does not. */
  boolean isRunBy(Thread thread) {
    return owner == thread;
  }

  /** Any thread: a task that runs here is to notice it. */
  void interrupt() {
    Thread t = thread();
    if (t != null) {
      pool.config().locator().interrupt(t);
    }
  }

  @Override
  public void run() {
    HookCalls calls = null;
    Mark end = Mark.OVER; // also after an error of its own: the pool's end must not wait for it
    try {
      calls = begin();
      end = runTasks();
    } finally {
      if (end == Mark.OVER) {
        owner = null;
        sleep.end(this);
      }
      stop(calls);
    }
  }

  private @Nullable HookCalls begin() {
    Thread self = Thread.currentThread();
    owner = self;
    sleep.begin(this);
    boolean called = beginsWith != null;
    if (called) {
      counters.increment(Count.CALLED);
    } else {
      right.receive();
    }
    turns.resume(called);
    HookCalls calls = pool.newHookCalls(index);
    hooks = calls;
    if (calls != null) {
      calls.start();
    }
    containment.remember(self);
    section.endForgotten();
    if (called) {
      executeFirst();
    }
    return calls;
  }

  private Mark runTasks() {
    Mark end;
    do {
      end = runNext();
    } while (end == null);
    return end;
  }

  /** With the calls that its thread began with: it may run on another one already. */
  private void stop(@Nullable HookCalls calls) {
    try {
      if (calls != null) {
        calls.stop(pool.threads());
      }
    } finally {
      pool.workerEnded();
    }
  }

  private void executeFirst() {
    Runnable first = Objects.requireNonNull(beginsWith);
    beginsWith = null;
    execute(first);
  }

  /**
   * A method of its own: a frame of the interpreter keeps what its variables refer to, and a worker
   * that sleeps in {@link #nextTask} would keep its last task.
   *
   * @return null: there may be another one
   */
  final @Nullable Mark runNext() {
    Runnable task = nextTask();
    if (task == null) {
      return Mark.OVER;
    }
    if (task instanceof Mark mark) {
      return mark;
    }
    execute(task);
    return null;
  }

  // ---- running
  // -----------------------------------------------------------------------------------

  final void execute(Runnable task) {
    counters.increment(Count.EXECUTED); // before it runs: whoever it signals sees it counted
    if (containment.clearInterrupt() && lifecycle.interrupts()) {
      Thread.currentThread().interrupt();
    }
    try {
      task.run();
    } catch (Throwable t) {
      counters.increment(Count.UNCAUGHT);
      pool.reportUncaught(t);
    }
    containment.restore();
    section.endForgotten();
  }

  Section section() {
    return section;
  }

  // ---- waiting in the middle of a task: see Forks
  // ------------------------------------------------

  /** On top of a task that waits. */
  void executeNested(Runnable task) {
    int outer = section.enterNested();
    try {
      execute(task);
    } finally {
      section.leaveNested(outer);
    }
  }

  Containment.@Nullable Traits suspendTask() {
    return containment.suspend();
  }

  /** {@code interrupted}: that was for this one. */
  void resumeTask(Containment.@Nullable Traits traits, boolean interrupted) {
    containment.resume(traits);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Forked tasks first: they are what others wait for. Null: the wait is over, or this worker has
   * to think again whether it may run tasks.
   */
  @Nullable Runnable taskWhileWaiting() {
    if (!right.isHeld()) {
      section.comeBack();
    }
    if (pool.phase() >= Lifecycle.STOPPING) {
      pool.awaitSweep();
    }
    Runnable task = intake.localOrInjected();
    return task != null ? task : search();
  }

  ForkDeque newForkDeque() {
    return new ForkDeque(tuning.dequeCapacity(), tuning.initialIndex());
  }

  @Override
  protected void interruptedAsleep() {
    forks.interruptedAsleep();
  }

  /** Any thread. */
  @Override
  public void wake() {
    pool.wakeWaiter(this);
  }

  // ---- looking for work
  // --------------------------------------------------------------------------

  /** The next task to run; sleeps until there is one. Null: this thread is over. */
  final @Nullable Runnable nextTask() {
    for (boolean first = true; ; first = false) {
      int phase = lifecycle.phase();
      if (!right.isHeld()) {
        section.comeBack();
      }
      if (phase >= Lifecycle.STOPPING) {
        pool.awaitSweep();
        if (!first && tellUnpark()) {
          continue; // what the hook has published is the worker's own to run
        }
        return intake.lastTask();
      }
      if (rights.isSurplus() && phase < Lifecycle.DRAINING) {
        Runnable mine = intake.pollInbox();
        if (mine != null) {
          if (!first) {
            tellUnpark();
          }
          return mine;
        }
        if (owesOnPark()) {
          tellPark();
          continue;
        }
        turns.pause(); // not later: once it has retired, another thread may run this worker
        Runnable called = spare.standBy();
        if (called == Mark.RETIRED) {
          return called;
        }
        turns.resume(called != null);
        if (called != null) {
          counters.increment(Count.CALLED);
          if (!first) {
            tellUnpark();
          }
          return called;
        }
        right.receive();
      }
      Runnable task = intake.localOrInjected();
      if (task == null) {
        task = search();
      }
      if (task != null) {
        if (!first) { // in the first turn it has not been idle
          tellUnpark();
        }
        return task;
      }
      if (isCalledAway()) {
        return Mark.CALLED_AWAY;
      }
    }
  }

  private @Nullable Runnable search() {
    turns.pause();
    Runnable task = search.search();
    turns.resume(task != null);
    return task;
  }

  /** Whether its thread must leave now; only one that is borrowed does. */
  boolean isCalledAway() {
    return false;
  }

  @Override
  protected boolean hasAddressedWork() {
    return forks.isWaiting() ? forks.isWaitOver() : !inbox.isEmpty();
  }

  /** It has told of no park since it told of work. */
  boolean owesOnPark() {
    return hooks != null && !hooks.isIdle();
  }

  @Override
  protected boolean mayRetire() {
    return inbox.isUnopened();
  }

  void tellPark() {
    if (hooks != null) {
      hooks.park();
      afterHook();
    }
  }

  /** False: there was nothing to tell. */
  private boolean tellUnpark() {
    if (hooks == null || !hooks.unpark()) {
      return false;
    }
    afterHook();
    return true;
  }

  private void afterHook() {
    containment.restore();
    section.endForgotten();
  }

  // ---- as the sentinel sees it: any thread
  // -------------------------------------------------------

  @Override
  public boolean isAwake() {
    return sleep.isAwake(this);
  }

  @Override
  public long tasksBegun() {
    // Without those that it was called for: they say nothing of what waits in the queues.
    return counters.get(Count.EXECUTED) - counters.get(Count.CALLED);
  }

  @Override
  public long tasksSlotted() {
    return counters.get(Count.SLOTTED);
  }

  @Override
  public boolean isSlotEmpty() {
    return slot.isEmpty();
  }

  @Override
  public boolean hasQueuedTasks() {
    return !slot.isEmpty() || !deque.isEmpty() || !forks.isEmpty();
  }

  @Override
  public void expose(boolean exposed) {
    if (isSlotExposed() != exposed) {
      slotExposed.setVolatile(exposed ? 1 : 0);
    }
  }

  boolean isSlotExposed() {
    return slotExposed.getVolatile() != 0;
  }

  @Override
  public void tellBeginsFew(boolean few) {
    if (beginsFew() != few) {
      beginsFew.setVolatile(few ? 1 : 0);
    }
  }

  boolean beginsFew() {
    return beginsFew.getVolatile() != 0;
  }

  @Override
  public boolean keepsRight() {
    return section.keepsRight();
  }

  @Override
  public long nanosInSection() {
    return section.nanosSinceBegin();
  }

  @Override
  public boolean isWaiting() {
    Thread t = thread();
    if (t == null) {
      return false;
    }
    return switch (t.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> true;
      default -> false;
    };
  }

  @Override
  public WorkerRight right() {
    return right;
  }
}
