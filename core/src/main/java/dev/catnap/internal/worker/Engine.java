package dev.catnap.internal.worker;

import dev.catnap.SchedulerStats;
import dev.catnap.ShutdownReport.RunningThread;
import dev.catnap.internal.lane.Lane;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is under a scheduler: one {@link Pool} whose workers steal, or {@link PerCorePools}, where
 * they do not. Thread-safe.
 */
public interface Engine {

  /** Throws a StackOverflowError unless there is room for what its callers do around a call. */
  void ensureStack();

  /** Publishes a new task; false: refused, it is shut down. */
  boolean publish(Runnable task, Placement placement);

  /** Publishes a new task that is one blocking section; false: refused, it is shut down. */
  default boolean publishDeclared(Runnable task, Placement placement) {
    return publish(task, placement);
  }

  /** Publishes something accepted before; false: no worker is sure to look at it any more. */
  boolean publishContinuation(Runnable task, Placement placement);

  /**
   * Publishes a new task to one worker, which alone runs it; false: refused, it is shut down.
   *
   * @param worker not negative, below the parallelism
   */
  boolean publishTo(int worker, Runnable task);

  /** Publishes something accepted before to one worker; false: that worker has ended. */
  boolean publishContinuationTo(int worker, Runnable task);

  /** Whether that worker has a thread, and one that stays; false: the end has come. */
  boolean isAddressable(int worker);

  /** The pool to which belongs what the caller arms now: its own, or any. */
  Pool home();

  /** Whether the caller is on a worker of this engine. */
  boolean isWorker();

  /**
   * Whether the caller is on a thread whose end the end of this engine waits for: that of a worker,
   * one included that has left its loop, on which a hook may be running; or that of the timers or
   * the sentinel, on which a handler may be running.
   */
  boolean isOnOwnThread();

  /** Whether the caller is the thread of a worker itself, not a virtual thread that it carries. */
  default boolean isWorkerThread() {
    return ownWorker() >= 0;
  }

  /** The number of that worker; negative: the caller is none. */
  int ownWorker();

  /**
   * Declares that the platform thread under the caller is about to block; false: not a worker's, or
   * nobody may take over its tasks.
   */
  default boolean beginBlocking() {
    return beginBlocking(null);
  }

  /** The same; see {@code SchedulerAdapter}. */
  boolean beginBlocking(@Nullable BooleanSupplier isEnding);

  /** See {@code SchedulerAdapter}. */
  void blockingGoesOn();

  /** Ends the section. */
  void endBlocking();

  /**
   * Between two tasks that run as one; false: it is not the tasks', see {@code SchedulerAdapter}.
   */
  default boolean clearInterrupt() {
    boolean ignored = Thread.interrupted();
    return true;
  }

  /** How many workers may run at once. */
  int parallelism();

  /** Changes it. */
  void setParallelism(int parallelism);

  /**
   * Says whether that can be.
   *
   * @throws UnsupportedOperationException if it cannot
   */
  void requireResizable();

  /** Refuses new tasks; what was accepted runs. Idempotent. */
  void shutdown();

  /** Refuses new tasks and takes back those that wait; running ones are interrupted. */
  List<Runnable> shutdownNow();

  /** As of {@code ExecutorService}. */
  boolean isShutdown();

  /** As of {@code ExecutorService}. */
  boolean isTerminated();

  /** As of {@code ExecutorService}. */
  boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException;

  /** Waits for the end, and runs what is left where there is no other thread for that. */
  default boolean awaitEnd() throws InterruptedException {
    return awaitTermination(1, TimeUnit.DAYS);
  }

  /** By a worker, which cannot wait for the end: somebody else does, or is about to. */
  default void oweEnd() {}

  /**
   * After termination: waits for threads that have left their loop but are not quite over, at most
   * until {@code System.nanoTime()} has come to {@code deadline}.
   */
  void joinThreads(long deadline) throws InterruptedException;

  /** The same for a moment: what a thread does after its loop is no task of anybody. */
  default void joinThreads() throws InterruptedException {
    joinThreads(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
  }

  /**
   * Takes back delayed tasks that are due later than that; called after {@link #shutdown}.
   *
   * @param nanos from now
   */
  List<TimerNode> takeTimersLaterThan(long nanos);

  /** Its threads that are not over, with what they do at this moment. */
  List<RunningThread> liveThreads();

  /**
   * A lane for blocking tasks; it ends with this engine.
   *
   * @param threads of its tasks at once; the other tasks keep theirs
   * @throws IllegalArgumentException if there may not be so many threads
   * @throws UnsupportedOperationException if nobody takes over for workers that block
   */
  Lane newLane(String name, int threads, int capacity, SchedulerAdapter adapter);

  /** What a publish that was refused is answered with. */
  RejectedExecutionException refused(Object task);

  /** Where tasks of adapters go that {@code shutdownNow} found. */
  Shutdown shutdownSequence();

  /** The name. */
  String name();

  /** What it was built from. */
  PoolConfig config();

  /** A snapshot of every count. */
  SchedulerStats stats();

  /** Where work is stuck, in words. */
  String dump();
}
