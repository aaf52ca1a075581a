package dev.catnap.loom.internal.jdk;

import dev.catnap.SchedulerStats;
import dev.catnap.spi.Placement;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/** What carriers ask of the scheduler that they work for. Thread-safe. */
public interface ContinuationSink extends Executor {

  /**
   * Runs the continuation of a virtual thread.
   *
   * @throws java.util.concurrent.RejectedExecutionException only if that thread was about to start
   */
  @Override
  void execute(Runnable task);

  /** Runs a task that stands for a continuation; never refuses. */
  void resume(VirtualTask task, Placement placement);

  /**
   * Runs a continuation on the worker that calls and is about to look for its next task, so that
   * nobody else need know; never refuses. Behind what that worker has queued, if it has.
   */
  void resumeHere(Runnable task);

  /** Arms the timer on the scheduler's clock, or elsewhere if that is closed; never refuses. */
  void arm(VirtualTimer timer, long delayNanos);

  /** Runs the task after the delay although the scheduler is closed. */
  Future<?> scheduleElsewhere(Runnable task, long delayNanos);

  /** A blocking operation begins below a virtual thread on this worker. False: nothing to end. */
  boolean beginBlocking();

  /** It is over. */
  void endBlocking();

  /** How many workers run at once. */
  int parallelism();

  /** Changes that; throws what {@code WorkStealingScheduler.setParallelism} does. */
  void setParallelism(int parallelism);

  /** What the pool shows of itself to whoever monitors the JVM. */
  SchedulerStats stats();
}
