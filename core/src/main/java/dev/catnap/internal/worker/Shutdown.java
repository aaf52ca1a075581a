package dev.catnap.internal.worker;

import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.timer.ScheduledTask;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.internal.timer.TimerQueue;
import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The way to the end of a pool (G6). The order of the steps is the proof:
 *
 * <pre>
 *   1. phase SHUTDOWN           new tasks are refused from here on
 *   2. timers are closed        periodic ones are cancelled, delayed tasks still fire
 *   3. no timer is left         the injector is closed: each push came before, or returns false
 *   4. phase DRAINING           a worker reads it, then looks everywhere, finds nothing, and rests
 *   5. every worker is notified none sleeps through it
 *   6. the last worker rests    phase STOPPED, and every worker is notified again: they end
 * </pre>
 *
 * Were 4 before 3, all workers could rest, and a push into the still open injector strand. Were 6
 * left out, and each worker ended by itself:
 *
 * <pre>
 *   T1 worker                        T2 worker
 *   runs a task
 *                                    finds nothing, ends
 *   its task spawns another, and waits for it: nobody is left to run it
 * </pre>
 *
 * The last thread to end terminates the pool.
 */
public final class Shutdown {
  private final Pool pool;
  private final Lifecycle lifecycle;
  private final Crew crew;
  private final TimerQueue timers;
  private final Sentinel sentinel;
  private final AtomicReference<List<TaskReclaimer>> attached = new AtomicReference<>(List.of());

  Shutdown(Pool pool, Lifecycle lifecycle, Crew crew, TimerQueue timers, Sentinel sentinel) {
    this.pool = pool;
    this.lifecycle = lifecycle;
    this.crew = crew;
    this.timers = timers;
    this.sentinel = sentinel;
  }

  /** See {@code SchedulerAdapter.attach}. */
  public <T extends TaskReclaimer> T attach(Class<T> type, Supplier<? extends T> make) {
    T made = null;
    for (; ; ) {
      List<TaskReclaimer> before = attached();
      for (TaskReclaimer r : before) {
        if (type.isInstance(r)) {
          return type.cast(r);
        }
      }
      if (made == null) {
        made = Objects.requireNonNull(make.get());
      }
      List<TaskReclaimer> after = new ArrayList<>(before);
      after.add(made);
      if (attached.compareAndSet(before, after)) {
        return made;
      }
    }
  }

  private List<TaskReclaimer> attached() {
    return Objects.requireNonNull(attached.get());
  }

  void begin() {
    lifecycle.advanceTo(Lifecycle.SHUTDOWN);
    timers.close();
  }

  /** Step 3 on: called once, when the pool is shut down and no timer is armed. */
  void noTimersLeft() {
    pool.closeInjectors();
    lifecycle.advanceTo(Lifecycle.DRAINING);
    lifecycle.endDrainingIfNobodyWorks();
    if (lifecycle.phase() >= Lifecycle.STOPPED) {
      sentinel.close();
    }
    crew.notifyAllWorkers();
    lifecycle.terminateIfNoThreads();
  }

  /** Step 6: nothing is left, nothing can come. */
  void drained() {
    sentinel.close();
    crew.notifyAllWorkers();
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
    pool.closeInjectors();
    List<Runnable> swept = new ArrayList<>();
    if (sweeper) {
      try {
        sweep(swept);
      } finally {
        lifecycle.advanceTo(Lifecycle.STOPPED);
      }
    }
    sentinel.close();
    // Not while the workers stand still: what an adapter does may need one of them.
    for (Runnable task : swept) {
      if (!reclaim(task)) {
        left.add(task);
      }
    }
    crew.notifyAllWorkers();
    crew.interruptAll();
    lifecycle.terminateIfNoThreads();
    return left;
  }

  private void sweep(List<Runnable> swept) {
    Injector injector = pool.injector();
    for (Runnable t = injector.poll(); t != null; t = injector.poll()) {
      swept.add(t);
    }
    for (Runnable t = pool.background().poll(); t != null; t = pool.background().poll()) {
      swept.add(t);
    }
    for (Runnable t = pool.pollAfterClose(); t != null; t = pool.pollAfterClose()) {
      swept.add(t);
    }
    for (int i = 0; i < crew.size(); i++) {
      Worker w = crew.worker(i);
      Runnable next = w.slot.take();
      if (next != null) {
        swept.add(next);
      }
      for (Runnable t = w.deque.stealOne(); t != null; t = w.deque.stealOne()) {
        swept.add(t);
      }
    }
  }

  private boolean reclaim(Runnable task) {
    for (TaskReclaimer r : attached()) {
      try {
        if (r.reclaim(task)) {
          return true;
        }
      } catch (Throwable t) {
        crew.reportUncaught(t); // the other tasks must come back all the same
      }
    }
    return false;
  }
}
