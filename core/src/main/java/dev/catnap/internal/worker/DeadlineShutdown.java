package dev.catnap.internal.worker;

import dev.catnap.ShutdownReport;
import dev.catnap.ShutdownReport.Activity;
import dev.catnap.ShutdownReport.Outcome;
import dev.catnap.ShutdownReport.RunningThread;
import dev.catnap.internal.timer.ScheduledTask;
import dev.catnap.internal.timer.TimerNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The end of a pool within a time (G6):
 *
 * <pre>
 *   1. refuse      as shutdown(); delayed tasks that are due after the time to drain are taken back
 *   2. drain       waits until all is over, at most so long
 *   3. interrupt   as shutdownNow(), and waits again, at most so long
 *   4. report      what was taken back, and who still runs
 * </pre>
 *
 * Whatever the pool's threads do: tasks are not all of the application's code that they run.
 *
 * <p>Of one call, and used by its thread alone; several may be under way.
 */
public final class DeadlineShutdown {
  /** After the last deadline no task runs, but threads may be about to end: a look in between. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Each thread that ends has hooks to call. They have so long after the last deadline. */
  private static final long HOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * So long a thread may be on its way, on a machine with other things to do, and not be told of.
   */
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Engine pool;
  private boolean callerInterrupted;

  private DeadlineShutdown(Engine pool) {
    this.pool = pool;
  }

  /**
   * Ends the pool.
   *
   * @throws IllegalArgumentException if a time is negative; nothing has happened then
   * @throws IllegalStateException on a thread of the pool; nothing has happened then
   */
  public static ShutdownReport run(Engine pool, Duration drain, Duration interrupt) {
    long drainNanos = toNanos("drain", drain);
    long interruptNanos = toNanos("interrupt", interrupt);
    if (pool.isOnOwnThread()) {
      throw new IllegalStateException(
          "a task, a hook or a handler on a thread of "
              + pool.name()
              + " cannot wait for the end of its threads; close() and shutdown() do not wait"
              + " there");
    }
    DeadlineShutdown call = new DeadlineShutdown(pool);
    try {
      return call.run(drainNanos, interruptNanos);
    } finally {
      if (call.callerInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Whether the times may be.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public static void check(Duration drain, Duration interrupt) {
    long ignored = toNanos("drain", drain);
    ignored = toNanos("interrupt", interrupt);
  }

  private static long toNanos(String what, Duration d) {
    if (d.isNegative()) {
      throw new IllegalArgumentException(what + " must not be negative: " + d);
    }
    return d.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? d.toNanos() : Long.MAX_VALUE;
  }

  private ShutdownReport run(long drainNanos, long interruptNanos) {
    List<Runnable> takenBack = new ArrayList<>();
    long start = System.nanoTime();
    pool.shutdown();
    for (TimerNode node : pool.takeTimersLaterThan(drainNanos)) {
      if (node instanceof ScheduledTask<?>.Node scheduled) {
        takenBack.add(scheduled.task());
      }
    }
    boolean drained = await(drainNanos);
    Duration drainTook = since(start);
    if (drained) {
      joinThreads();
      return report(Outcome.DRAINED, drainTook, Duration.ZERO, takenBack, List.of());
    }
    start = System.nanoTime();
    takenBack.addAll(pool.shutdownNow());
    List<RunningThread> running = new ArrayList<>();
    boolean over = await(interruptNanos) || awaitMoment(running);
    Duration interruptTook = since(start);
    if (!over) {
      return report(Outcome.STILL_RUNNING, drainTook, interruptTook, takenBack, running);
    }
    joinThreads();
    return report(Outcome.INTERRUPTED, drainTook, interruptTook, takenBack, List.of());
  }

  /**
   * After the last deadline. A worker between two tasks, or about to end, is not what the caller
   * wants to hear of: it ends, or runs what it had in its hands, within a moment. But only a moment
   * is waited for, whoever it is: not each thread that keeps the pool from its end runs a task.
   *
   * @param running receives who does, if not all is over
   * @return whether all is
   */
  private boolean awaitMoment(List<RunningThread> running) {
    long start = System.nanoTime();
    do {
      long waited = System.nanoTime() - start;
      boolean runsTask = false;
      List<RunningThread> inTasksOrHooks = new ArrayList<>();
      List<RunningThread> live = pool.liveThreads();
      for (RunningThread t : live) {
        runsTask |= t.activity() == Activity.TASK;
        if (t.activity() != Activity.OTHER) {
          inTasksOrHooks.add(t);
        }
      }
      if (runsTask || (waited >= HOOKS_NANOS && !inTasksOrHooks.isEmpty())) {
        running.addAll(inTasksOrHooks);
        return false;
      }
      if (waited >= END_NANOS) {
        running.addAll(live);
        return false;
      }
    } while (!await(LOOK_NANOS));
    return true;
  }

  /** Whether the pool has terminated. An interrupt of the caller ends the phase. */
  private boolean await(long nanos) {
    try {
      return pool.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      callerInterrupted = true;
      return pool.isTerminated();
    }
  }

  private void joinThreads() {
    try {
      pool.joinThreads();
    } catch (InterruptedException e) {
      callerInterrupted = true; // they end without being waited for
    }
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private ShutdownReport report(
      Outcome outcome,
      Duration drainTook,
      Duration interruptTook,
      List<Runnable> takenBack,
      List<RunningThread> running) {
    return new ShutdownReport(pool.name(), outcome, drainTook, interruptTook, takenBack, running);
  }
}
