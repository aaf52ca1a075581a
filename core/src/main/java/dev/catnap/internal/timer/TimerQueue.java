package dev.catnap.internal.timer;

import dev.catnap.internal.atomic.SpinLock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The armed timers of one scheduler (G11). Thread-safe. A timer fires at most once per arming, not
 * before its deadline, and in the order of deadlines; cancelling removes it at once.
 *
 * <p>No wakeup is lost: the thread computes how long to park under the lock and parks outside; who
 * arms an earlier timer in between unparks it, and the permit makes that park return.
 */
public final class TimerQueue {
  /** The longest delay, 146 years: differences of deadlines must not overflow. */
  private static final long LONGEST_DELAY = Long.MAX_VALUE / 2;

  /** When memory is short, a timer that came due is tried again after so long. */
  private static final long RETRY_NANOS = 10_000_000;

  /** Timers that come due together leave under one lock, which workers that arm wait for. */
  private static final int BATCH = 64;

  /** Makes and starts the timer thread. */
  @FunctionalInterface
  public interface ThreadStarter {
    /**
     * Throws if that cannot be done.
     *
     * @return false: refused, for good
     */
    boolean start(Runnable body);
  }

  private final SpinLock lock = new SpinLock();
  private final TimerHeap heap = new TimerHeap();

  /** Size of the heap; written under the lock, before it is released. */
  private final AtomicInteger armed = new AtomicInteger();

  private final ThreadStarter starter;
  private final Runnable onDrained;
  private final Consumer<Throwable> uncaught;

  /** The thread that has claimed the part of the timer thread. */
  private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();

  private volatile boolean started;
  private volatile boolean closing;
  private boolean drainedReported;

  /** Timers taken from the heap whose batch has not been fired to the end. */
  private int firing;

  // Of the timer thread alone: that batch. What is to be tried again is moved to its begin.
  private final @Nullable TimerNode[] batch = new TimerNode[BATCH];
  private int retries;

  /**
   * No timers, no thread.
   *
   * @param starter makes the thread, at the first timer
   * @param onDrained called once, after {@link #close}, when no timer is left; without the lock
   * @param uncaught receives what the action of a timer throws, which stops no other timer (G7)
   */
  public TimerQueue(ThreadStarter starter, Runnable onDrained, Consumer<Throwable> uncaught) {
    this.starter = starter;
    this.onDrained = onDrained;
    this.uncaught = uncaught;
  }

  /**
   * Arms a timer that is not armed.
   *
   * @param delayNanos from now; not above zero means at once
   * @return false: refused because of {@link #close}, nothing changed
   * @throws OutOfMemoryError or what the starter throws; the timer is not armed
   */
  public boolean arm(TimerNode node, long delayNanos) {
    long deadline = System.nanoTime() + Math.max(0, Math.min(delayNanos, LONGEST_DELAY));
    if (!ensureStarted()) {
      return false;
    }
    boolean earliest;
    lock.lock();
    try {
      if (closing) {
        return false;
      }
      heap.add(node, deadline);
      earliest = node.heapIndex == 0;
    } finally {
      unlock();
    }
    if (earliest) {
      // Null: the thread has not claimed its part yet, and looks at the heap after it has.
      LockSupport.unpark(runner.get());
    }
    return true;
  }

  /**
   * Not under the lock, for it is long and runs code of the JDK. Two first timers may start two
   * threads: one of them claims the part, the other ends at once.
   */
  private boolean ensureStarted() {
    if (!started) {
      if (closing || !starter.start(this::run)) {
        return false;
      }
      started = true;
    }
    return true;
  }

  /** True: it was armed, and will not fire. */
  public boolean cancel(TimerNode node) {
    boolean removed;
    boolean drained;
    lock.lock();
    try {
      removed = heap.remove(node);
      drained = isNewlyDrained();
    } finally {
      unlock();
    }
    if (drained) {
      reportDrained();
    }
    return removed;
  }

  /**
   * No timer is armed from now on; those that do not survive a shutdown are dropped, the others
   * still fire. When none is left, {@code onDrained} is called, here or later. Idempotent.
   */
  public void close() {
    closeAndTake(false);
  }

  /**
   * The same, but no timer fires any more.
   *
   * @return those that would have
   */
  public List<TimerNode> closeNow() {
    List<TimerNode> taken = closeAndTake(true);
    awaitFiring();
    return taken;
  }

  private List<TimerNode> closeAndTake(boolean survivorsToo) {
    List<TimerNode> dropped;
    List<TimerNode> taken = List.of();
    boolean drained;
    lock.lock();
    try {
      closing = true;
      dropped = heap.removeIf(node -> !node.survivesShutdown());
      if (survivorsToo) {
        taken = heap.removeIf(node -> true);
      }
      drained = isNewlyDrained();
    } finally {
      unlock();
    }
    dropped.forEach(this::drop);
    if (drained) {
      reportDrained();
    }
    return taken;
  }

  private void drop(TimerNode node) {
    try {
      node.dropped();
    } catch (Throwable t) {
      uncaught.accept(t);
    }
  }

  /**
   * Waits until a timer that came due just before {@link #closeNow} has been published: a moment.
   */
  private void awaitFiring() {
    for (; ; ) {
      lock.lock();
      try {
        if (firing == 0) {
          return;
        }
      } finally {
        unlock();
      }
      Thread.yield();
    }
  }

  /** Timers armed; read without the lock, so that a reader of statistics never delays a worker. */
  public int size() {
    return armed.get();
  }

  /** The timer thread, or null before it runs. */
  public @Nullable Thread thread() {
    return runner.get();
  }

  private void unlock() {
    armed.lazySet(heap.size());
    lock.unlock();
  }

  private boolean isNewlyDrained() {
    if (closing && heap.size() == 0 && firing == 0 && !drainedReported) {
      drainedReported = true;
      return true;
    }
    return false;
  }

  private void reportDrained() {
    LockSupport.unpark(runner.get());
    onDrained.run();
  }

  /** The timer thread: until the queue is closed and empty. */
  private void run() {
    if (!runner.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    for (; ; ) {
      int due;
      long wait = Long.MAX_VALUE;
      boolean over;
      boolean drained;
      lock.lock();
      try {
        endBatch();
        due = takeDue();
        if (due == 0 && heap.size() > 0) {
          wait = heap.firstDeadline() - System.nanoTime();
        }
        over = closing && due == 0 && heap.size() == 0;
        drained = isNewlyDrained();
      } finally {
        unlock();
      }
      if (drained) {
        onDrained.run();
      }
      if (over) {
        return;
      }
      if (due > 0) {
        fire(due);
      } else if (wait == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else if (wait > 0) {
        LockSupport.parkNanos(this, wait);
      }
      boolean ignored = Thread.interrupted(); // or every park returns at once
    }
  }

  /** Takes those whose time has come, at most a batch, in their order. */
  private int takeDue() {
    if (heap.size() == 0) {
      return 0;
    }
    int n = 0;
    long now = System.nanoTime();
    while (n < BATCH && heap.size() > 0 && heap.firstDeadline() - now <= 0) {
      batch[n++] = heap.takeFirst();
    }
    firing = n;
    return n;
  }

  /** Without the lock: whoever cancels one of these comes too late. */
  private void fire(int due) {
    for (int i = 0; i < due; i++) {
      TimerNode node = Objects.requireNonNull(batch[i]);
      batch[i] = null;
      try {
        node.fire();
      } catch (OutOfMemoryError e) {
        batch[retries++] = node;
      } catch (Throwable t) {
        uncaught.accept(t);
      }
    }
  }

  /** Under the lock: the timers of the last batch have fired, or are armed again. */
  private void endBatch() {
    heap.forget(firing - retries);
    for (int i = 0; i < retries; i++) {
      heap.putBack(Objects.requireNonNull(batch[i]), System.nanoTime() + RETRY_NANOS);
      batch[i] = null;
    }
    retries = 0;
    firing = 0;
  }
}
