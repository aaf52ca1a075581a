package dev.catnap.internal.worker;

import dev.catnap.internal.blocking.Handover;
import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.sleep.Sleep;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A worker that is one too many waits for a right to run, or for a task that needs none. By its own
 * thread, unless it says otherwise.
 */
final class Spare {
  private final Worker self;
  private final Pool pool;
  private final Sleep sleep;
  private final WorkerRight right;
  private final Publisher publisher;
  private final Handover handover = new Handover();
  private final BooleanSupplier notification;

  /** Called when the worker has its queues. */
  Spare(Worker self, Pool pool, Sleep sleep) {
    this.self = self;
    this.pool = pool;
    this.sleep = sleep;
    right = self.right;
    publisher = self.publisher;
    notification = () -> sleep.notifySpare(self);
  }

  /**
   * Becomes a spare if there really is a surplus, and waits for a right to run.
   *
   * @return null: it has a right to run. Else a task to run without one; or {@link
   *     Worker.Mark#RETIRED}: the keep-alive is over, the thread ends
   */
  @Nullable Runnable standBy() {
    if (!pool.rights().tryGiveUp()) {
      return null;
    }
    if (!handOverQueues()) {
      pool.rights().reclaim();
      return null;
    }
    if (!right.giveUp()) {
      pool.rights().reclaim(); // relieved at this moment: one right was given away twice
    }
    self.deque.clearStale();
    Runnable called = awaitCall();
    if (called != Worker.Mark.RETIRED) {
      sleep.endSpare(self);
    }
    return called;
  }

  private @Nullable Runnable awaitCall() {
    while (sleep.becomeSpare(self)) {
      // After the latch: see RunRights for the race that this read decides.
      if (pool.rights().tryTake()) {
        return goOnWithRight();
      }
      // After the latch as well: pairs with Sleep.publishTo.
      if (self.hasAddressedWork() && sleep.claimSpare(self)) {
        pool.rights().reclaim();
        return null;
      }
      if (!sleep.parkSpare(self, keepAliveNanos(), self.tuning.clock())) {
        Thread thread = self.owner;
        self.owner = null; // before the latch: afterwards this worker may run on another thread
        if (sleep.retire(self)) {
          return Worker.Mark.RETIRED;
        }
        self.owner = thread;
      }
      if (!sleep.acknowledge(self)) {
        return null; // claimed, with a right
      }
      Runnable called = handover.take();
      if (called != null || goesOnWithoutRight()) {
        return called;
      }
    }
    // Notified before it was a spare: only the end of the pool does that.
    sleep.acknowledge(self);
    return null;
  }

  /** It took one that nobody held; others may have got hold of this spare meanwhile. */
  private @Nullable Runnable goOnWithRight() {
    if (sleep.claimSpare(self)) {
      return null;
    }
    if (!sleep.acknowledge(self)) {
      pool.rights().release(); // claimed, with another one
      return null;
    }
    Runnable called = handover.take();
    if (called != null) {
      pool.rights().release(); // it needs none
    }
    return called;
  }

  /**
   * Any thread: the worker begins that task at once if it is a spare.
   *
   * @return false: it is none, and the task is still the caller's
   */
  boolean call(Runnable task) {
    return sleep.isSpare(self) && handover.call(task, notification);
  }

  /** Any thread, when the pool is over: what it was called for and has not begun; or null. */
  @Nullable Runnable takeCalled() {
    return handover.take();
  }

  /** Notified as a spare: to drain, or for what is addressed to it, with a right taken back. */
  private boolean goesOnWithoutRight() {
    if (pool.phase() >= Lifecycle.DRAINING) {
      return true;
    }
    if (!self.hasAddressedWork()) {
      return false;
    }
    pool.rights().reclaim();
    return true;
  }

  /** One that something was addressed to stays. */
  private long keepAliveNanos() {
    return self.mayRetire() ? pool.keepAliveNanos() : Long.MAX_VALUE;
  }

  /** False: no memory for that; nothing is lost, and this worker goes on. */
  private boolean handOverQueues() {
    for (Runnable task = self.intake.ownTask(); task != null; task = self.intake.ownTask()) {
      try {
        pool.queues().pushOverflow(task);
      } catch (OutOfMemoryError e) {
        publisher.owe(1);
        publisher.enqueue(task); // there is room: it came from here
        return false;
      }
      publisher.owe(1);
      self.counters.increment(Count.OVERFLOWED);
      publisher.handOn();
    }
    return true;
  }
}
