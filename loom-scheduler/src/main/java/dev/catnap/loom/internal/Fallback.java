package dev.catnap.loom.internal;

import dev.catnap.loom.internal.jdk.JdkBridge;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where virtual threads go on that their scheduler cannot take: it was closed while they were
 * parked (F16), or whoever unparks them has no stack or no memory left for it. The JDK's default
 * scheduler, or daemon threads if that cannot be reached. Thread-safe; starts nothing before it is
 * needed.
 */
final class Fallback implements Executor {
  private final Executor scheduler;

  Fallback(JdkBridge jdk) {
    // What it is now: one that becomes the default itself would have itself for its fallback.
    Executor found = jdk.defaultScheduler();
    scheduler = found != null ? found : OwnThreads.EXECUTOR;
  }

  /** Whether this is that scheduler; that of daemon threads is nobody's. */
  boolean is(@Nullable Executor other) {
    return scheduler == other;
  }

  @Override
  public void execute(Runnable continuation) {
    scheduler.execute(continuation);
  }

  Future<?> schedule(Runnable task, long delayNanos) {
    if (scheduler instanceof ScheduledExecutorService timed) {
      return timed.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    }
    CompletableFuture<@Nullable Void> time =
        new CompletableFuture<@Nullable Void>()
            .completeOnTimeout(null, delayNanos, TimeUnit.NANOSECONDS);
    CompletableFuture<@Nullable Void> fired = time.thenRunAsync(task, this);
    // Cancelling what is returned must disarm the timer, not only ignore it.
    var ignored = fired.whenComplete((nothing, thrown) -> time.complete(null));
    return fired;
  }

  private static final class OwnThreads {
    static final Executor EXECUTOR =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(null, task, "catnap-fallback", 0, false);
              thread.setDaemon(true);
              return thread;
            });
  }
}
