package dev.catnap.internal.worker;

import dev.catnap.internal.fork.ForkTask;
import dev.catnap.internal.lane.Lanes;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.timer.ScheduledTask;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.internal.timer.TimerQueue;
import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The way to the end of a pool (G6). The order of the steps is the proof:
 *
 * <pre>
 *   1. phase SHUTDOWN           new tasks are refused from here on
 *   2. lanes are closed         those too who wait for a place there are refused; what was accepted runs
 *      timers are closed        periodic ones are cancelled, delayed tasks still fire
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
 *
 * <p>Pools of one worker each (thread per core) are members of one shutdown, with one {@link
 * Lifecycle}: each step is done in all of them before the next, so a worker that has nothing left
 * rests, and does not end while one of another pool may hand something to it.
 */
public final class Shutdown {
  private final Lanes lanes = new Lanes();

  private record Member(Pool pool, Crew crew, TimerQueue timers, Sentinel sentinel) {}

  private final Lifecycle lifecycle = new Lifecycle();
  private final AtomicReference<List<Member>> members = new AtomicReference<>(List.of());

  /** Pools whose timers may still fire. */
  private final AtomicInteger withTimers;

  /** What is left is not drained: {@link #now} takes it. */
  private volatile boolean takesBack;

  /**
   * Held by who attached them, and by their tasks: those of an application that is gone are too.
   */
  private final AtomicReference<List<WeakReference<TaskReclaimer>>> attached =
      new AtomicReference<>(List.of());

  /** Of so many pools, each of which joins before its first thread starts. */
  Shutdown(int pools) {
    this.withTimers = new AtomicInteger(pools);
  }

  void join(Pool pool, Crew crew, TimerQueue timers, Sentinel sentinel) {
    List<Member> all = new ArrayList<>(members());
    all.add(new Member(pool, crew, timers, sentinel));
    members.set(List.copyOf(all));
  }

  private List<Member> members() {
    return Objects.requireNonNull(members.get());
  }

  Lifecycle lifecycle() {
    return lifecycle;
  }

  /** See {@code SchedulerAdapter.attach}. */
  public <T extends TaskReclaimer> T attach(Class<T> type, Supplier<? extends T> make) {
    T made = null;
    for (; ; ) {
      List<WeakReference<TaskReclaimer>> before = attached();
      List<WeakReference<TaskReclaimer>> after = new ArrayList<>(before.size() + 1);
      for (WeakReference<TaskReclaimer> reference : before) {
        TaskReclaimer r = reference.get();
        if (type.isInstance(r)) {
          return type.cast(r);
        }
        if (r != null) {
          after.add(reference);
        }
      }
      if (made == null) {
        made = Objects.requireNonNull(make.get());
      }
      after.add(new WeakReference<>(made));
      if (attached.compareAndSet(before, after)) {
        return made;
      }
    }
  }

  private List<WeakReference<TaskReclaimer>> attached() {
    return Objects.requireNonNull(attached.get());
  }

  /** Whether {@link #now} has come to the queues, or nothing is left in them. */
  boolean isStopping() {
    return lifecycle.phase() >= Lifecycle.STOPPING;
  }

  /** The lanes for blocking tasks, which end with the pool. */
  public Lanes lanes() {
    return lanes;
  }

  void begin() {
    lifecycle.advanceTo(Lifecycle.SHUTDOWN);
    lanes.shutdown();
    members().forEach(m -> m.timers.close());
  }

  /** Step 3: called once by each pool, when it is shut down and no timer is armed. */
  void noTimersLeft() {
    if (withTimers.decrementAndGet() != 0) {
      return;
    }
    // Else a spare, which has no right to run, would be notified, and run what is to be handed
    // back:
    //   T1 shutdownNow                    T2 spare
    //   no timer is left: DRAINING
    //   notifies
    //                                     DRAINING: needs no right, takes a task
    //   STOPPING, takes what is left
    if (!takesBack) {
      drain();
    }
  }

  /** Steps 3 to 5. */
  private void drain() {
    members().forEach(m -> m.pool.queues().close());
    lifecycle.advanceTo(Lifecycle.DRAINING);
    lifecycle.endDrainingIfNobodyWorks();
    if (lifecycle.phase() >= Lifecycle.STOPPED) {
      members().forEach(m -> m.sentinel.close());
    }
    members().forEach(m -> m.crew.notifyAllWorkers());
    lifecycle.terminateIfNoThreads();
  }

  /** Step 6: nothing is left, nothing can come. */
  void drained() {
    for (Member m : members()) {
      m.sentinel.close();
      m.crew.notifyAllWorkers();
    }
  }

  /**
   * Takes back everything that waits. Workers stand still meanwhile; a task that one of them is
   * moving from queue to queue is not in the list, and that worker runs it, nor is what running
   * tasks resume from now on. So each task ran or is in the list (F14), or it is the scheduler's
   * own and somebody has its future or waits for it: then that tells.
   */
  List<Runnable> now() {
    lifecycle.advanceTo(Lifecycle.SHUTDOWN);
    List<Runnable> left = new ArrayList<>();
    // Before STOPPING: from there on the workers stand still, and the caller may be a virtual
    // thread
    // of theirs. What dropped timers do, and the wait for one that is being fired, may unmount it:
    //   T1 virtual thread                 T2 its worker
    //   STOPPING
    //   unmounts
    //                                     STOPPING: waits for T1, which nobody runs
    takeBackTimers(left);
    members().forEach(m -> m.pool.queues().close());
    List<Broadcast> missed = new ArrayList<>();
    try {
      takeBackQueues(left, missed);
    } finally { // whatever there was no memory for: the pool ends
      stop();
    }
    // Last: what depends on their futures runs here, and may wait for the end of the pool.
    missed.forEach(broadcast -> broadcast.miss(name()));
    return left;
  }

  private void takeBackQueues(List<Runnable> left, List<Broadcast> missed) {
    Sweep sweep = new Sweep();
    if (lifecycle.advanceTo(Lifecycle.STOPPING)) {
      try {
        members().forEach(m -> sweep.take(m.pool));
      } finally {
        lifecycle.advanceTo(Lifecycle.STOPPED);
      }
    }
    try {
      // Not while the workers stand still: what an adapter does may need one of them.
      for (Runnable task : sweep.taken()) {
        if (task instanceof Broadcast broadcast) {
          missed.add(broadcast);
        } else if (!reclaim(task)) {
          left.add(task);
        }
      }
      lanes.takeBack(left);
    } finally {
      Reference.reachabilityFence(sweep); // a lane is held by its runners: all may be in there
    }
  }

  /** Nothing is left; what runs is interrupted. */
  private void stop() {
    lanes.shutdown(); // they are already, unless there was no memory
    members().forEach(m -> m.sentinel.close());
    members().forEach(m -> m.crew.notifyAllWorkers());
    lifecycle.beginInterrupts();
    members().forEach(m -> m.crew.interruptAll());
    lifecycle.terminateIfNoThreads();
  }

  private void takeBackTimers(List<Runnable> left) {
    takesBack = true;
    boolean taken = false;
    try {
      for (Member m : members()) {
        for (TimerNode node : m.timers.closeNow()) {
          if (node instanceof ScheduledTask<?>.Node scheduled) {
            left.add(scheduled.task());
          }
        }
      }
      taken = true;
    } finally {
      if (!taken) { // no memory for the list: then the pool drains, as after shutdown()
        takesBack = false;
        if (withTimers.get() == 0) {
          drain();
        }
      }
    }
  }

  private String name() {
    return members().get(0).pool.name(); // all have the same
  }

  private boolean reclaim(Runnable task) {
    if (lanes.reclaim(task)) {
      return true;
    }
    if (task instanceof ForkTask forked) {
      // A part of a task that runs, or that somebody waits for: the wait ends with this.
      forked.cancel(new CancellationException(name() + " was shut down before it began"));
      return true;
    }
    for (WeakReference<TaskReclaimer> reference : attached()) {
      TaskReclaimer r = reference.get();
      try {
        if (r != null && r.reclaim(task)) {
          return true;
        }
      } catch (Throwable t) {
        members().get(0).pool.reportUncaught(t); // the other tasks must come back all the same
      }
    }
    return false;
  }
}
