package dev.catnap.internal.worker;

import dev.catnap.internal.timer.ScheduledTask;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.internal.timer.TimerQueue;
import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The way to the end of a pool (G6). The order of the steps is the proof:
 *
 * <pre>
 *   1. phase SHUTDOWN           new tasks are refused from here on
 *   2. timers are closed        periodic ones are cancelled, delayed tasks still fire
 *   3. no timer is left         the injector is closed: each push came before, or returns false
 *   4. phase DRAINING           a worker reads it, then looks everywhere, finds nothing, and ends
 *   5. every worker is notified none sleeps through it
 * </pre>
 *
 * Were 4 before 3, a worker could end, and a push into the still open injector strand. The last
 * thread to end terminates the pool.
 */
public final class Shutdown {
  private final Pool pool;
  private final Lifecycle lifecycle;
  private final Crew crew;
  private final TimerQueue timers;
  private final List<TaskReclaimer> reclaimers = new CopyOnWriteArrayList<>();

  Shutdown(Pool pool, Lifecycle lifecycle, Crew crew, TimerQueue timers) {
    this.pool = pool;
    this.lifecycle = lifecycle;
    this.crew = crew;
    this.timers = timers;
  }

  /** See {@code SchedulerAdapter.addReclaimer}. */
  public void addReclaimer(TaskReclaimer reclaimer) {
    reclaimers.add(reclaimer);
  }

  void begin() {
    lifecycle.advanceTo(Lifecycle.SHUTDOWN);
    timers.close();
  }

  /** Step 3 on: called once, when the pool is shut down and no timer is armed. */
  void noTimersLeft() {
    pool.injector().close();
    lifecycle.advanceTo(Lifecycle.DRAINING);
    crew.notifyAllWorkers();
    lifecycle.terminateIfNoThreads();
  }

  /**
   * Takes back everything that waits. Workers stand still meanwhile; a task that one of them is
   * moving from queue to queue is not in the list, and that worker runs it. So each task ran or is
   * in the list (F14).
   */
  List<Runnable> now() {
    lifecycle.advanceTo(Lifecycle.SHUTDOWN);
    List<Runnable> left = new ArrayList<>();
    boolean sweeper = lifecycle.advanceTo(Lifecycle.STOPPING);
    for (TimerNode node : timers.closeNow()) {
      if (node instanceof ScheduledTask<?>.Node scheduled) {
        left.add(scheduled.task());
      }
    }
    pool.injector().close();
    if (sweeper) {
      try {
        sweep(left);
      } finally {
        lifecycle.advanceTo(Lifecycle.STOPPED);
      }
    }
    crew.notifyAllWorkers();
    crew.interruptAll();
    lifecycle.terminateIfNoThreads();
    return left;
  }

  private void sweep(List<Runnable> left) {
    for (Runnable t = pool.injector().poll(); t != null; t = pool.injector().poll()) {
      handBack(t, left);
    }
    for (Runnable t = pool.pollAfterClose(); t != null; t = pool.pollAfterClose()) {
      handBack(t, left);
    }
    for (int i = 0; i < crew.size(); i++) {
      Worker w = crew.worker(i);
      handBack(w.slot.take(), left);
      for (Runnable t = w.deque.stealOne(); t != null; t = w.deque.stealOne()) {
        handBack(t, left);
      }
    }
  }

  private void handBack(@Nullable Runnable task, List<Runnable> left) {
    if (task == null) {
      return;
    }
    for (TaskReclaimer r : reclaimers) {
      if (r.reclaim(task)) {
        return;
      }
    }
    left.add(task);
  }
}
