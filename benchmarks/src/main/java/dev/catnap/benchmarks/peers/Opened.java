package dev.catnap.benchmarks.peers;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A scheduler ready for a workload.
 *
 * @param scheduler what the workload uses
 * @param closer ends its threads, if they end at all
 * @param <T> the type of what the workload uses
 */
public record Opened<T>(T scheduler, Runnable closer) implements AutoCloseable {
  /** No scheduler that works needs so long when nothing runs. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The JVM's own scheduler, which nobody closes. */
  static <T> Opened<T> shared(T scheduler) {
    return new Opened<>(scheduler, () -> {});
  }

  /**
   * Ends it. On another thread, since JMH has no timeout here and a scheduler that does not end
   * would stop the whole run.
   *
   * @throws IllegalStateException if it does not end, or fails to
   */
  @Override
  public void close() {
    FutureTask<?> closing = new FutureTask<>(closer, null);
    Thread.ofPlatform().daemon().name("close").start(closing);
    try {
      closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException("does not close: " + scheduler, e);
    }
  }
}
