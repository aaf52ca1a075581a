package dev.catnap.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Threads of no scheduler, platform or virtual. */
public final class AnyThread {
  private AnyThread() {}

  /** Starts a daemon; a platform thread also where the JVM has no others. */
  public static Thread start(boolean virtual, Runnable body) throws Exception {
    if (virtual && Runtime.version().feature() >= 21) {
      Object thread =
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
      return (Thread) thread;
    }
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Calls it on such a thread, so that a hang is a failure, and not one of the test. */
  public static <T> T call(boolean virtual, Callable<T> body) throws Exception {
    FutureTask<T> task = new FutureTask<>(body);
    Thread thread = start(virtual, task);
    T result = task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    thread.join();
    return result;
  }
}
