package dev.catnap.internal.worker;

import dev.catnap.Joined;
import dev.catnap.internal.fork.Branch;
import dev.catnap.internal.fork.CallBranch;
import dev.catnap.internal.fork.Failures;
import dev.catnap.internal.fork.ForkDeque;
import dev.catnap.internal.fork.ForkTask;
import dev.catnap.internal.fork.RunBranch;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.sleep.Awaited;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.stack.Headroom;
import dev.catnap.internal.stack.StackReserve;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What one worker has forked, and what it waits for. Called by the worker's own thread, unless it
 * says otherwise; never in a virtual thread that it carries.
 *
 * <p>While it waits in the middle of a task it runs others, on top of that task's frames. Nobody
 * waits in a circle: whoever waits does so for a task that began later than the waiting one, or
 * that lies where somebody takes it.
 */
final class Forks {
  /**
   * A worker that waits runs so many tasks of others on top of each other. Then it waits in a
   * declared blocking section instead, and a spare takes its place (G9). Each may bring a recursion
   * of its own: 32 of them with 16 KB each fill half of a stack of 1 MB.
   */
  static final int NESTING_LIMIT = 32;

  /** So many forked tasks in a row, then the other queues of this worker have a turn (G5). */
  static final int BUDGET = 61;

  private final Worker worker;
  private final Pool pool;
  private final Sleep sleep;
  private final boolean never = StackReserve.never();

  /** Made at the first fork. Written by the worker, before it pushes; read by thieves. */
  private volatile @Nullable ForkDeque deque;

  /** What the innermost wait is for. */
  private @Nullable Awaited awaited;

  /** It is over, or this worker, which parks instead of running others, is missed. */
  private final Awaited awaitedOrMissed;

  /** An interrupt that came for the task that waits, while it did. */
  private boolean interrupted;

  /** Tasks of others on this stack. */
  private int nesting;

  private int streak;
  private boolean tookOwn;

  Forks(Worker worker, Pool pool, Sleep sleep) {
    this.worker = worker;
    this.pool = pool;
    this.sleep = sleep;
    this.awaitedOrMissed = () -> isWaitOver() || !worker.section().isReplaced();
  }

  // ---- forking
  // -----------------------------------------------------------------------------------

  void join(Runnable left, Runnable right) {
    RunBranch branch = new RunBranch(right, worker);
    push(branch); // if this throws, neither has begun
    try {
      publish();
      left.run();
    } catch (Throwable t) {
      throw Failures.raise(leftFailed(t, branch));
    }
    if (takeBack(branch)) {
      try {
        right.run();
      } catch (Throwable t) {
        throw Failures.raise(t);
      }
    } else {
      await(branch);
      branch.rethrow();
    }
  }

  <A extends @Nullable Object, B extends @Nullable Object> Joined<A, B> join(
      Callable<A> left, Callable<B> right) {
    CallBranch<B> branch = new CallBranch<>(right, worker);
    push(branch);
    A a;
    try {
      publish();
      a = left.call();
    } catch (Throwable t) {
      throw Failures.raise(leftFailed(t, branch));
    }
    if (takeBack(branch)) {
      try {
        return new Joined<>(a, right.call());
      } catch (Throwable t) {
        throw Failures.raise(t);
      }
    }
    await(branch);
    return new Joined<>(a, branch.get());
  }

  /** The right branch is not run if nobody has begun it; else it is over when this returns. */
  private Throwable leftFailed(Throwable thrown, Branch branch) {
    ForkDeque d = deque;
    if (d != null && d.popIf(branch)) {
      worker.counters.add(Count.PUBLISHED, -1); // as if it had never been
      return thrown;
    }
    await(branch);
    return Failures.add(thrown, branch.failure());
  }

  /** True: nobody has begun it, and the caller runs it. */
  private boolean takeBack(Branch branch) {
    ForkDeque d = deque;
    if (d == null || !d.popIf(branch)) {
      return false;
    }
    worker.counters.increment(Count.EXECUTED); // the sentinel sees that this worker gets on
    return true;
  }

  /** Push, and with it PushFence. Throws before anything has changed. */
  void push(ForkTask task) {
    StackReserve.requireLittle(never);
    ForkDeque d = deque;
    if (d == null) {
      d = worker.newForkDeque();
      deque = d;
    }
    d.push(task);
    worker.counters.increment(Count.PUBLISHED);
  }

  /** The rest of Publish. */
  void publish() {
    worker.publisher.publishForked();
  }

  // ---- as a queue
  // --------------------------------------------------------------------------------

  /** The newest, for {@link #BUDGET} times in a row. */
  @Nullable Runnable popInTurn() {
    ForkDeque d = deque;
    if (d == null) {
      return null;
    }
    if (streak >= BUDGET) {
      streak = 0;
      return null;
    }
    Runnable task = d.pop();
    if (task == null) {
      streak = 0;
    } else {
      streak++;
      tookOwn = true;
    }
    return task;
  }

  /** Before a search: what many forks took is given back. */
  void trim() {
    ForkDeque d = deque;
    if (d != null) {
      d.trim();
    }
  }

  @Nullable Runnable pop() {
    ForkDeque d = deque;
    return d == null ? null : d.pop();
  }

  /** Any thread but the worker's. */
  @Nullable ForkTask steal() {
    ForkDeque d = deque;
    return d == null ? null : d.steal();
  }

  /** Any thread. */
  boolean isEmpty() {
    ForkDeque d = deque;
    return d == null || d.isEmpty();
  }

  /** Any thread. */
  int size() {
    ForkDeque d = deque;
    return d == null ? 0 : d.size();
  }

  // ---- waiting
  // -----------------------------------------------------------------------------------

  /** Whether this worker is in the middle of a task, and searches for another on top of it. */
  boolean isWaiting() {
    return awaited != null;
  }

  /** Whether it waits for something that is done. */
  boolean isWaitOver() {
    Awaited a = awaited;
    return a != null && a.isDone();
  }

  /** An interrupt came while it was parked. */
  void interruptedAsleep() {
    interrupted |= awaited != null;
  }

  /** Returns when it is done; until then this worker runs other tasks, or sleeps. */
  void await(Awaited what) {
    if (what.isDone()) {
      return;
    }
    if (!Headroom.isThere()) {
      awaitAtTheEndOfTheStack(what);
      return;
    }
    Awaited outer = awaited;
    boolean outerInterrupted = interrupted;
    boolean wasStopped = pool.phase() >= Lifecycle.STOPPING;
    Containment.Traits traits = worker.suspendTask();
    awaited = what;
    interrupted = false;
    try {
      while (!what.isDone()) {
        runAnother(what);
      }
    } finally {
      // shutdownNow interrupts whatever runs: this task as well, though another one saw it.
      boolean stopped = !wasStopped && pool.phase() >= Lifecycle.STOPPING;
      boolean ours = Thread.interrupted() || interrupted || stopped;
      awaited = outer;
      interrupted = outerInterrupted;
      worker.resumeTask(traits, ours);
    }
  }

  /** One task, or one sleep. */
  private void runAnother(Awaited what) {
    tookOwn = false;
    boolean parks = mustNotRunOthers();
    Runnable task = parks ? popInTurn() : null;
    if (task == null && parks && block(what)) {
      return;
    }
    if (task == null) {
      task = worker.taskWhileWaiting();
    }
    if (task == null) {
      return;
    }
    int more = tookOwn ? 0 : 1;
    nesting += more;
    // An interrupt that came up to here is for the task that waits, and the next one does not see
    // it; one that the next one leaves behind is not for this.
    interrupted |= Thread.interrupted();
    try {
      worker.executeNested(task);
    } finally {
      nesting -= more;
      boolean ignored = Thread.interrupted();
    }
  }

  private boolean mustNotRunOthers() {
    return worker.section().isOpen() || nesting >= NESTING_LIMIT || pool.isSurplus();
  }

  /**
   * Parks, as in a declared blocking section, until it is done, or this worker is missed. False:
   * nobody can take its place, so it must go on; else all could wait for what lies in queues.
   */
  private boolean block(Awaited what) {
    if (!isEmpty()) {
      return true; // the budget is used up, and there is more: none of it may be left behind
    }
    Section section = worker.section();
    if (section.hasGivenUpRight()) {
      sleep.await(worker, what);
      return true;
    }
    if (!section.beginReplaced(worker)) {
      return false;
    }
    try {
      sleep.await(worker, awaitedOrMissed);
    } finally {
      section.endReplaced();
    }
    return true;
  }

  /**
   * There is no room for the protocol on this stack: only for what this worker forked itself, which
   * will not have enough either, and tell it to who waits. Then it parks. It keeps its right, since
   * to hand it on may take a new thread, for which there is no room; if tasks wait meanwhile, the
   * sentinel takes it, as from every worker that blocks without a word (G9).
   *
   * <p>Less is needed here than this stack has had room for already: who waits has pushed what it
   * waits for, and published it, from a frame like the one that calls this.
   */
  private void awaitAtTheEndOfTheStack(Awaited what) {
    Awaited outer = awaited;
    boolean outerInterrupted = interrupted;
    awaited = what; // for interruptedAsleep: an interrupt is for the task that waits
    interrupted = false;
    try {
      while (!what.isDone()) {
        Runnable own = pop();
        if (own != null) {
          worker.counters.increment(Count.EXECUTED);
          own.run();
        } else {
          park(what);
        }
      }
    } finally {
      boolean ours = interrupted;
      awaited = outer;
      interrupted = outerInterrupted;
      if (ours) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void park(Awaited what) {
    try {
      sleep.await(worker, what);
    } catch (StackOverflowError e) {
      Thread.yield(); // not even for that; and to throw would leave the branch running alone
    }
  }
}
