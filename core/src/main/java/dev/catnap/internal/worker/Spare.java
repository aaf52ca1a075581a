package dev.catnap.internal.worker;

import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.sleep.Sleep;

/** A worker that is one too many waits for a right to run. By its own thread. */
final class Spare {
  private final Worker self;
  private final Pool pool;
  private final Sleep sleep;
  private final WorkerRight right;
  private final Publisher publisher;

  /** Called when the worker has its queues. */
  Spare(Worker self, Pool pool, Sleep sleep) {
    this.self = self;
    this.pool = pool;
    this.sleep = sleep;
    right = self.right;
    publisher = self.publisher;
  }

  /**
   * Becomes a spare if there really is a surplus, and waits for a right to run.
   *
   * @return false: the keep-alive is over, the worker retired, the thread ends
   */
  boolean standBy() {
    if (!pool.rights().tryGiveUp()) {
      return true;
    }
    if (!handOverQueues()) {
      pool.rights().reclaim();
      return true;
    }
    if (!right.giveUp()) {
      pool.rights().reclaim(); // relieved at this moment: one right was given away twice
    }
    self.deque.clearStale();
    if (!awaitRight()) {
      return false;
    }
    sleep.endSpare(self);
    return true;
  }

  /** False: it retired. */
  private boolean awaitRight() {
    while (sleep.becomeSpare(self)) {
      // After the latch: see RunRights for the race that this read decides.
      if (pool.rights().tryTake()) {
        if (!sleep.claimSpare(self)) {
          pool.rights().release(); // somebody else handed us another one, or a notification
        }
        return true;
      }
      // After the latch as well: pairs with Sleep.publishTo.
      if (self.hasAddressedWork() && sleep.claimSpare(self)) {
        pool.rights().reclaim();
        return true;
      }
      if (!sleep.parkSpare(self, keepAliveNanos(), self.tuning.clock())) {
        Thread thread = self.owner;
        self.owner = null; // before the latch: afterwards this worker may run on another thread
        if (sleep.retire(self)) {
          return false;
        }
        self.owner = thread;
      }
      if (!sleep.acknowledge(self)) {
        return true; // claimed, with a right
      }
      if (goesOnWithoutRight()) {
        return true;
      }
    }
    // Notified before it was a spare: only the end of the pool does that.
    sleep.acknowledge(self);
    return true;
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
    for (Runnable task = self.ownTask(); task != null; task = self.ownTask()) {
      try {
        pool.pushOverflow(task);
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
