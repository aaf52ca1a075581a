package dev.catnap.internal.queue;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A queue that most never use, first in, first out: an {@link Injector} that is made when it is
 * opened; until then a look is one read. The tasks that are addressed to one worker, which takes
 * them alone (but for {@code shutdownNow}), and those in the background, which any worker takes.
 *
 * <pre>
 *   UNOPENED to OPEN     a thread that publishes into it, the first time
 *   UNOPENED to CLOSED   the worker, at its end; of the background, whoever ends the pool
 *   OPEN     to CLOSED   the same; what was accepted before stays to be taken
 * </pre>
 *
 * Workers look once more after the close, so that a push either came before and is run, or is
 * refused.
 */
public final class Inbox {
  /** For all that are closed unopened: a pool must not need memory to end. */
  private static final Injector CLOSED = new Injector(1);

  static {
    CLOSED.close();
    Runnable ignored = CLOSED.poll(); // a closed one is empty when somebody has been through it
  }

  private final int segmentSize;
  private final AtomicReference<@Nullable Injector> queue = new AtomicReference<>();

  /**
   * Unopened.
   *
   * @param segmentSize see {@link Injector}
   */
  public Inbox(int segmentSize) {
    this.segmentSize = segmentSize;
  }

  /** Any thread. From here on {@link #isUnopened} is false. */
  public void open() {
    if (queue.get() == null) {
      queue.compareAndSet(null, new Injector(segmentSize));
    }
  }

  /** Any thread. Whether nobody ever wanted to publish into it. */
  public boolean isUnopened() {
    return queue.get() == null;
  }

  /**
   * Any thread.
   *
   * @return false: it was never opened, or is closed; the task was not accepted
   * @throws OutOfMemoryError if a segment cannot be allocated; the task was not accepted
   */
  public boolean push(Runnable task) {
    Injector q = queue.get();
    return q != null && q.push(task);
  }

  /** The oldest, or null. */
  public @Nullable Runnable poll() {
    Injector q = queue.get();
    return q == null ? null : q.poll();
  }

  /** Any thread; volatile reads, for a FinalCheck. */
  public boolean isEmpty() {
    Injector q = queue.get();
    return q == null || q.isEmpty();
  }

  /** Any thread; roughly. */
  public int size() {
    Injector q = queue.get();
    return q == null ? 0 : q.size();
  }

  /** Any thread. Idempotent. */
  public void close() {
    if (queue.compareAndSet(null, CLOSED)) {
      return;
    }
    Injector q = queue.get();
    if (q != null) {
      q.close();
    }
  }
}
