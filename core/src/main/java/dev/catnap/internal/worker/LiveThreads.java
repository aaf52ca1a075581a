package dev.catnap.internal.worker;

import dev.catnap.ShutdownReport.Activity;
import dev.catnap.ShutdownReport.RunningThread;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads of a pool that are not over, and what they do at this moment. A worker does not say
 * that it runs a task, for it would have to say so twice per task; its stack tells.
 */
final class LiveThreads {
  private static final String WORKER = Worker.class.getName();
  private static final String HOOKS = HookCalls.class.getName();

  private LiveThreads() {}

  static List<RunningThread> of(Pool pool, List<Thread> threads) {
    List<RunningThread> found = new ArrayList<>();
    for (Thread t : threads) {
      if (t.isAlive()) {
        found.add(describe(pool, t));
      }
    }
    return found;
  }

  private static RunningThread describe(Pool pool, Thread thread) {
    Activity activity = activity(thread.getStackTrace());
    Thread carried = pool.config().locator().carriedBy(thread);
    Thread t = carried != null ? carried : thread;
    return new RunningThread(t.getName(), activity, t.getState(), List.of(t.getStackTrace()));
  }

  /** From the innermost frame: a hook may join, and its thread run tasks on top of it. */
  private static Activity activity(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (isCall(frame, WORKER, Worker.EXECUTE)) {
        return Activity.TASK;
      }
      if (isCall(frame, HOOKS, HookCalls.CALL)) {
        return Activity.HOOK;
      }
    }
    return Activity.OTHER;
  }

  private static boolean isCall(StackTraceElement frame, String type, String method) {
    return frame.getMethodName().equals(method) && frame.getClassName().equals(type);
  }
}
