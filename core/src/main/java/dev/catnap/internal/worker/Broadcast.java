package dev.catnap.internal.worker;

import dev.catnap.internal.fork.Failures;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One task for every worker, each of which finds it in its inbox. Rayon once let it sleep for ever,
 * since its last look before sleeping forgot the queue of broadcasts; here that look is the
 * worker's own ({@code Sleeper.hasAddressedWork}).
 */
public final class Broadcast implements Runnable {
  private final Runnable task;
  private final AtomicInteger missing;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

  private Broadcast(Runnable task, int workers) {
    this.task = task;
    this.missing = new AtomicInteger(workers);
  }

  /**
   * Publishes it to as many workers as may run at once. If the caller is one of them, that one runs
   * its share now: with the share in its inbox, a task that waits for all of them would wait for
   * itself.
   *
   * @return null: refused, it runs nowhere
   * @throws IllegalStateException if one of them has no thread; it runs nowhere
   */
  public static @Nullable CompletableFuture<@Nullable Void> to(Engine pool, Runnable task) {
    pool.ensureStack();
    int workers = pool.parallelism();
    int self = pool.ownWorker();
    for (int i = 0; i < workers; i++) {
      if (pool.isShutdown() || (i != self && !pool.isAddressable(i))) {
        return null;
      }
    }
    Broadcast broadcast = new Broadcast(task, workers);
    boolean accepted = false;
    for (int i = 0; i < workers; i++) {
      if (i == self) {
        continue;
      }
      if (accepted) {
        broadcast.publishRest(pool, i); // from the first one on it is accepted as a whole
      } else if (pool.publishTo(i, broadcast)) {
        accepted = true;
      } else {
        return null;
      }
    }
    if (0 <= self && self < workers) {
      broadcast.run(); // last: the others run theirs meanwhile
    }
    return broadcast.done;
  }

  private void publishRest(Engine pool, int worker) {
    try {
      if (pool.publishContinuationTo(worker, this)) {
        return;
      }
      fail(new RejectedExecutionException("worker " + worker + " of " + pool + " has ended"));
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(e);
    }
    ran();
  }

  /** On each worker, once. */
  @Override
  public void run() {
    try {
      task.run();
    } catch (Throwable t) {
      fail(t);
    }
    ran();
  }

  /** Instead of one {@link #run}: the scheduler was shut down before. Runs what depends on it. */
  void miss(String scheduler) {
    Throwable why;
    try {
      why =
          new RejectedExecutionException(scheduler + " was shut down before a worker ran " + task);
    } catch (Throwable t) {
      why = t; // there is no memory, or what the task says of itself fails
    }
    fail(why);
    ran();
  }

  private void fail(Throwable t) {
    if (!failure.compareAndSet(null, t)) {
      Throwable ignored = Failures.add(Objects.requireNonNull(failure.get()), t);
    }
  }

  private void ran() {
    if (missing.decrementAndGet() == 0) {
      Throwable first = failure.get();
      if (first == null) {
        done.complete(null);
      } else {
        done.completeExceptionally(first);
      }
    }
  }
}
