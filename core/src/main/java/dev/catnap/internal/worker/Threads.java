package dev.catnap.internal.worker;

import dev.catnap.spi.WorkerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * How the threads of a pool are made, as the builder has it; those that are on their way out; and
 * to whom it is told what they throw. Thread-safe.
 */
final class Threads {
  /** Pauses between the tries to start the thread of a build: 1, 2, 4 ... ms, 63 in all. */
  private static final int PAUSES = 6;

  private final PoolConfig config;
  private final Lifecycle lifecycle;

  /** In their last hooks; their workers may have other threads. */
  private final AtomicReference<List<Thread>> leaving = new AtomicReference<>(List.of());

  Threads(PoolConfig config, Lifecycle lifecycle) {
    this.config = config;
    this.lifecycle = lifecycle;
  }

  /**
   * Made by the factory of the builder, and not started.
   *
   * @throws IllegalStateException if the factory made none that is fit
   */
  Thread newThread(Worker w) {
    Thread thread = Privileged.newThread(() -> config.threadFactory().newThread(w));
    if (thread == null) {
      throw new IllegalStateException("the thread factory returned null");
    }
    if (!(thread instanceof WorkerThread carrier) || carrier.worker() != w) {
      throw new IllegalStateException(
          "the thread factory returned "
              + thread.getClass().getName()
              + ", which does not implement WorkerThread with the body that it was given");
    }
    config.threads().applyTo(thread);
    return thread;
  }

  /**
   * Starts the thread of a worker while its pool is built. One that has ended, and was joined,
   * still counts where the number of threads is limited, until the operating system has cleared it
   * away. A thread factory may have such, as that of carriers has, whose spacers have just ended:
   *
   * <pre>
   *   T1 builds, at the limit            T2, which was joined
   *   cannot be started
   *                                      is cleared away: there would be room
   * </pre>
   *
   * @throws OutOfMemoryError if there is still no room after a while
   */
  static void startPatiently(Thread thread) {
    for (int i = 0; ; i++) {
      try {
        thread.start();
        return;
      } catch (OutOfMemoryError e) {
        if (i == PAUSES) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1L << i));
      }
    }
  }

  /** Tells the factory that the last worker of the build was started. */
  static void workersStarted(PoolConfig config) {
    try {
      config.threadFactory().workersStarted();
    } catch (Throwable t) {
      reportUncaught(config, t);
    }
  }

  /** False: the pool is over. */
  boolean startTimer(Runnable body) {
    return startHelper("timer", body);
  }

  /** False: the pool is over. */
  boolean startSentinel(Runnable body) {
    return startHelper("sentinel", body);
  }

  void reportSentinelNotStarted(Throwable cause) {
    reportNotStarted("the sentinel", cause);
  }

  /**
   * Throws nothing: what the thread is for was published before, and whoever published it would
   * take it for refused, and run it elsewhere as well.
   */
  void reportNotStarted(String what, Throwable cause) {
    Throwable report;
    try {
      report =
          new IllegalStateException(
              what
                  + " of "
                  + config.name()
                  + " could not be started; it is tried again with later tasks",
              cause);
    } catch (OutOfMemoryError e) {
      report = cause; // where there is no memory for a thread, there may be none for words
    }
    reportUncaught(report);
  }

  private boolean startHelper(String role, Runnable body) {
    Runnable whole =
        () -> {
          try {
            body.run();
          } finally {
            lifecycle.removeThread();
          }
        };
    ThreadSettings settings = config.threads();
    String name = config.name() + "-" + role;
    Thread thread = Privileged.newThread(() -> new Thread(settings.group(), whole, name, 0, false));
    thread.setDaemon(config.daemon());
    settings.applyToHelper(thread);
    if (!lifecycle.tryAddThread()) {
      return false;
    }
    try {
      thread.start();
    } catch (Throwable t) {
      lifecycle.removeThread();
      throw t;
    }
    return true;
  }

  /** By a thread that has left its loop and has hooks to call. */
  void leaves(Thread thread) {
    updateLeaving(all -> all.add(thread));
  }

  void hasLeft(Thread thread) {
    updateLeaving(all -> all.remove(thread));
  }

  private void updateLeaving(Consumer<List<Thread>> change) {
    List<Thread> before;
    List<Thread> after;
    do {
      before = leaving();
      after = new ArrayList<>(before);
      change.accept(after);
    } while (!leaving.compareAndSet(before, after));
  }

  /** They may be over. */
  List<Thread> leaving() {
    return Objects.requireNonNull(leaving.get());
  }

  /**
   * To the builder's handler, else to that of the thread; what the handler throws ends here, as in
   * a JVM.
   */
  void reportUncaught(Throwable thrown) {
    reportUncaught(config, thrown);
  }

  private static void reportUncaught(PoolConfig config, Throwable thrown) {
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler handler = config.handler();
    try {
      (handler != null ? handler : thread.getUncaughtExceptionHandler())
          .uncaughtException(thread, thrown);
    } catch (Throwable fromHandler) {
      // Contained (F7): the JVM ignores it as well, and there is nobody left to tell.
      return;
    }
  }
}
