package dev.catnap.internal.timer;

import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A delayed or periodic task of {@code ScheduledExecutorService}. One-shot tasks survive a
 * shutdown, periodic ones are cancelled by it, as with {@code ScheduledThreadPoolExecutor}.
 *
 * @param <V> result
 */
public final class ScheduledTask<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {

  /** Where due tasks go. */
  @FunctionalInterface
  public interface Publisher {
    /** Publishes a task that was accepted when it was scheduled. */
    void publish(Runnable task);
  }

  private final TimerQueue queue;
  private final Publisher publisher;

  /** Zero: once. Above: from start to start. Below: from end to start, negated. Nanoseconds. */
  private final long period;

  private final Node node = new Node();

  /** When it is due next; written before it is armed, by one thread at a time. */
  private volatile long time;

  /** A task that runs once. */
  public ScheduledTask(TimerQueue queue, Publisher publisher, Callable<V> callable) {
    super(callable);
    this.queue = queue;
    this.publisher = publisher;
    this.period = 0;
  }

  /** A task that runs again and again, or once and has no result. */
  public ScheduledTask(
      TimerQueue queue, Publisher publisher, Runnable task, @Nullable V result, long period) {
    super(task, result);
    this.queue = queue;
    this.publisher = publisher;
    this.period = period;
  }

  /** The timer of this task. */
  public final class Node extends TimerNode {
    /** The task that belongs to this timer. */
    public ScheduledTask<V> task() {
      return ScheduledTask.this;
    }

    @Override
    protected void fire() {
      publisher.publish(ScheduledTask.this);
    }

    @Override
    protected boolean survivesShutdown() {
      return !isPeriodic();
    }

    @Override
    protected boolean isHandedBack() {
      return true;
    }

    @Override
    protected void dropped() {
      ScheduledTask.super.cancel(false);
    }
  }

  /** False: refused, the scheduler is shut down. */
  public boolean arm(long delayNanos) {
    time = queue.clock().nanoTime() + Math.max(0, delayNanos);
    return queue.arm(node, delayNanos);
  }

  @Override
  public void run() {
    if (period == 0) {
      super.run();
    } else if (queue.isClosed()) {
      super.cancel(false); // it was due, and waited in a queue when the scheduler was shut down
    } else if (super.runAndReset()) {
      armNext();
    }
  }

  private void armNext() {
    boolean armed;
    try {
      long now = queue.clock().nanoTime();
      time = period > 0 ? time + period : now - period;
      armed = queue.arm(node, time - now);
    } catch (OutOfMemoryError | StackOverflowError e) { // it may run on top of one that joins
      setException(e); // it does not run again, and whoever has its future is told
      return;
    }
    if (!armed) {
      super.cancel(false);
    } else if (isCancelled()) {
      queue.cancel(node); // cancelled before it was armed: that call found nothing to remove
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    queue.ensureStack();
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    queue.cancel(node);
    return cancelled;
  }

  @Override
  public boolean isPeriodic() {
    return period != 0;
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(time - queue.clock().nanoTime(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return other == this
        ? 0
        : Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
