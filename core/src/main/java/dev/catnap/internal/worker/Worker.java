package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.PaddedInt;
import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.metrics.WorkerCounters;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.internal.sentinel.Watched;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.Sleeper;
import dev.catnap.internal.timer.TimerBatch;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerBody;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One worker: its queues, and the loop that runs tasks, looks for more, and sleeps. Everything here
 * is called by the worker's own thread, unless it says otherwise.
 */
final class Worker extends Sleeper implements WorkerBody, Watched {
  /** Instead of a task: this worker has retired, and may have a new thread already. */
  private enum Mark implements Runnable {
    RETIRED;

    @Override
    public void run() {
      throw new AssertionError("the mark of a retired worker is not a task");
    }
  }

  /**
   * A task in the background is run at least once in so many {@code injectorInterval}s, whatever
   * else waits: about one task in 500, so that background work never stops and is never felt (G5).
   */
  static final int BACKGROUND_INTERVAL = 8;

  final WorkerDeque deque;
  final LifoSlot slot = new LifoSlot();
  final WorkerCounters counters = new WorkerCounters();
  final WorkerRight right = new WorkerRight();

  /** 1: the sentinel has seen that this worker does not come back to its slot. */
  private final PaddedInt slotExposed = new PaddedInt(0);

  private final Pool pool;
  private final Sleep sleep;
  private final SchedulerTuning tuning;
  private final int index;
  private final Containment containment = new Containment();
  private final @Nullable Runnable[] overflow;
  private final TimerBatch dueTimers = new TimerBatch();
  private final BooleanSupplier somethingIsInjected;

  /** The thread that runs the loop at present; others read it only to compare with themselves. */
  private @Nullable Thread owner;

  // Task numbers, in the order in which this worker takes them.
  private long tasks;
  private long nextInjectorAt;
  private long nextBackgroundAt;
  private long nextLookAt;

  private int lifoStreak;
  private int blockingDepth;
  private int random;

  Worker(Pool pool, Sleep sleep, SchedulerTuning tuning, int index) {
    this.pool = pool;
    this.sleep = sleep;
    this.tuning = tuning;
    this.index = index;
    this.deque = new WorkerDeque(tuning.dequeCapacity(), tuning.initialIndex());
    this.overflow = new Runnable[tuning.dequeCapacity() / 2];
    this.somethingIsInjected = () -> !pool.injector().isEmpty();
    this.nextBackgroundAt = backgroundInterval();
    lookedAtInjector();
    this.random = (index + 1) * 0x9E3779B9; // any odd multiple: xorshift needs a seed other than 0
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
  public int queuedTasks() {
    return deque.size() + (slot.isEmpty() ? 0 : 1);
  }

  /** Any thread. Whether {@code thread} runs this worker's loop; one that has left it does not. */
  boolean isRunBy(Thread thread) {
    return owner == thread;
  }

  @Override
  public void run() {
    Thread self = Thread.currentThread();
    owner = self;
    containment.remember(self);
    right.receive();
    Runnable task = nextTask();
    while (task != null && task != Mark.RETIRED) {
      execute(task);
      task = nextTask();
    }
    if (task == null) {
      owner = null;
      sleep.end(this);
    }
    pool.workerEnded();
  }

  // ---- running
  // -----------------------------------------------------------------------------------

  private void execute(Runnable task) {
    counters.increment(Count.EXECUTED); // before it runs: whoever it signals sees it counted
    containment.clearInterrupt();
    try {
      task.run();
    } catch (Throwable t) {
      counters.increment(Count.UNCAUGHT);
      pool.reportUncaught(t);
    }
    containment.restore();
    if (blockingDepth != 0) { // a section that was begun and not ended
      blockingDepth = 1;
      endBlocking();
    }
  }

  /** A declared blocking section begins. Nests. */
  void beginBlocking() {
    if (blockingDepth++ == 0) {
      pool.workerBlocks(right.giveUp());
    }
  }

  void endBlocking() {
    if (blockingDepth == 0) {
      throw new IllegalStateException("endBlocking without beginBlocking");
    }
    if (--blockingDepth == 0) {
      pool.workerUnblocks();
      comeBack();
    }
  }

  /** The worker goes on, whether somebody else has got its right meanwhile or not. */
  private void comeBack() {
    if (right.regain()) {
      pool.rights().reclaim();
    }
  }

  // ---- publishing
  // --------------------------------------------------------------------------------

  /**
   * Push and publish on this worker. Also called inside a virtual thread that this worker carries.
   */
  void publish(Runnable task, Placement placement) {
    switch (placement) {
      case NEXT -> {
        if (putNext(task)) {
          return;
        }
      }
      case QUEUED -> enqueue(task);
      case RESUMED -> {
        if (putAlone(task)) {
          return;
        }
      }
      case YIELDED -> {
        letInjectedGoFirst();
        if (putAlone(task)) { // nobody is here to give way to
          return;
        }
      }
      case BACKGROUND -> {
        if (!pool.background().push(task)) {
          enqueue(task); // the pool is closed, and this worker ends after it
        }
      }
    }
    counters.increment(Count.PUBLISHED);
    handOn();
  }

  /**
   * Into the slot. True: and that was all, for this worker takes it next, and if it does not come
   * back the sentinel sees that.
   */
  private boolean putNext(Runnable task) {
    Runnable displaced = slot.put(task);
    counters.increment(Count.SLOTTED);
    if (displaced != null) {
      enqueueDisplaced(displaced);
    } else if (pool.sentinel().guardSlot()) {
      counters.increment(Count.PUBLISHED);
      return true;
    }
    return false;
  }

  /**
   * Behind all that is here: if that is nothing, into the slot. True: and that was all. In a
   * declared section this worker takes nothing next.
   */
  private boolean putAlone(Runnable task) {
    if (slot.isEmpty() && deque.isEmpty() && blockingDepth == 0) {
      lifoStreak = 0; // it is the oldest, and what is queued after it comes after it
      return putNext(task);
    }
    enqueue(task);
    return false;
  }

  /** The rest of a publish: wakes a sleeper if the protocol says so. */
  private void handOn() {
    counters.add(Count.WAKES, sleep.publish());
    pool.sentinel().guardQueues();
    pool.retryFailedStart();
  }

  /**
   * What was injected comes to this worker, not the yielding task to the injector: whoever waits
   * there has one turn in {@code injectorInterval}, and a few tasks that yield would keep each
   * other there, beside a queue that never runs dry. The caller publishes.
   */
  private void letInjectedGoFirst() {
    long before = deque.pushedSoFar();
    if (!pool.injector().isEmpty() && pool.moveInjected(deque)) {
      lookedAtInjector();
      counters.add(Count.POLLED, deque.pushedSoFar() - before);
    }
  }

  private void enqueue(Runnable task) {
    while (!deque.push(task)) {
      overflow();
    }
  }

  /** The task that gave way in the slot was accepted before: it stays, whatever happens. */
  private void enqueueDisplaced(Runnable displaced) {
    try {
      enqueue(displaced);
    } catch (OutOfMemoryError e) {
      Runnable newest = slot.put(displaced);
      if (newest == null) {
        return; // a thief has taken the new task: both are accepted
      }
      throw e;
    }
  }

  /** Makes room: the older half goes to the injector. Throws before anything has changed. */
  private void overflow() {
    int n = deque.takeHalf(overflow);
    for (int i = 0; i < n; i++) {
      Runnable task = overflow[i];
      overflow[i] = null;
      if (task == null) {
        continue;
      }
      try {
        pool.pushOverflow(task);
        counters.increment(Count.OVERFLOWED);
      } catch (OutOfMemoryError e) {
        keep(task, i + 1, n);
        if (i == 0) {
          throw e; // no room was made: the submitter must know
        }
        return;
      }
    }
  }

  /** No memory for the injector: what was taken out goes back, where half a ring is free. */
  private void keep(Runnable first, int from, int to) {
    boolean kept = deque.push(first);
    for (int i = from; i < to; i++) {
      Runnable task = overflow[i];
      overflow[i] = null;
      if (task != null) {
        kept &= deque.push(task);
      }
    }
    if (!kept) {
      throw new AssertionError("a ring of which half was taken is full");
    }
  }

  // ---- looking for work
  // --------------------------------------------------------------------------

  /** The next task to run; sleeps until there is one. Null: this thread is over. */
  private @Nullable Runnable nextTask() {
    for (; ; ) {
      int phase = pool.phase();
      if (!right.isHeld()) {
        comeBack();
      }
      if (phase >= Lifecycle.STOPPING) {
        pool.awaitSweep();
        Runnable own = ownTask();
        return own != null ? own : pool.pollAfterClose();
      }
      if (pool.isSurplus()) {
        if (!standBy()) {
          return Mark.RETIRED;
        }
        right.receive();
      }
      Runnable task = localOrInjected();
      if (task == null) {
        task = search();
      }
      if (task != null) {
        return task;
      }
    }
  }

  private @Nullable Runnable ownTask() {
    Runnable task = slot.take();
    return task != null ? task : deque.pop();
  }

  /**
   * The fast path, with the bounds of G5: the injector at least once in {@code injectorInterval}
   * tasks, the queue at least once in {@code lifoBudget + 1} tasks while the slot is refilled all
   * the time.
   */
  private @Nullable Runnable localOrInjected() {
    if (++tasks >= nextLookAt) {
      Runnable task = look();
      if (task != null) {
        return task;
      }
    }
    Runnable task = null;
    if (lifoStreak < tuning.lifoBudget()) {
      task = slot.take();
    }
    if (task != null) {
      lifoStreak++;
      return task;
    }
    lifoStreak = 0;
    task = deque.pop();
    if (task == null) {
      task = slot.take();
    }
    if (task == null) {
      task = pollBatch();
      if (task != null && !deque.isEmpty()) {
        handOn(); // on their way into the deque the others were invisible: this is a publish like
        // any
      }
    }
    return task != null ? task : fireDueTimers();
  }

  /**
   * Timers that are due publish on this worker. No more of them than of a batch from the injector,
   * and with the same count, so that what another thread fires later into that does not overtake
   * them. Where there is but one worker, timers run in the order of their deadlines.
   */
  private @Nullable Runnable fireDueTimers() {
    BooleanSupplier overtaken = pool.parallelism() == 1 ? somethingIsInjected : null;
    if (pool.timers().fireDue(dueTimers, pool.batchLimit(), overtaken) == 0) {
      return null;
    }
    lookedAtInjector();
    return deque.pop();
  }

  /** The background, the injector, or both: whatever it is time for. */
  private @Nullable Runnable look() {
    if (tasks >= nextBackgroundAt) {
      nextBackgroundAt = tasks + backgroundInterval();
      nextLookAt = Math.min(nextInjectorAt, nextBackgroundAt);
      Runnable task = pool.background().poll();
      if (task != null) {
        counters.increment(Count.POLLED);
        return task;
      }
    }
    if (tasks < nextInjectorAt) {
      return null;
    }
    lookedAtInjector();
    Runnable task = pool.injector().poll();
    if (task != null) {
      counters.increment(Count.POLLED);
    }
    return task;
  }

  private long backgroundInterval() {
    return (long) BACKGROUND_INTERVAL * tuning.injectorInterval();
  }

  /** The next look there can wait for the whole interval; that at the background cannot. */
  private void lookedAtInjector() {
    nextInjectorAt = tasks + tuning.injectorInterval();
    nextLookAt = Math.min(nextInjectorAt, nextBackgroundAt);
  }

  private @Nullable Runnable pollBatch() {
    long before = deque.pushedSoFar();
    Runnable task = pool.pollInjected(deque);
    if (task != null) {
      lookedAtInjector();
      counters.add(Count.POLLED, 1 + deque.pushedSoFar() - before);
    }
    return task;
  }

  /**
   * The slow path, step by step as in the protocol's README. The caller's own queues are empty.
   * Returns null when the pool stops, when the worker has lost its right to run, or when there are
   * more workers than rights; in each case it is no longer counted as inactive.
   */
  private @Nullable Runnable search() {
    deque.clearStale();
    boolean rounds = sleep.startSearch();
    if (!right.isHeld()) { // pairs with Sentinel.relieve
      endSearch();
      return null;
    }
    boolean woken = false;
    for (; ; ) {
      Runnable task = rounds ? searchRounds() : null;
      boolean draining = false;
      while (task == null) {
        sleep.announce(this);
        int phase = pool.phase(); // before the look: what was accepted before the phase is seen
        if (phase >= Lifecycle.STOPPING) {
          endSearch();
          return null;
        }
        draining = phase == Lifecycle.DRAINING;
        task = findElsewhere(true); // LastSearch
        if (task != null || sleep.register(this)) {
          break;
        }
      }
      if (task != null) {
        endSearch();
        return task;
      }
      if (woken) {
        counters.increment(Count.FUTILE_WAKES);
      }
      counters.increment(Count.PARKS);
      if (draining) {
        pool.rest();
      }
      pool.sentinel().hurry();
      pool.timers().hurry();
      woken = sleep.sleep(this);
      if (draining) {
        pool.work();
      }
      sleep.acknowledge(this);
      if (pool.isSurplus()) { // pairs with Crew.setParallelism
        endSearch();
        return null;
      }
      rounds = true;
    }
  }

  private void endSearch() {
    counters.add(Count.WAKES, sleep.endSearch());
    if (sleep.sleepingCount() > 0) {
      pool.timers().hurry();
    }
    pool.sentinel().guardQueuesIfWorkIsVisible();
  }

  private @Nullable Runnable searchRounds() {
    for (int round = 0; round < tuning.searchRounds(); round++) {
      Runnable task = findElsewhere(false);
      if (task != null) {
        return task;
      }
      for (int i = 0; i < tuning.spinsPerRound(); i++) {
        Thread.onSpinWait();
      }
    }
    return null;
  }

  /**
   * Injector, then every other worker from a random start. Their slots only when asked, and only
   * those that nobody looks after: what was just put there is in its worker's cache. The background
   * last.
   */
  private @Nullable Runnable findElsewhere(boolean slotsToo) {
    Runnable task = pollBatch();
    if (task == null) {
      task = fireDueTimers();
    }
    if (task != null) {
      return task;
    }
    int n = pool.workerCount();
    int start = nextRandom(n);
    for (int i = 0; i < n; i++) {
      Worker victim = pool.worker(start + i < n ? start + i : start + i - n);
      if (victim != this) {
        long before = deque.pushedSoFar();
        task = victim.deque.steal(deque);
        if (task != null) {
          counters.add(Count.STOLEN, 1 + deque.pushedSoFar() - before);
          return task;
        }
      }
    }
    boolean guarded = slotsToo && pool.sentinel().isOnDuty();
    for (int i = 0; slotsToo && i < n; i++) {
      Worker victim = pool.worker(start + i < n ? start + i : start + i - n);
      task = guarded && !victim.isSlotExposed() ? null : victim.slot.take();
      if (task != null) {
        counters.increment(Count.STOLEN);
        return task;
      }
    }
    task = pool.background().poll();
    if (task != null) {
      counters.increment(Count.POLLED);
    }
    return task;
  }

  /** Marsaglia's xorshift; a number below {@code bound}. */
  private int nextRandom(int bound) {
    int x = random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    random = x;
    return (int) (((x & 0xFFFFFFFFL) * bound) >>> 32);
  }

  // ---- as the sentinel sees it: any thread
  // -------------------------------------------------------

  @Override
  public boolean isAwake() {
    return sleep.isAwake(this);
  }

  @Override
  public long tasksBegun() {
    return counters.get(Count.EXECUTED);
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
  public void expose(boolean exposed) {
    if (isSlotExposed() != exposed) {
      slotExposed.setVolatile(exposed ? 1 : 0);
    }
  }

  boolean isSlotExposed() {
    return slotExposed.getVolatile() != 0;
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

  // ---- spares
  // ------------------------------------------------------------------------------------

  /**
   * Becomes a spare if there really is a surplus, and waits for a right to run.
   *
   * @return false: the keep-alive is over, the worker retired, the thread ends
   */
  private boolean standBy() {
    if (!pool.rights().tryGiveUp()) {
      return true;
    }
    if (!handOverQueues()) {
      pool.rights().reclaim();
      return true;
    }
    if (!right.giveUp()) {
      pool.rights().reclaim(); // relieved at this moment: one right was given away twice
    }
    deque.clearStale();
    for (; ; ) {
      if (!sleep.becomeSpare(this)) {
        sleep.acknowledge(this);
        if (pool.phase() >= Lifecycle.DRAINING) {
          return true; // help to drain, with or without a right
        }
        continue;
      }
      // After the latch: see RunRights for the race that this read decides.
      if (pool.rights().tryTake()) {
        if (!sleep.claimSpare(this)) {
          pool.rights().release(); // somebody else handed us another one, or a notification
        }
        return true;
      }
      if (sleep.parkSpare(this, pool.keepAliveNanos(), tuning.clock())) {
        return true;
      }
      Thread self = owner;
      owner = null; // before the latch: afterwards this worker may run on another thread
      if (sleep.retire(this)) {
        return false;
      }
      owner = self;
      return true;
    }
  }

  /** False: no memory for that; nothing is lost, and this worker goes on. */
  private boolean handOverQueues() {
    for (Runnable task = ownTask(); task != null; task = ownTask()) {
      try {
        pool.pushOverflow(task);
      } catch (OutOfMemoryError e) {
        enqueue(task); // there is room: it came from here
        return false;
      }
      counters.increment(Count.OVERFLOWED);
      handOn();
    }
    return true;
  }
}
