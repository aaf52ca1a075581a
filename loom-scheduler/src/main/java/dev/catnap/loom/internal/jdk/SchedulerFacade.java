package dev.catnap.loom.internal.jdk;

import dev.catnap.SchedulerStats;
import dev.catnap.spi.Placement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * What the JDK takes for the pool of the carriers. It has no threads and no tasks: all that comes
 * goes to the scheduler. The JDK gives some calls only to a {@code ForkJoinPool}, so this is one.
 *
 * <p>Its thread factory returns null. Whoever blocks on a carrier in a way that asks the pool for a
 * spare (a condition, {@code managedBlock}) thus gets none, and just blocks.
 */
final class SchedulerFacade extends ForkJoinPool {
  private final ContinuationSink sink;

  SchedulerFacade(ContinuationSink sink) {
    super(1, pool -> null, null, true, 0, 1, 0, pool -> true, 1, TimeUnit.SECONDS);
    this.sink = sink;
  }

  ContinuationSink sink() {
    return sink;
  }

  // ---- what the JDK calls

  @Override
  public void execute(Runnable task) {
    sink.execute(task);
  }

  /**
   * A virtual thread that was unparked before it was quite parked, or whose time is over; on its
   * carrier, which has just left it.
   */
  @Override
  public <T> ForkJoinTask<T> lazySubmit(ForkJoinTask<T> task) {
    Runnable continuation = AdaptedTasks.continuationIn(task);
    sink.resumeHere(continuation != null ? continuation : new ForkJoinContinuation(task));
    return task;
  }

  /** A virtual thread that yielded; on its carrier. */
  @Override
  public <T> ForkJoinTask<T> externalSubmit(ForkJoinTask<T> task) {
    return submit(task, Placement.YIELDED);
  }

  /** Any other start or continue, from JDK 26 on. */
  @Override
  public <T> ForkJoinTask<T> submit(ForkJoinTask<T> task) {
    return submit(task, Placement.QUEUED);
  }

  private <T> ForkJoinTask<T> submit(ForkJoinTask<T> task, Placement placement) {
    Runnable continuation = AdaptedTasks.continuationIn(task);
    if (continuation != null) {
      sink.execute(continuation); // its state says more than the call by which it came
    } else {
      sink.resume(new ForkJoinContinuation(task), placement);
    }
    return task;
  }

  /** The time limit of a sleep, park or wait. From JDK 25 on, where the superclass has it. */
  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    long nanos = Math.max(0, unit.toNanos(delay));
    VirtualTimer timer = new VirtualTimer(sink, command);
    sink.arm(timer, nanos);
    return timer;
  }

  // ---- what a task on a carrier may call, by way of ForkJoinTask.getPool

  @Override
  public void execute(ForkJoinTask<?> task) {
    var ignored = submit(task, Placement.QUEUED);
  }

  @Override
  public <T> ForkJoinTask<T> submit(Callable<T> task) {
    return submit(ForkJoinTask.adapt(task));
  }

  @Override
  public <T> ForkJoinTask<T> submit(Runnable task, T result) {
    return submit(ForkJoinTask.adapt(task, result));
  }

  @Override
  public ForkJoinTask<?> submit(Runnable task) {
    ForkJoinTask<?> whole = task instanceof ForkJoinTask<?> t ? t : ForkJoinTask.adapt(task);
    return submit(whole, Placement.QUEUED);
  }

  @Override
  public <T> T invoke(ForkJoinTask<T> task) {
    return task.invoke(); // on the caller: it may be the only worker
  }

  /** Closing is for the owner of the scheduler. */
  @Override
  public void shutdown() {
    throw new UnsupportedOperationException(sink + " is closed by its owner");
  }

  @Override
  public List<Runnable> shutdownNow() {
    throw new UnsupportedOperationException(sink + " is closed by its owner");
  }

  @Override
  public void close() {
    shutdown();
  }

  @Override
  public int getParallelism() {
    return sink.parallelism();
  }

  // ---- what monitoring shows if this is the default scheduler of the JVM

  @Override
  public int setParallelism(int size) {
    int before = getParallelism();
    sink.setParallelism(size);
    return before;
  }

  @Override
  public int getPoolSize() {
    return sink.stats().threads();
  }

  /** Workers that carry something; also those that search are in it for that moment. */
  @Override
  public int getActiveThreadCount() {
    SchedulerStats stats = sink.stats();
    return Math.max(0, stats.threads() - stats.parkedWorkers() - stats.spareThreads());
  }

  @Override
  public int getRunningThreadCount() {
    return Math.max(0, getActiveThreadCount() - sink.stats().blockedWorkers());
  }

  @Override
  public long getStealCount() {
    return sink.stats().stolen();
  }

  /** All that wait are in this figure, and none in that of the submissions. */
  @Override
  public long getQueuedTaskCount() {
    return sink.stats().queued();
  }

  @Override
  public int getQueuedSubmissionCount() {
    return 0;
  }

  @Override
  public boolean hasQueuedSubmissions() {
    return false;
  }

  @Override
  public boolean isQuiescent() {
    return getActiveThreadCount() == 0 && getQueuedTaskCount() == 0;
  }

  /**
   * Begins as a {@code ForkJoinPool} does, for who reads it by machine: {@code jcmd
   * Thread.vthread_scheduler} prints this.
   */
  @Override
  public String toString() {
    return Objects.toIdentityString(this)
        + "[Running, parallelism = "
        + getParallelism()
        + ", size = "
        + getPoolSize()
        + ", active = "
        + getActiveThreadCount()
        + ", running = "
        + getRunningThreadCount()
        + ", steals = "
        + getStealCount()
        + ", tasks = "
        + getQueuedTaskCount()
        + ", submissions = "
        + getQueuedSubmissionCount()
        + "] "
        + sink;
  }
}
