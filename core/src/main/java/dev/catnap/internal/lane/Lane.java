package dev.catnap.internal.lane;

import dev.catnap.spi.Parker;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.WorkerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded lane for tasks that block. {@link LaneQueue} decides; this class does what follows:
 * publishes runners on the scheduler, lets submitters wait, wakes them. Thread-safe.
 *
 * <p>A submitter that is a worker and waits keeps its thread, and all threads may be such. The lane
 * must not need one more then:
 *
 * <pre>
 *   T1, T2, all threads there may be           the lane
 *   submit: full
 *                                              its runner is in a queue of the scheduler
 *   wait for a place: nobody runs the runner
 * </pre>
 *
 * so such a submitter runs the oldest task itself, unless as many run as may: those have a thread,
 * and each of them makes a place when it is over.
 */
public final class Lane {
  private final String name;
  private final int threads;
  private final int capacity;
  private final SchedulerAdapter scheduler;
  private final Parker workerParker;
  private final Executor onTop;
  private final Consumer<Throwable> uncaught;
  private final LaneQueue queue;
  private final CountDownLatch terminated = new CountDownLatch(1);
  private final AtomicBoolean interrupting = new AtomicBoolean();

  /**
   * An empty lane.
   *
   * @param name for messages
   * @param threads tasks at once, at least 1
   * @param capacity tasks that wait beyond these, at least 0
   * @param scheduler runs the tasks
   * @param workerParker how its workers park
   * @param onTop runs something on a worker in the middle of another task, whose traces on the
   *     thread it does not see
   * @param uncaught receives what tasks throw
   */
  public Lane(
      String name,
      int threads,
      int capacity,
      SchedulerAdapter scheduler,
      Parker workerParker,
      Executor onTop,
      Consumer<Throwable> uncaught) {
    this.name = name;
    this.threads = threads;
    this.capacity = capacity;
    this.scheduler = scheduler;
    this.workerParker = workerParker;
    this.onTop = onTop;
    this.uncaught = uncaught;
    this.queue = new LaneQueue(threads, capacity);
  }

  // ---- submitting
  // --------------------------------------------------------------------------------

  /** As a ticket of a task, for {@link #drop}. */
  public LaneTask ticket(Runnable task) {
    return new LaneTask(Objects.requireNonNull(task, "task"));
  }

  /**
   * Accepts the task, or refuses it at once.
   *
   * @throws RejectedExecutionException if the lane is full or closed
   * @throws OutOfMemoryError if the scheduler's queue cannot grow; the task was not accepted
   */
  public void execute(LaneTask t) {
    scheduler.ensureStack();
    switch (queue.enter(t)) {
      case ACCEPTED -> ensureRunner(t);
      case FULL -> throw full(t);
      case CLOSED -> throw closed(t);
    }
  }

  /**
   * Accepts the task as soon as there is a place.
   *
   * @throws RejectedExecutionException if the lane is closed, before or meanwhile; or full, and the
   *     caller is one of its own tasks, which might wait for itself
   * @throws InterruptedException if interrupted; the task was not accepted
   */
  public void executeAwaiting(LaneTask t) throws InterruptedException {
    scheduler.ensureStack();
    Thread self = Thread.currentThread();
    // A virtual thread leaves its worker while it waits, and the worker goes on.
    boolean onWorker = self instanceof WorkerThread && scheduler.isWorker();
    for (; ; ) {
      if (Thread.interrupted()) { // before each exchange: what it gets would see it
        throw new InterruptedException();
      }
      switch (queue.enter(t)) {
        case ACCEPTED -> {
          ensureRunner(t);
          return;
        }
        case CLOSED -> throw closed(t);
        case FULL -> {}
      }
      LaneRunner helper = onWorker ? new LaneRunner(this) : null; // afterwards it would cost a task
      LaneTask oldest = helper != null ? queue.exchange(t, self) : null;
      if (helper != null && oldest != null) {
        helper.help(oldest);
        return;
      }
      if (queue.isRunBy(self)) {
        throw full(t);
      }
      t.submitter = self;
      t.parker = onWorker ? workerParker : Parker.LOCK_SUPPORT;
      if (queue.standInLine(t, onWorker)) {
        awaitPlace(t);
        return;
      }
    }
  }

  /**
   * Waits at the task, not at the latch of the worker, though what it waits for is addressed to it
   * alone. The submitter may be any thread; an interrupt ends this wait, and is no end of those at
   * the latch; and it may leave the line, which the lock of the lane decides. A worker needs
   * nothing of its latch here: in its declared section it holds no right and is not counted, so no
   * publish is to find it; it stays AWAKE, so that others look into its queues; and who ends the
   * pool ends the lane first, which calls it.
   *
   * <pre>
   *   T1 waits                         T2 makes a place, or closes the lane
   *   not decided
   *                                    decided, then unpark: the permit stays
   *   parks, and returns at once
   * </pre>
   */
  private void awaitPlace(LaneTask t) throws InterruptedException {
    boolean declared = Thread.currentThread() instanceof WorkerThread && scheduler.beginBlocking();
    boolean interrupted = false;
    try {
      while (!t.decided) {
        Objects.requireNonNull(t.parker).park(this);
        if (Thread.interrupted()) {
          if (queue.leaveLine(t)) {
            throw new InterruptedException();
          }
          interrupted = true; // too late: it is decided
        }
      }
    } finally {
      if (declared) {
        scheduler.endBlocking();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (t.refused) {
      throw closed(t);
    }
    ensureRunner(t);
  }

  /** For an accepted task. Throws only if it was taken back. */
  private void ensureRunner(LaneTask t) {
    if (!queue.needsRunner(t)) {
      return;
    }
    try {
      if (scheduler.publishDeclared(new LaneRunner(this), Placement.QUEUED)) {
        queue.runnerPublished();
      } else if (takeBack(t)) {
        throw closed(t);
      }
    } catch (OutOfMemoryError e) {
      if (takeBack(t)) {
        throw e;
      }
    }
  }

  /** Takes an accepted task back; false: it has begun, is over, or never was accepted. */
  public boolean drop(LaneTask t) {
    scheduler.ensureStack();
    return takeBack(t);
  }

  private boolean takeBack(LaneTask t) {
    if (!queue.withdraw(t)) {
      return false;
    }
    wakeSuccessorOf(t);
    endIfOver();
    return true;
  }

  private void wakeSuccessorOf(LaneTask t) {
    LaneTask accepted = t.successor;
    t.successor = null;
    if (accepted != null) {
      wake(accepted);
    }
  }

  private static void wake(LaneTask t) {
    Objects.requireNonNull(t.parker).unpark(Objects.requireNonNull(t.submitter));
  }

  private RejectedExecutionException full(LaneTask t) {
    return new RejectedExecutionException(
        this + " is full, with " + ((long) threads + capacity) + " tasks, and refuses " + t.task);
  }

  private RejectedExecutionException closed(LaneTask t) {
    return new RejectedExecutionException(this + " is closed and refuses " + t.task);
  }

  // ---- for runners
  // -------------------------------------------------------------------------------

  LaneQueue queue() {
    return queue;
  }

  SchedulerAdapter scheduler() {
    return scheduler;
  }

  Executor onTop() {
    return onTop;
  }

  void reportUncaught(Throwable thrown) {
    uncaught.accept(thrown);
  }

  void finished(LaneTask t) {
    queue.finish(t);
    wakeSuccessorOf(t);
    endIfOver();
    while (t.interruptUnderWay) {
      Thread.yield(); // a moment: an interrupt of this task must not meet the next
    }
  }

  /** False: no memory, the caller must go on. */
  boolean publishRunner() {
    try {
      if (!scheduler.publishContinuation(new LaneRunner(this), Placement.QUEUED)) {
        return false;
      }
    } catch (OutOfMemoryError e) {
      return false;
    }
    queue.runnerPublished();
    return true;
  }

  // ---- the end
  // -----------------------------------------------------------------------------------

  /** Refuses from here on, those too that wait for a place; what was accepted runs. */
  public void shutdown() {
    queue.close();
    for (LaneTask t = queue.refuseNext(); t != null; t = queue.refuseNext()) {
      wake(t);
    }
    endIfOver();
  }

  /** The same, takes back what has not begun, and interrupts what has. */
  public List<Runnable> shutdownNow() {
    List<Runnable> left = takeBack();
    interruptBegun();
    return left;
  }

  /** The same without the interrupts. */
  List<Runnable> takeBack() {
    shutdown();
    List<Runnable> left = new ArrayList<>(queue.waitingCount()); // it grows no more
    for (LaneTask t = queue.takeBack(); t != null; t = queue.takeBack()) {
      left.add(t.task);
    }
    endIfOver();
    return left;
  }

  private void interruptBegun() {
    if (!interrupting.compareAndSet(false, true)) {
      return; // somebody else does it at this moment
    }
    try {
      @Nullable LaneTask[] running = new LaneTask[threads];
      queue.beginInterrupts(running);
      try {
        for (LaneTask t : running) {
          Thread thread = t == null ? null : t.runBy;
          if (thread != null) {
            thread.interrupt();
          }
        }
      } finally {
        for (LaneTask t : running) {
          if (t != null) {
            t.interruptUnderWay = false;
          }
        }
      }
    } finally {
      interrupting.set(false);
    }
  }

  private void endIfOver() {
    if (terminated.getCount() != 0 && queue.isOver()) {
      terminated.countDown();
    }
  }

  /** Whether it refuses tasks. */
  public boolean isShutdown() {
    return queue.isClosed();
  }

  /** Whether it refuses tasks, and all that were accepted are over. */
  public boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  /** As of {@code ExecutorService}; on a worker a declared blocking section. */
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    boolean declared = Thread.currentThread() instanceof WorkerThread && scheduler.beginBlocking();
    try {
      return terminated.await(timeout, unit);
    } finally {
      if (declared) {
        scheduler.endBlocking();
      }
    }
  }

  // ---- reading
  // -----------------------------------------------------------------------------------

  /** Tasks that run. */
  public int running() {
    return queue.begunCount();
  }

  /** Tasks accepted that have not begun. */
  public int waiting() {
    return queue.waitingCount();
  }

  @Override
  public String toString() {
    return "lane " + name + " [" + threads + " threads, " + capacity + " in its queue]";
  }
}
