package dev.catnap.internal.timer;

import dev.catnap.internal.atomic.PaddedLong;
import dev.catnap.internal.atomic.SpinLock;
import dev.catnap.internal.stack.StackReserve;
import dev.catnap.spi.MonotonicClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The armed timers of one scheduler (G11). Thread-safe. A timer fires at most once per arming, not
 * before its deadline, and in the order of deadlines; cancelling removes it at once.
 *
 * <p>A worker that has nothing else to run fires what is due ({@link #fireDue}), and one that has
 * does so in turn ({@link #fireInTurn}): no thread must be woken for that, and the tasks lie where
 * they run. The timer thread fires what workers leave. If one searches it will look here, and if
 * all run there is nobody to wake: then they have a millisecond, from each time that one of them
 * fired some. Else one batch wakes a worker.
 *
 * <p>No wakeup is lost: the thread computes how long to park under the lock and parks outside; who
 * arms a timer in between that is due before it wakes unparks it, and the permit makes that park
 * return.
 */
public final class TimerQueue {
  /** The longest delay, 146 years: differences of deadlines must not overflow. */
  private static final long LONGEST_DELAY = Long.MAX_VALUE / 2;

  /** When memory is short, a timer that came due is tried again after so long. */
  private static final long RETRY_NANOS = 10_000_000;

  /** How long timers that are due are left to workers, of which each is about to look here. */
  private static final long GRACE_NANOS = 1_000_000;

  /**
   * So many batches are fired when the grace is over; then it begins again. They lie in the
   * injector, and while that is not empty workers look here only in turn.
   */
  private static final int BATCHES_PER_GRACE = 4;

  /** So many are looked at under one lock while many are taken back. */
  private static final int STRIDE = 64;

  /** No deadline; one that happens to be this number is left to the timer thread. */
  private static final long NONE = Long.MAX_VALUE;

  /** Makes and starts the timer thread. */
  @FunctionalInterface
  public interface ThreadStarter {
    /**
     * Throws if that cannot be done.
     *
     * @return false: refused, for good
     */
    boolean start(Runnable body);
  }

  private final boolean never = StackReserve.never();
  private final SpinLock lock = new SpinLock();
  private final ArmedTimers timers = new ArmedTimers();

  /** How many; written under the lock, before it is released. */
  private final AtomicInteger armed = new AtomicInteger();

  /** The first deadline, for a look without the lock; written as {@link #armed} is. */
  private final PaddedLong firstDeadline = new PaddedLong(NONE);

  private final MonotonicClock clock;
  private final ThreadStarter starter;

  /** Makes whoever parks until the first deadline look again: the timer thread, or the worker. */
  private final Runnable wakeKeeper;

  private final BooleanSupplier workersWillLook;
  private final Runnable onDrained;
  private final Consumer<Throwable> uncaught;

  /** The thread that has claimed the part of the timer thread. */
  private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();

  /** Timers may be due, and the timer thread parks: workers will look. */
  private volatile boolean leftToWorkers;

  private volatile boolean started;
  private volatile boolean closing;
  private boolean drainedReported;

  /** Timers taken from these whose batch has not been fired to the end. */
  private int firing;

  /** Who is taking timers back, or dropping them. */
  private int takers;

  /** The timer thread does not park, or was unparked: it looks at the timers before it parks. */
  private boolean awake = true;

  /** Unless it is awake: when it looks by itself. */
  private long wakesAt;

  /** When somebody last fired timers that were left to workers. */
  private long attendedAt;

  /** Fired since the last grace was over. */
  private int batchesAfterGrace;

  /** Of the timer thread. */
  private final TimerBatch batch = new TimerBatch();

  /**
   * No timers, no thread.
   *
   * @param clock what deadlines go by
   * @param starter makes the thread, at the first timer
   * @param workersWillLook whether a worker searches, or none sleeps. Called under the lock
   * @param onDrained called once, after {@link #close}, when no timer is left; without the lock
   * @param uncaught receives what the action of a timer throws, which stops no other timer (G7)
   */
  public TimerQueue(
      MonotonicClock clock,
      ThreadStarter starter,
      BooleanSupplier workersWillLook,
      Runnable onDrained,
      Consumer<Throwable> uncaught) {
    this.clock = clock;
    this.starter = starter;
    this.wakeKeeper = this::unparkRunner;
    this.workersWillLook = workersWillLook;
    this.attendedAt = clock.nanoTime() - LONGEST_DELAY;
    this.onDrained = onDrained;
    this.uncaught = uncaught;
  }

  /**
   * No timers, and never a thread: the one worker of the pool fires what is due between two tasks,
   * and parks no longer than {@link #nanosToPark}.
   *
   * @param clock what deadlines go by
   * @param wakeWorker wakes it if it is asleep. Called without the lock, by any thread
   * @param onDrained as above
   * @param uncaught as above
   */
  public TimerQueue(
      MonotonicClock clock, Runnable wakeWorker, Runnable onDrained, Consumer<Throwable> uncaught) {
    this.clock = clock;
    this.starter = body -> true;
    this.started = true;
    this.wakeKeeper = wakeWorker;
    this.workersWillLook = () -> true;
    this.onDrained = onDrained;
    this.uncaught = uncaught;
  }

  /**
   * Arms a timer that is not armed.
   *
   * @param delayNanos from now; not above zero means at once
   * @return false: refused because of {@link #close}, nothing changed
   * @throws OutOfMemoryError or what the starter throws; the timer is not armed
   */
  public boolean arm(TimerNode node, long delayNanos) {
    ensureStack();
    long deadline = clock.nanoTime() + Math.max(0, Math.min(delayNanos, LONGEST_DELAY));
    if (!ensureStarted()) {
      return false;
    }
    boolean tooLate;
    lock.lock();
    try {
      if (closing) {
        return false;
      }
      timers.add(node, deadline);
      tooLate = wakesTooLateFor(deadline);
    } finally {
      unlock();
    }
    if (tooLate) {
      wakeKeeper.run();
    }
    return true;
  }

  /** Under the lock. True: the caller must wake the keeper. */
  private boolean wakesTooLateFor(long deadline) {
    if (awake || deadline - wakesAt >= 0) {
      return false;
    }
    awake = true;
    return true;
  }

  /**
   * Not under the lock, for it is long and runs code of the JDK. Two first timers may start two
   * threads: one of them claims the part, the other ends at once.
   */
  private boolean ensureStarted() {
    if (!started) {
      if (closing || !starter.start(this::run)) {
        return false;
      }
      started = true;
    }
    return true;
  }

  /**
   * Throws a StackOverflowError unless there is room for a call of this queue. Arming looks itself;
   * who cancels does so before it changes anything of its own.
   */
  void ensureStack() {
    StackReserve.require(never);
  }

  /** True: it was armed, and will not fire. */
  public boolean cancel(TimerNode node) {
    boolean removed;
    boolean drained;
    lock.lock();
    try {
      removed = timers.remove(node);
      drained = isNewlyDrained();
    } finally {
      unlock();
    }
    if (drained) {
      reportDrained();
    }
    return removed;
  }

  /**
   * No timer is armed from now on; those that do not survive a shutdown are dropped, the others
   * still fire. When none is left, {@code onDrained} is called, here or later. Idempotent.
   */
  public void close() {
    closeAndTake(false);
  }

  /**
   * The same, but no timer fires any more.
   *
   * @return those that are {@linkplain TimerNode#isHandedBack handed back}, in the order of their
   *     deadlines
   */
  public List<TimerNode> closeNow() {
    List<TimerNode> taken = closeAndTake(true);
    awaitFiring();
    if (size() > 0) { // being fired, and there was no memory: they are to be tried again
      closeAndTake(true).forEach(taken::add); // it has room
    }
    return taken;
  }

  /**
   * After {@link #close}: takes those that are due only after so long; they fire no more.
   *
   * @param nanos from now, not negative
   * @return in the order of their deadlines
   */
  public List<TimerNode> takeLaterThan(long nanos) {
    ensureStack();
    long last = clock.nanoTime() + Math.min(nanos, LONGEST_DELAY);
    int most = beginTaking(false);
    try {
      List<TimerNode> taken = new ArrayList<>(most); // later it would cost those that left
      removeIf(node -> node.deadline - last > 0, taken::add);
      return inOrder(taken);
    } finally {
      endTaking();
    }
  }

  private List<TimerNode> closeAndTake(boolean now) {
    ensureStack();
    int most = beginTaking(true);
    try {
      List<TimerNode> taken = new ArrayList<>(now ? most : 0); // as above
      removeIf(
          node -> now || !node.survivesShutdown(),
          node -> {
            if (now && node.isHandedBack()) {
              taken.add(node);
            } else {
              drop(node);
            }
          });
      return inOrder(taken);
    } finally {
      endTaking();
    }
  }

  /**
   * Until the end the queue is not drained: what is taken back or dropped is not over before.
   *
   * @return how many may be taken, if the queue is closed
   */
  private int beginTaking(boolean close) {
    lock.lock();
    try {
      if (close) {
        closing = true;
      }
      takers++;
      return timers.size() + firing;
    } finally {
      unlock();
    }
  }

  private void endTaking() {
    boolean drained;
    lock.lock();
    try {
      takers--;
      drained = isNewlyDrained();
    } finally {
      unlock();
    }
    if (drained) {
      reportDrained();
    }
  }

  /**
   * Some at a time: with a million of them the lock would be held for a large part of a second, in
   * which all others spin who cancel timers or fire them.
   *
   * @param receiver is given those that the filter names, without the lock
   */
  private void removeIf(Predicate<TimerNode> filter, Consumer<TimerNode> receiver) {
    ArmedTimers.Walk walk = timers.new Walk(filter);
    lock.lock();
    try {
      walk.begin();
    } finally {
      unlock();
    }
    try {
      boolean over;
      do {
        TimerNode removed;
        lock.lock();
        try {
          removed = walk.step(STRIDE);
          over = walk.isOver();
        } finally {
          unlock();
        }
        while (removed != null) {
          TimerNode next = removed.next;
          removed.next = null;
          receiver.accept(removed);
          removed = next;
        }
      } while (!over);
    } finally {
      lock.lock();
      try {
        walk.end();
      } finally {
        unlock();
      }
    }
  }

  /** They are in no queue any more. */
  private static List<TimerNode> inOrder(List<TimerNode> taken) {
    try {
      taken.sort(TimerQueue::compare);
    } catch (OutOfMemoryError e) {
      return taken; // they are worth more than their order
    }
    return taken;
  }

  /** Deadlines differ by less than half of all numbers. */
  private static int compare(TimerNode a, TimerNode b) {
    long d = a.deadline - b.deadline;
    return Long.signum(d != 0 ? d : a.sequence - b.sequence);
  }

  private void drop(TimerNode node) {
    try {
      node.dropped();
    } catch (Throwable t) {
      uncaught.accept(t);
    }
  }

  /**
   * Waits until a timer that came due just before {@link #closeNow} has been published: a moment.
   */
  private void awaitFiring() {
    for (; ; ) {
      lock.lock();
      try {
        if (firing == 0) {
          return;
        }
      } finally {
        unlock();
      }
      Thread.yield();
    }
  }

  /** The time that deadlines go by. */
  MonotonicClock clock() {
    return clock;
  }

  /** Whether {@link #close} or {@link #closeNow} was called. */
  boolean isClosed() {
    return closing;
  }

  /** Timers armed; read without the lock, so that a reader of statistics never delays a worker. */
  public int size() {
    return armed.get();
  }

  /** The timer thread, or null before it runs. */
  public @Nullable Thread thread() {
    return runner.get();
  }

  private void unparkRunner() {
    Thread t = runner.get();
    if (t != null) { // null: it has not looked at the timers yet
      clock.unpark(t);
    }
  }

  private void unlock() {
    int size = timers.size();
    armed.lazySet(size);
    firstDeadline.setOpaque(size == 0 ? NONE : timers.firstDeadline());
    lock.unlock();
  }

  private boolean isNewlyDrained() {
    if (closing && timers.size() == 0 && firing == 0 && takers == 0 && !drainedReported) {
      drainedReported = true;
      return true;
    }
    return false;
  }

  private void reportDrained() {
    unparkRunner();
    onDrained.run();
  }

  /**
   * Fires timers that are due, on a worker that has nothing else to run.
   *
   * @param batch the worker's own
   * @param most at most so many
   * @param overtaken null: in any order. Else whether timers that came due before wait elsewhere;
   *     called under the lock, when none is on its way there
   * @return how many; 0 also if these would overtake others
   */
  public int fireDue(TimerBatch batch, int most, @Nullable BooleanSupplier overtaken) {
    return fireDue(batch, most, overtaken, false);
  }

  /**
   * The same on one that has something else to run, in any order. That counts as attended to only
   * if none is left that is due: else a worker whose queue is almost full would put the timer
   * thread off for ever, and fire one timer in each turn.
   */
  public int fireInTurn(TimerBatch batch, int most) {
    return fireDue(batch, most, null, true);
  }

  private int fireDue(
      TimerBatch batch, int most, @Nullable BooleanSupplier overtaken, boolean isBusy) {
    long first = firstDeadline.getOpaque();
    if (first == NONE || first - clock.nanoTime() > 0) {
      return 0;
    }
    int due;
    lock.lock();
    try {
      boolean inOrder = overtaken == null || (firing == 0 && !overtaken.getAsBoolean());
      due = inOrder ? take(batch, Math.min(most, TimerBatch.CAPACITY)) : 0;
      if (due > 0 && !(isBusy && isOneDue())) {
        attendedAt = clock.nanoTime();
      }
    } finally {
      unlock();
    }
    if (due > 0) {
      batch.fire(uncaught);
      end(batch);
    }
    return due;
  }

  private boolean isOneDue() {
    return timers.size() > 0 && timers.firstDeadline() - clock.nanoTime() <= 0;
  }

  private void end(TimerBatch batch) {
    boolean tooLate;
    boolean drained;
    lock.lock();
    try {
      firing -= batch.end(timers, clock, RETRY_NANOS);
      tooLate = timers.size() > 0 && wakesTooLateFor(timers.firstDeadline());
      drained = isNewlyDrained();
    } finally {
      unlock();
    }
    if (tooLate) {
      wakeKeeper.run();
    }
    if (drained) {
      reportDrained();
    }
  }

  private int take(TimerBatch batch, int most) {
    int due = batch.takeDue(timers, clock, most);
    firing += due;
    return due;
  }

  /** The timer thread: until the queue is closed and empty. */
  private void run() {
    if (!runner.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    for (; ; ) {
      int due;
      long wait;
      boolean over;
      boolean drained;
      lock.lock();
      try {
        awake = true;
        firing -= batch.end(timers, clock, RETRY_NANOS);
        wait = graceLeft();
        due = wait > 0 ? 0 : take(batch, TimerBatch.CAPACITY);
        if (wait == 0 && due == 0) {
          wait = untilNext();
        }
        over = closing && firing == 0 && timers.size() == 0;
        drained = isNewlyDrained();
      } finally {
        unlock();
      }
      if (drained) {
        onDrained.run();
      }
      if (over) {
        return;
      }
      if (due > 0) {
        batch.fire(uncaught);
      } else if (wait == Long.MAX_VALUE) {
        clock.park(this);
      } else if (wait > 0) {
        clock.parkNanos(this, wait);
      }
      boolean ignored = Thread.interrupted(); // or every park returns at once
    }
  }

  /**
   * Under the lock: how long workers still have time for the first timer, which is due; 0: none is,
   * or the time is over, or a worker must be woken for it.
   */
  private long graceLeft() {
    leftToWorkers = false;
    if (closing || timers.size() == 0) {
      return 0;
    }
    long now = clock.nanoTime();
    long late = now - timers.firstDeadline();
    long unattended = Math.min(late, now - attendedAt);
    if (late < 0) {
      return 0;
    }
    if (unattended >= GRACE_NANOS) {
      if (++batchesAfterGrace == BATCHES_PER_GRACE) {
        batchesAfterGrace = 0;
        attendedAt = now;
      }
      return 0;
    }
    // Before the look at the workers. The other way round:
    //   T1 timer thread                   T2 worker
    //   T2 searches: it will look
    //                                     has looked: none was due; sleeping += 1
    //                                     nothing is left to workers: need not hurry anybody
    //   leaves those that are due now to workers, and T2 sleeps
    leftToWorkers = true;
    if (!workersWillLook.getAsBoolean()) {
      leftToWorkers = false;
      return 0;
    }
    batchesAfterGrace = 0;
    return GRACE_NANOS - unattended;
  }

  /**
   * By a worker that is about to sleep, after it counts as asleep; and by one that has found
   * something else, after it no longer counts as searching, while others sleep.
   */
  public void hurry() {
    if (leftToWorkers) {
      leftToWorkers = false;
      unparkRunner();
    }
  }

  /**
   * By the worker that keeps the timers, when its latch says that it sleeps and before it parks.
   *
   * <pre>
   * T1 worker                            T2 arms an earlier timer
   * latch to SLEEPING
   * takes the lock: parks for an hour
   *                                      takes the lock: T1 wakes too late
   *                                      claims the latch, unparks T1
   * </pre>
   *
   * Were the latch set after this look, T2 would find T1 awake and leave it to sleep for the hour.
   * If T2 takes the lock first, T1 sees its timer.
   *
   * @return see {@link #untilNext}; not above zero: a timer is due
   */
  public long nanosToPark() {
    lock.lock();
    try {
      return untilNext();
    } finally {
      unlock();
    }
  }

  /** Under the lock: how long the keeper parks; from here on it must be woken. */
  private long untilNext() {
    long now = clock.nanoTime();
    boolean forever = timers.size() == 0;
    awake = false;
    wakesAt = forever ? now + LONGEST_DELAY : timers.firstDeadline();
    return forever ? Long.MAX_VALUE : wakesAt - now;
  }
}
