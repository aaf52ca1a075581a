package dev.catnap;

import dev.catnap.internal.lane.Lane;
import dev.catnap.internal.lane.LaneTask;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lane of a scheduler for tasks that block: a queue of its own, first in, first out, with a
 * bound, and a limit of tasks that run at once. Made by {@link WorkStealingScheduler#blockingLane}.
 *
 * <p>The tasks run on threads of the scheduler, each in a declared blocking section, so that the
 * scheduler's other tasks keep their workers.
 *
 * <p><b>When the lane is full</b>, {@link #execute} and {@link #submit} refuse the task at once,
 * and {@link #executeAwaiting} and {@link #submitAwaiting} wait for a place. The place of a task is
 * free a moment after its future is done; that of a cancelled future, which has not begun, at once.
 *
 * <p><b>Futures.</b> {@code cancel(true)} interrupts the task if it runs. What a task given to
 * {@code execute} throws goes to the scheduler's uncaught-exception handler.
 *
 * <p><b>Memory effects</b> and containment are those of the scheduler.
 *
 * <p><b>The end.</b> The lane ends with {@link #shutdown}, or with its scheduler: when that is shut
 * down, the lane refuses tasks and those who wait for a place, and what it has accepted runs;
 * {@code shutdownNow} of the scheduler returns the lane's tasks that have not begun, too.
 *
 * <p>Thread-safe. Methods throw {@link NullPointerException} for null arguments. The idea is
 * Tokio's {@code spawn_blocking}; the bound is not.
 */
public final class BlockingLane extends AbstractExecutorService implements AutoCloseable {
  private final WorkStealingScheduler scheduler;
  private final Lane lane;
  private final String name;
  private final int threads;
  private final int queueCapacity;

  BlockingLane(
      WorkStealingScheduler scheduler, Lane lane, String name, int threads, int queueCapacity) {
    this.scheduler = scheduler;
    this.lane = lane;
    this.name = name;
    this.threads = threads;
    this.queueCapacity = queueCapacity;
  }

  // ---- tasks
  // -------------------------------------------------------------------------------------

  /**
   * Runs the task some time later.
   *
   * @param task what to run
   * @throws RejectedExecutionException if the lane is full, or was shut down; it names the lane,
   *     its bound and the task
   * @throws OutOfMemoryError if a queue cannot grow; the task was not accepted
   */
  @Override
  public void execute(Runnable task) {
    lane.execute(ticketOf(task));
  }

  /**
   * The same, but when the lane is full the caller waits for a place.
   *
   * <p>On a worker of the same scheduler waiting is a declared blocking section; and if fewer tasks
   * of the lane run than may, because the scheduler has no thread for them, the caller runs the
   * oldest itself, and perhaps more. A task of this lane does not wait: it might wait for itself.
   * Where two lanes' tasks wait for places in each other, nothing helps.
   *
   * @param task what to run
   * @throws InterruptedException if interrupted while it waits; the task was not accepted
   * @throws RejectedExecutionException if the lane was shut down, also while the caller waits; or
   *     if it is full and the caller is one of its own tasks
   * @throws OutOfMemoryError if a queue cannot grow; the task was not accepted
   */
  public void executeAwaiting(Runnable task) throws InterruptedException {
    lane.executeAwaiting(ticketOf(task));
  }

  /**
   * {@link #executeAwaiting} for a task with a result.
   *
   * @param task what to run
   * @param <T> its result
   * @return its future
   * @throws InterruptedException if interrupted while it waits; the task was not accepted
   * @throws RejectedExecutionException as {@link #executeAwaiting}
   */
  public <T extends @Nullable Object> Future<T> submitAwaiting(Callable<T> task)
      throws InterruptedException {
    RunnableFuture<T> future = newTaskFor(Objects.requireNonNull(task, "task"));
    executeAwaiting(future);
    return future;
  }

  private LaneTask ticketOf(Runnable task) {
    return task instanceof LaneFuture<?> future ? future.newTicket() : lane.ticket(task);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> callable) {
    return new LaneFuture<>(lane, callable);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable task, T value) {
    return new LaneFuture<>(lane, task, value);
  }

  /** Leaves its place when it is cancelled. */
  private static final class LaneFuture<T extends @Nullable Object> extends FutureTask<T> {
    private final Lane lane;
    private volatile @Nullable LaneTask ticket;

    LaneFuture(Lane lane, Callable<T> callable) {
      super(callable);
      this.lane = lane;
    }

    LaneFuture(Lane lane, Runnable task, T value) {
      super(task, value);
      this.lane = lane;
    }

    LaneTask newTicket() {
      LaneTask t = lane.ticket(this);
      ticket = t; // before the lane has it: from then on a cancel finds it
      return t;
    }

    @Override
    protected void done() {
      LaneTask t = ticket;
      if (t != null && isCancelled()) {
        boolean ignored = lane.drop(t); // one that runs, or ran, has left the queue
      }
    }
  }

  // ---- life
  // --------------------------------------------------------------------------------------

  /** Refuses new tasks, and those who wait for a place. Accepted ones run. Returns at once. */
  @Override
  public void shutdown() {
    lane.shutdown();
  }

  /**
   * The same, interrupts tasks that run, and takes back those that have not begun.
   *
   * @return exactly the tasks that were accepted and will not run
   */
  @Override
  public List<Runnable> shutdownNow() {
    return lane.shutdownNow();
  }

  /**
   * {@link #shutdown}, and waits until every accepted task is over. If the waiting thread is
   * interrupted, {@link #shutdownNow}, and it waits on; the interrupt status is set again at the
   * end. Called on a worker of its scheduler, in a task of the lane for example, or in a virtual
   * thread that such a worker carries, it does not wait.
   */
  @Override
  public void close() {
    lane.shutdown();
    if (scheduler.adapter().isWorker()) {
      return;
    }
    boolean interrupted = false;
    for (boolean over = false; !over; ) {
      try {
        over = lane.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        if (!interrupted) {
          lane.shutdownNow();
        }
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isShutdown() {
    return lane.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return lane.isTerminated();
  }

  /** {@inheritDoc} On a worker of its scheduler this is a declared blocking section. */
  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return lane.awaitTermination(timeout, unit);
  }

  // ---- reading
  // -----------------------------------------------------------------------------------

  /**
   * The name that messages carry.
   *
   * @return as given
   */
  public String name() {
    return name;
  }

  /**
   * How many tasks may run at once.
   *
   * @return as given
   */
  public int threads() {
    return threads;
  }

  /**
   * How many more may wait.
   *
   * @return as given
   */
  public int queueCapacity() {
    return queueCapacity;
  }

  /**
   * How many tasks run now.
   *
   * @return at most {@link #threads}
   */
  public int running() {
    return lane.running();
  }

  /**
   * How many accepted tasks have not begun.
   *
   * @return at most {@link #threads} and {@link #queueCapacity} together
   */
  public int waiting() {
    return lane.waiting();
  }

  /** Name, bound and counts in one line. */
  @Override
  public String toString() {
    return lane + " of " + scheduler.name() + ", " + running() + " run, " + waiting() + " wait";
  }
}
