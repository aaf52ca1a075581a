package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.SpinLock;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.spi.SchedulerTuning;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The only worker of a pool that has no threads. Whoever calls {@link #run} is its thread for that
 * long: a platform or a virtual thread, and each time another one if they like. Between two runs it
 * counts as awake, so that no publish looks for a sleeper, and what is published waits.
 *
 * <p>It is alone, as a worker is with a thread per core. Two things are different from that.
 *
 * <ul>
 *   <li>It leaves when its errand is over. Who ends the errand sends a notification, which reaches
 *       a worker in every state.
 *   <li>An interrupt is not the scheduler's to clear: it ends the run.
 * </ul>
 *
 * <p>All methods that begin with {@code run} block. Thread-safe, except where it says otherwise.
 */
public final class CallerWorker extends Worker {

  /** What an interrupt does to whoever is the worker. */
  private enum OnInterrupt {
    /** The run is over, and can be repeated. */
    THROW,
    /**
     * The same while it waits. What a task leaves behind must not cost the other tasks their run.
     */
    THROW_IF_WAITING,
    /** It is set again afterwards. */
    REMEMBER
  }

  /**
   * The one that a thread is, of whatever pool; of several, whose runs are inside each other, the
   * innermost. A thread of any class may be one, a virtual one too.
   */
  private static final ThreadLocal<@Nullable CallerWorker> CURRENT = new ThreadLocal<>();

  private final Pool pool;
  private final Sleep sleep;

  /** Held by the thread that is this worker. All plain fields here and in Worker belong to it. */
  private final ReentrantLock seat = new ReentrantLock();

  /** Held by who interrupts, so that it does not hit a thread that has just left. */
  private final SpinLock presence = new SpinLock();

  private BooleanSupplier over = CallerWorker::never;

  /** What the thread of this worker was before, and will be again. */
  private @Nullable CallerWorker outer;

  /** An interrupt ended a wait. */
  private boolean interrupted;

  /** Written by the holder of the seat. */
  private volatile boolean ended;

  private volatile boolean endIsOwed;

  CallerWorker(Pool pool, Sleep sleep, RunRights rights, SchedulerTuning tuning) {
    super(pool, sleep, rights, tuning, 0);
    this.pool = pool;
    this.sleep = sleep;
  }

  /** What the calling thread is, if it runs a pool without threads. */
  static @Nullable CallerWorker current() {
    return CURRENT.get();
  }

  // ---- being the worker
  // --------------------------------------------------------------------------

  /**
   * Runs tasks on the calling thread until an errand is over. Who ends it calls {@link #callBack}
   * afterwards, unless it is a task of this pool.
   *
   * @param begin called first, when the caller is sure to be the worker, but not yet as the worker:
   *     what it publishes goes behind all that was published before
   * @param isOver whether the errand is over; cheap, does not throw
   * @return false: the pool ended before
   * @throws IllegalStateException if the caller or another thread is the worker already
   * @throws RejectedExecutionException if another thread is, and the pool is shut down
   * @throws InterruptedException if the caller is interrupted and no task took notice of it; what
   *     waits goes on waiting
   */
  public boolean run(Runnable begin, BooleanSupplier isOver) throws InterruptedException {
    if (seat.isHeldByCurrentThread()) {
      throw new IllegalStateException("a task of " + pool + " must not run " + pool.name());
    }
    if (!seat.tryLock()) {
      String message = "another thread runs " + pool;
      throw pool.isShutdown()
          ? new RejectedExecutionException(message)
          : new IllegalStateException(message);
    }
    try {
      begin.run();
      return work(isOver, OnInterrupt.THROW);
    } finally {
      giveUpSeat();
    }
  }

  /**
   * Runs all that was accepted by a pool that is shut down; before that, waits for whoever is the
   * worker.
   *
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public void runToTheEnd() throws InterruptedException {
    if (ended) {
      return;
    }
    seat.lockInterruptibly();
    try {
      if (!ended) {
        work(CallerWorker::never, OnInterrupt.THROW_IF_WAITING);
      }
    } finally {
      giveUpSeat();
    }
  }

  private void giveUpSeat() {
    seat.unlock();
    endIfIdle();
  }

  /**
   * Ends the worker, and so the pool, if that has nothing left to run and nobody is the worker: no
   * other thread may ever come for it. Called after each step to the end, and after each run:
   *
   * <pre>
   *   T1 leaves                        T2 ends the pool
   *   reads the phase: RUNNING
   *                                    phase STOPPED
   *                                    the seat is taken: T1 will see to it
   *   unlocks the seat
   *   reads the phase again: without that nobody ends the worker
   * </pre>
   */
  void endIfIdle() {
    int phase;
    do {
      phase = pool.phase(); // in STOPPING somebody sweeps, who calls this afterwards
      boolean mayEnd = phase == Lifecycle.DRAINING || phase >= Lifecycle.STOPPED;
      if (!mayEnd || ended || seat.isHeldByCurrentThread() || !seat.tryLock()) {
        return;
      }
      try {
        if (!ended && (phase >= Lifecycle.STOPPED || nothingIsLeft())) {
          work(CallerWorker::never, OnInterrupt.REMEMBER);
        }
      } catch (InterruptedException e) {
        throw new AssertionError("an interrupt was to be remembered", e);
      } finally {
        seat.unlock();
      }
    } while (pool.phase() != phase);
  }

  /**
   * By the holder of the seat. A closed injector looks as if it held tasks until somebody has been
   * through all its cells: what is found there goes into this worker's queue.
   */
  private boolean nothingIsLeft() {
    if (!deque.isEmpty() || hasAddressedWork()) {
      return false;
    }
    if (!pool.queues().moveInjected(deque)) {
      Runnable task = pool.queues().background().poll();
      if (task != null && !deque.push(task)) {
        throw new AssertionError("an empty queue has no room");
      }
    }
    counters.add(Count.POLLED, deque.size());
    return !pool.isWorkVisible();
  }

  private static boolean never() {
    return false;
  }

  /** By the holder of the seat. False: the pool is over. */
  private boolean work(BooleanSupplier isOver, OnInterrupt onInterrupt)
      throws InterruptedException {
    boolean remembered = false;
    pool.ensureStack(); // it may be anywhere on a stack, where other workers begin one
    enter(isOver);
    try {
      for (; ; ) {
        if (over.getAsBoolean()) {
          return true;
        }
        boolean waited = interrupted;
        boolean ran = Thread.interrupted(); // the next task does not see it (G7)
        interrupted = false;
        if (waited || ran) {
          if (onInterrupt == OnInterrupt.THROW
              || (waited && onInterrupt == OnInterrupt.THROW_IF_WAITING)) {
            throw new InterruptedException("interrupted while it ran " + pool);
          }
          remembered = true;
        }
        if (runNext() == Mark.OVER) {
          ended = true;
          return false;
        }
      }
    } finally {
      leave();
      if (remembered || interrupted) {
        Thread.currentThread().interrupt();
      }
      if (ended) {
        sleep.end(this);
        pool.workerEnded();
      }
    }
  }

  private void enter(BooleanSupplier isOver) {
    Thread self = Thread.currentThread();
    outer = CURRENT.get();
    CURRENT.set(this); // first: it may fail for want of memory, and then nothing has begun
    over = isOver;
    interrupted = false;
    containment.borrow(self);
    setThread(self);
    owner = self;
    right.receive();
    turns.resume(false);
  }

  private void leave() {
    turns.pause();
    owner = null;
    over = CallerWorker::never;
    containment.giveBack();
    presence.lock();
    setThread(null);
    presence.unlock();
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
      outer = null;
    }
  }

  // ---- waiting
  // -----------------------------------------------------------------------------------

  /**
   * Asked after a notification was acknowledged, never before:
   *
   * <pre>
   *   T1 worker                        T2 ends the errand
   *   asks: it is not over
   *                                    it is over; latch to NOTIFIED
   *   acknowledges: latch to AWAKE
   *   Commit, parks; its errand is over
   * </pre>
   */
  @Override
  boolean isCalledAway() {
    return !forks.isWaiting() && (interrupted || over.getAsBoolean());
  }

  /** It must look up, though nobody has claimed it: a notification to itself does that. */
  @Override
  protected void interruptedAsleep() {
    super.interruptedAsleep();
    if (!forks.isWaiting()) { // else it is for the task that waits
      interrupted = true;
      sleep.sendNotification(this);
    }
  }

  // ---- any thread
  // --------------------------------------------------------------------------------

  /** The errand is over: whoever is the worker looks. Harmless if nobody is. */
  public void callBack() {
    sleep.sendNotification(this);
  }

  /** Called by a task that closed the pool: who runs it must see to the end. */
  void oweEnd() {
    endIsOwed = true;
  }

  /** Whether a task closed the pool. */
  public boolean isEndOwed() {
    return endIsOwed;
  }

  /** Not by itself: a task that stops the pool would leave an interrupt for whoever called run. */
  @Override
  void interrupt() {
    presence.lock();
    try {
      if (thread() != Thread.currentThread()) {
        super.interrupt();
      }
    } finally {
      presence.unlock();
    }
  }
}
