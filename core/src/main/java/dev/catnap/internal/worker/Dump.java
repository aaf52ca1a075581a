package dev.catnap.internal.worker;

import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.sentinel.Sentinel;
import java.util.concurrent.locks.LockSupport;

/**
 * Where work is stuck, in words: what waits, who runs, and at which line. Reading it disturbs no
 * worker but for the stack traces, which stop each thread for a moment.
 */
final class Dump {
  /** Deep enough to reach the caller's own code through the frames of its libraries. */
  private static final int FRAMES = 32;

  private Dump() {}

  static String of(Pool pool, Crew crew, Sentinel sentinel) {
    StringBuilder text = new StringBuilder();
    text.append(pool).append(", sentinel ").append(sentinel).append('\n');
    text.append("parallelism ").append(crew.parallelism());
    text.append(", threads ").append(crew.starter().threadCount());
    text.append(" of ").append(pool.config().maxThreads());
    if (pool.config().budget() != null) {
      text.append(", budget: ").append(pool.config().budget());
    }
    text.append("; waiting: ").append(pool.queues().injector().size()).append(" injected, ");
    text.append(pool.queues().background().size()).append(" in the background; ");
    text.append(pool.timers().size()).append(" timers armed\n");
    for (int i = 0; i < pool.workerCount(); i++) {
      describe(pool, pool.worker(i), text);
    }
    return text.toString();
  }

  private static void describe(Pool pool, Worker w, StringBuilder text) {
    text.append(w.threadName()).append(": ").append(w.latchState());
    text.append(", ").append(w.counters.get(Count.EXECUTED)).append(" tasks begun");
    text.append(", ").append(w.deque.size()).append(" queued");
    if (!w.forks.isEmpty()) {
      text.append(" and ").append(w.forks.size()).append(" forked");
    }
    if (!w.slot.isEmpty()) {
      text.append(" and 1 in its slot");
    }
    if (!w.inbox.isEmpty()) {
      text.append(" and ").append(w.inbox.size()).append(" for it alone");
    }
    if (w.right.isTaken()) {
      text.append(", replaced by a spare since it does not come back");
    } else if (w.right.isGiven() && w.isAwake()) {
      text.append(", in a blocking section");
    }
    Thread t = w.thread();
    if (!w.isAwake() || t == null) {
      text.append('\n');
      return;
    }
    Thread carried = pool.config().locator().carriedBy(t);
    if (carried != null) {
      text.append(", carries ").append(carried);
      t = carried;
    }
    text.append(", ").append(t.getState());
    Object blocker = LockSupport.getBlocker(t);
    if (blocker != null) {
      text.append(" on ").append(blocker.getClass().getName());
    }
    text.append('\n');
    StackTraceElement[] stack = t.getStackTrace();
    for (int i = 0; i < Math.min(stack.length, FRAMES); i++) {
      text.append("    at ").append(stack[i]).append('\n');
    }
    if (stack.length > FRAMES) {
      text.append("    ... ").append(stack.length - FRAMES).append(" more\n");
    }
  }
}
