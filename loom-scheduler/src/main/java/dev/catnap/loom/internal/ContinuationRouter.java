package dev.catnap.loom.internal;

import dev.catnap.SchedulerStats;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.ContinuationSink;
import dev.catnap.loom.internal.jdk.JdkBridge;
import dev.catnap.loom.internal.jdk.JdkBridge.Submission;
import dev.catnap.loom.internal.jdk.VirtualTask;
import dev.catnap.loom.internal.jdk.VirtualTimer;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of virtual threads, as the JDK sees it. Thread-safe.
 *
 * <p>A virtual thread whose continuation is refused is stranded: whoever joins it waits for ever,
 * and not even a second unpark revives it. So only a start is refused after the scheduler was shut
 * down; {@code Thread.start} then fails and nobody waits. Everything else runs, on the {@link
 * Fallback} if no worker is left.
 *
 * <p>First in, first out: a virtual thread goes behind what is queued. One that is unparked where
 * nothing is queued wakes no other carrier: whoever unparks is mostly about to park.
 */
final class ContinuationRouter implements ContinuationSink, TaskReclaimer, OpenPools.Host {
  private final JdkBridge jdk;
  private final Fallback fallback;

  /** Null until it is bound: a hook may run on a worker before. */
  private volatile @Nullable WorkStealingScheduler scheduler;

  /** All workers of the scheduler, or the one whose virtual threads these are. */
  private volatile @Nullable SchedulerAdapter adapter;

  /** With pools of the same budget, which may leave it none. */
  private volatile boolean sharesThreads;

  ContinuationRouter(JdkBridge jdk) {
    this.jdk = jdk;
    this.fallback = new Fallback(jdk);
  }

  /**
   * The scheduler must exist before the first virtual thread; its worker threads need this object
   * earlier.
   *
   * @param where all its workers, or the one from which these virtual threads do not move
   * @param sharesThreads whether its threads are of a budget
   */
  void bind(WorkStealingScheduler made, SchedulerAdapter where, boolean sharesThreads) {
    this.sharesThreads = sharesThreads;
    adapter = where;
    scheduler = made;
    made.adapter().attach(ContinuationRouter.class, () -> this);
  }

  private WorkStealingScheduler scheduler() {
    return Objects.requireNonNull(scheduler, "virtual thread before its scheduler");
  }

  private SchedulerAdapter adapter() {
    return Objects.requireNonNull(adapter, "virtual thread before its scheduler");
  }

  // ---- continuations

  @Override
  public void execute(Runnable task) {
    switch (jdk.submissionOf(task)) {
      case START -> start(task);
      case CONTINUE -> publish(task, Placement.RESUMED);
      case YIELD -> publish(task, Placement.YIELDED);
      case UNKNOWN -> resume(new Unrecognised(task), Placement.QUEUED);
    }
  }

  /**
   * One of the JDK's default scheduler may be handed over here too: the JDK starts those by way of
   * the pool of the carrier under the caller, which may be a plain task. It is none of ours.
   */
  private void start(Runnable task) {
    if (fallback.is(jdk.schedulerOf(task))) {
      fallback.execute(task);
    } else if (!adapter().publish(task, Placement.QUEUED)) {
      throw new RejectedExecutionException(scheduler() + " is closed and starts no virtual thread");
    }
  }

  @Override
  public void resume(VirtualTask task, Placement placement) {
    publish(task, placement);
  }

  @Override
  public void resumeHere(Runnable task) {
    publish(task, Placement.REQUEUED);
  }

  private void publish(Runnable task, Placement placement) {
    // The JDK hands over a thread that yields on a carrier to the pool of that, whatever its own
    // scheduler is. A poller would go on here for as long as there is traffic, and be waited for.
    if (!isOpen() && jdk.schedulerOf(task) instanceof PollerScheduler pollers) {
      pollers.execute(task);
      return;
    }
    if (!isPublished(task, placement)) {
      fallback.execute(task);
    }
  }

  /**
   * Who unparks a thread in a recursion that is about to meet the end of its stack has told the JDK
   * already that the thread is to run: what needs less stack must take it, or what needs less
   * memory, if the JDK does not try again itself. Whichever error it is, nothing was accepted.
   */
  private boolean isPublished(Runnable task, Placement placement) {
    SchedulerAdapter bound = adapter;
    if (bound == null) {
      return false;
    }
    try {
      return bound.publishContinuation(task, placement);
    } catch (StackOverflowError e) {
      return false;
    } catch (OutOfMemoryError e) {
      if (jdk.resubmitsWithoutMemory()) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Something the JDK did not submit in that form before: a class of ours around it can be
   * recognised.
   */
  private record Unrecognised(Runnable task) implements VirtualTask {
    @Override
    public void run() {
      task.run();
    }
  }

  /**
   * What {@code shutdownNow} found in the queues: starts too, since somebody may wait for their
   * end.
   */
  @Override
  public boolean reclaim(Runnable task) {
    boolean ours = task instanceof VirtualTask || jdk.submissionOf(task) != Submission.UNKNOWN;
    if (ours) {
      fallback.execute(task);
    }
    return ours;
  }

  // ---- pollers of the JDK

  @Override
  public boolean isOpen() {
    WorkStealingScheduler bound = scheduler;
    return bound != null && !bound.isShutdown();
  }

  /** With a thread per core there are none: nobody replaces a worker. */
  @Override
  public boolean hasSpares() {
    WorkStealingScheduler s = scheduler();
    return !sharesThreads && s.maxThreads() > s.parallelism();
  }

  @Override
  public boolean carry(Runnable continuation) {
    Placement placement =
        jdk.submissionOf(continuation) == Submission.YIELD ? Placement.YIELDED : Placement.RESUMED;
    return isPublished(continuation, placement);
  }

  // ---- timers

  @Override
  public void arm(VirtualTimer timer, long delayNanos) {
    try {
      adapter().arm(timer, delayNanos);
    } catch (RuntimeException | Error e) {
      // No memory, or no timer thread. The caller is about to park: it cannot cope, and must be
      // woken.
      timer.moveElsewhere(delayNanos);
    }
  }

  @Override
  public Future<?> scheduleElsewhere(Runnable task, long delayNanos) {
    return fallback.schedule(task, delayNanos);
  }

  // ---- blocking

  @Override
  public boolean beginBlocking() {
    return adapter().beginBlocking();
  }

  @Override
  public void endBlocking() {
    adapter().endBlocking();
  }

  @Override
  public int parallelism() {
    WorkStealingScheduler bound = scheduler;
    return bound == null ? 1 : bound.parallelism(); // by it a parallel stream is split
  }

  @Override
  public void setParallelism(int parallelism) {
    scheduler().setParallelism(parallelism);
  }

  @Override
  public SchedulerStats stats() {
    return scheduler().stats();
  }

  @Override
  public String toString() {
    return "virtual threads on " + scheduler;
  }
}
