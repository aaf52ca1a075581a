package dev.catnap.internal.timer;

import dev.catnap.internal.atomic.PaddedLong;
import dev.catnap.internal.atomic.SpinLock;
import dev.catnap.spi.MonotonicClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Some of a queue's timers, in the order of their deadlines, under a lock. Thread-safe. */
final class TimerShard {
  /** The deadline of none. */
  static final long NONE = Long.MAX_VALUE;

  /** When memory is short, a timer that came due is tried again after so long. */
  private static final long RETRY_NANOS = 10_000_000;

  /** How long timers that are due are left to workers, of which each is about to look here. */
  private static final long GRACE_NANOS = 1_000_000;

  /**
   * So many batches are fired when the grace is over; then it begins again. They lie in the
   * injector, and while that is not empty workers look here only in turn.
   */
  private static final int BATCHES_PER_GRACE = 4;

  /**
   * So long after the last ones were fired, workers that have tasks of their own fire these too.
   */
  private static final long NEGLECTED_NANOS = GRACE_NANOS / 2;

  /** So many are looked at under one lock while many are taken back. */
  private static final int STRIDE = 64;

  private final MonotonicClock clock;
  private final Runnable onDrained;
  private final SpinLock lock = new SpinLock();
  private final ArmedTimers timers = new ArmedTimers();

  /** How many; written under the lock, before it is released. */
  private final AtomicInteger armed = new AtomicInteger();

  /** For a look without the lock; written as {@link #armed} is. */
  private final PaddedLong firstDeadline = new PaddedLong(NONE);

  /** When a worker last fired some; written under the lock. */
  private final PaddedLong firedAt;

  /** The same, if it left none that was due; or when the timer thread last gave workers time. */
  private long attendedAt;

  /** Taken from these, and their batch has not been fired to the end. */
  private int firing;

  private boolean closed;
  private boolean drained;

  /** Fired by the timer thread since the last grace was over. */
  private int batchesAfterGrace;

  /**
   * No timers.
   *
   * @param clock what deadlines go by
   * @param firedAt before now, by more than a grace
   * @param onDrained called once, when it is closed, no timer is left and none is being fired;
   *     without the lock
   */
  TimerShard(MonotonicClock clock, long firedAt, Runnable onDrained) {
    this.clock = clock;
    this.firedAt = new PaddedLong(firedAt);
    this.attendedAt = firedAt;
    this.onDrained = onDrained;
  }

  /** Of the first timer, or {@link #NONE}; may be that of one that has just left. */
  long firstDeadline() {
    return firstDeadline.getVolatile();
  }

  /** Timers armed; without the lock, so that a reader of statistics never delays a worker. */
  int size() {
    return armed.get();
  }

  /**
   * Adds a timer that is not armed.
   *
   * @param deadline not {@link #NONE}
   * @return the first deadline, of which the keeper must be told; {@link #NONE}: refused because of
   *     {@link #close}
   * @throws OutOfMemoryError the timer is not armed
   */
  long add(TimerNode node, long deadline) {
    lock.lock();
    try {
      if (closed) {
        return NONE;
      }
      timers.add(node, deadline);
      return timers.firstDeadline();
    } finally {
      unlock();
    }
  }

  /** True: it was armed, and will not fire. */
  boolean remove(TimerNode node) {
    lock.lock();
    try {
      return timers.remove(node);
    } finally {
      unlock();
    }
  }

  /** Every change ends here. */
  private void unlock() {
    int size = timers.size();
    armed.lazySet(size);
    publishFirst(size == 0 ? NONE : timers.firstDeadline());
    boolean newlyDrained = closed && size == 0 && firing == 0 && !drained;
    drained |= newlyDrained;
    lock.unlock();
    if (newlyDrained) {
      onDrained.run();
    }
  }

  /** An earlier one is seen by the keeper, or its armer sees until when that sleeps. */
  private void publishFirst(long first) {
    long before = firstDeadline.getPlain();
    if (first != NONE && (before == NONE || first - before < 0)) {
      firstDeadline.setVolatile(first); // pairs with TimerKeeper.untilNext
    } else if (first != before) {
      firstDeadline.setOpaque(first);
    }
  }

  // ---- firing
  // ----------------------------------------------------------------------------------

  /**
   * By a worker: takes what is due, for {@link TimerQueue#fireDue}. {@link #endFiring} must follow
   * if it has taken some.
   *
   * @param isBusy it counts as attended to only if none is left that is due
   * @return how many
   */
  int takeDue(TimerBatch batch, int most, @Nullable BooleanSupplier overtaken, boolean isBusy) {
    lock.lock();
    try {
      boolean inOrder = overtaken == null || (firing == 0 && !overtaken.getAsBoolean());
      int due = inOrder ? take(batch, Math.min(most, TimerBatch.CAPACITY)) : 0;
      if (due > 0) {
        long now = clock.nanoTime();
        firedAt.setOpaque(now);
        if (!(isBusy && isOneDue(now))) {
          attendedAt = now;
        }
      }
      return due;
    } finally {
      unlock();
    }
  }

  private boolean isOneDue(long now) {
    return timers.size() > 0 && timers.firstDeadline() - now <= 0;
  }

  /** Without the lock. */
  boolean isDue(long now) {
    long first = firstDeadline();
    return first != NONE && first - now <= 0;
  }

  /** One has been due for long, and no worker has fired any meanwhile. Without the lock. */
  boolean isNeglected(long now) {
    long first = firstDeadline();
    return first != NONE
        && now - first >= NEGLECTED_NANOS
        && now - firedAt.getOpaque() >= NEGLECTED_NANOS;
  }

  private int take(TimerBatch batch, int most) {
    int due = batch.takeDue(timers, clock, most);
    firing += due;
    return due;
  }

  /**
   * By the timer thread: takes what is due, unless workers still have time for it. {@link
   * #endFiring} must follow if it has taken some.
   *
   * @param leaveToWorkers whether a worker will look, or be hurried when it sleeps
   * @return how long to wait, if none was taken; {@link Long#MAX_VALUE}: there is none
   */
  long takeOrLeave(TimerBatch batch, BooleanSupplier leaveToWorkers) {
    lock.lock();
    try {
      if (timers.size() == 0) {
        return Long.MAX_VALUE;
      }
      long now = clock.nanoTime();
      long late = now - timers.firstDeadline();
      if (late < 0) {
        return -late;
      }
      long graceLeft = closed ? 0 : GRACE_NANOS - Math.min(late, now - attendedAt);
      if (graceLeft > 0 && leaveToWorkers.getAsBoolean()) {
        batchesAfterGrace = 0;
        return graceLeft;
      }
      if (!closed && graceLeft <= 0 && ++batchesAfterGrace == BATCHES_PER_GRACE) {
        batchesAfterGrace = 0;
        attendedAt = now;
      }
      int ignored = take(batch, TimerBatch.CAPACITY);
      return 0;
    } finally {
      unlock();
    }
  }

  /**
   * The batch was fired; some may be left for another try.
   *
   * @return the first deadline, of which the keeper must be told, or {@link #NONE}
   */
  long endFiring(TimerBatch batch) {
    lock.lock();
    try {
      firing -= batch.end(timers, clock, RETRY_NANOS);
      return timers.size() == 0 ? NONE : timers.firstDeadline();
    } finally {
      unlock();
    }
  }

  /**
   * Waits until a timer that came due just before they were all taken has been published: a moment.
   */
  void awaitFiring() {
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

  // ---- taking back
  // -----------------------------------------------------------------------------

  /**
   * No timer is armed from now on.
   *
   * @return how many are armed or being fired: they grow no more
   */
  int close() {
    lock.lock();
    try {
      closed = true;
      return timers.size() + firing;
    } finally {
      unlock();
    }
  }

  /**
   * Some at a time: with a million of them the lock would be held for a large part of a second, in
   * which all others spin who cancel timers or fire them.
   *
   * @param receiver is given those that the filter names, without the lock
   */
  void removeIf(Predicate<TimerNode> filter, Consumer<TimerNode> receiver) {
    ArmedTimers.Walk walk = timers.new Walk(filter);
    lock.lock();
    try {
      walk.begin();
    } finally {
      unlock();
    }
    try {
      boolean over;
      do {
        TimerNode removed;
        lock.lock();
        try {
          removed = walk.step(STRIDE);
          over = walk.isOver();
        } finally {
          unlock();
        }
        while (removed != null) {
          TimerNode next = removed.next;
          removed.next = null;
          receiver.accept(removed);
          removed = next;
        }
      } while (!over);
    } finally {
      lock.lock();
      try {
        walk.end();
      } finally {
        unlock();
      }
    }
  }
}
