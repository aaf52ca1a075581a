package dev.catnap.internal.worker;

import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.metrics.WorkerCounters;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.queue.Inbox;
import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.spi.SchedulerTuning;
import org.jspecify.annotations.Nullable;

/** A worker looks for work everywhere, and sleeps until there is some. By its own thread. */
final class Search {
  private final Worker self;
  private final Pool pool;
  private final Sleep sleep;
  private final SchedulerTuning tuning;
  private final WorkerDeque deque;
  private final WorkerRight right;
  private final WorkerCounters counters;
  private final Forks forks;
  private final Publisher publisher;
  private final Turns turns;
  private final Intake intake;
  private final Injector injector;
  private final Inbox background;
  private final SearchRounds rounds = new SearchRounds();
  private final Patience patience = new Patience();
  private int random;

  /** What it looked for last was sent, not published by another worker. */
  private boolean wasSent;

  /** This search has lasted longer than for tasks that come in a row. */
  private boolean waited;

  /** Called when the worker has its queues. */
  Search(Worker self, Pool pool, Sleep sleep, SchedulerTuning tuning) {
    this.self = self;
    this.pool = pool;
    this.sleep = sleep;
    this.tuning = tuning;
    deque = self.deque;
    right = self.right;
    counters = self.counters;
    forks = self.forks;
    publisher = self.publisher;
    turns = self.turns;
    intake = self.intake;
    injector = pool.queues().injector();
    background = pool.queues().background();
    // Any odd multiple: xorshift needs a seed other than 0.
    random = (self.index() + 1) * 0x9E3779B9;
  }

  /**
   * The slow path, step by step as in the protocol's README. The caller's own queues are empty.
   * Returns null when the pool stops, when the worker has lost its right to run, when there are
   * more workers than rights, after onPark, when its thread is called away, or when what it waits
   * for is done; in each case it is no longer counted as inactive. A worker that waits in the
   * middle of a task does not leave with the pool, and does not rest.
   */
  @Nullable Runnable search() {
    deque.clearStale();
    forks.trim();
    boolean goesRound = sleep.startSearch() && rounds.arePaying();
    if (!right.isHeld()) { // pairs with Sentinel.relieve
      endSearch();
      return null;
    }
    boolean woken = false;
    waited = false;
    long sentBefore = counters.get(Count.POLLED);
    for (; ; ) {
      Runnable task = goesRound ? searchRounds() : null;
      boolean draining = false;
      while (task == null) {
        sleep.announce(self);
        int phase = pool.phase(); // before the look: what was accepted before the phase is seen
        boolean waiting = forks.isWaiting();
        if (waiting ? forks.isWaitOver() : phase >= Lifecycle.STOPPING) {
          leaveSearch();
          return null;
        }
        draining = phase == Lifecycle.DRAINING && !waiting;
        task = findElsewhere(true); // LastSearch
        if (task == null && self.owesOnPark() && !waiting) {
          endSearch(); // it was not woken for a task: it has run one since it slept
          self.tellPark();
          return null;
        }
        if (task != null || sleep.register(self)) {
          break;
        }
      }
      if (task != null) {
        rounds.found(wasSent, waited, sentBefore);
        endSearch();
        return task;
      }
      if (woken) {
        counters.increment(Count.FUTILE_WAKES);
      }
      counters.increment(Count.PARKS);
      if (draining) {
        pool.rest();
      }
      pool.sentinel().hurry();
      pool.timers().hurry();
      woken = sleep.sleep(self);
      waited = true;
      if (draining) {
        pool.work();
      }
      sleep.acknowledge(self);
      if (pool.isSurplus()) { // pairs with Crew.setParallelism
        leaveSearch();
        return null;
      }
      if (self.isCalledAway()) { // after the acknowledgement, see CallerWorker
        leaveSearch();
        return null;
      }
      goesRound = true;
    }
  }

  /** Without a task, though a wake may have brought this worker here: somebody else gets that. */
  private void leaveSearch() {
    publisher.owe(1);
    endSearch();
  }

  private void endSearch() {
    int wakes = sleep.endSearch(publisher.takeUnpublished());
    if (wakes != 0) {
      counters.add(Count.WAKES, wakes);
    } else {
      pool.foundWork();
    }
    if (sleep.sleepingCount() > pool.crew().standby()) {
      pool.timers().hurry();
    }
    pool.sentinel().guardQueuesIfWorkIsVisible();
  }

  private @Nullable Runnable searchRounds() {
    int fewest = tuning.searchRounds();
    int most = rounds.most(fewest, turns.wereCoarse(), counters.get(Count.POLLED));
    long began = turns.now();
    patience.beginSearch();
    int round = 0;
    while (round < most) {
      patience.beginRound();
      Runnable task = findElsewhere(false);
      if (task != null || forks.isWaitOver()) {
        if (round > 0) {
          rounds.paid(turns.now() - began, wasSent ? 1 + deque.size() + injector.size() : 1);
        }
        return task;
      }
      if (patience.leaves()) {
        // Not a yield: who was just woken may be on the processor of its waker, which would have
        // that for a time slice, whatever it has left in its queue.
        spin();
        if (SearchRounds.wasLost(turns.now() - began)) {
          break; // what the owner has begun meanwhile says little
        }
        continue;
      }
      if (round >= fewest && rounds.areCutShort(sleep.isAloneAwake(self))) {
        break;
      }
      waited |= round >= fewest;
      if (round < fewest) {
        // Whom the last task made ready may be waiting for this very processor, and send the next
        // one from there.
        Thread.yield();
      } else {
        spin();
      }
      round++;
    }
    rounds.didNotPay(turns.now() - began);
    return null;
  }

  /** Who is waited for so long is on another processor. */
  private void spin() {
    Spin.pause(tuning.spinNanos(), tuning.clock());
  }

  /**
   * Injector, then every other worker from a random start. In the last look also what was left
   * alone, and slots, but only those that nobody looks after: what was just put there is in its
   * worker's cache. The background last.
   */
  private @Nullable Runnable findElsewhere(boolean last) {
    Runnable task = intake.pollInbox();
    if (task != null) {
      // Nobody was woken for it but this worker: another takes over its wake, if any.
      publisher.owe(1);
    } else {
      task = intake.pollBatch();
    }
    wasSent = task != null;
    if (task == null) {
      task = intake.fireDueTimers();
    }
    if (task != null) {
      return task;
    }
    int n = pool.workerCount();
    int start = nextRandom(n);
    task = steal(start, n, !last);
    if (task == null) {
      task = steal(0, start, !last);
    }
    if (task == null && last) {
      boolean guarded = pool.areSlotsGuarded();
      task = takeSlot(start, n, guarded);
      if (task == null) {
        task = takeSlot(0, start, guarded);
      }
    }
    if (task != null) {
      counters.increment(Count.STOLEN);
      return task;
    }
    task = background.poll();
    if (task != null) {
      counters.increment(Count.POLLED);
    }
    return task;
  }

  /** From the workers in between, of those that may have tasks. */
  private @Nullable Runnable steal(int from, int to, boolean patient) {
    for (int i = sleep.nextAwake(from, to); i >= 0; i = sleep.nextAwake(i + 1, to)) {
      Worker victim = pool.worker(i);
      if (victim == self) {
        continue;
      }
      Runnable task = victim.forks.steal();
      if (task != null) {
        return task;
      }
      if (patient && leavesAlone(victim)) {
        continue;
      }
      long before = deque.pushedSoFar();
      task = victim.deque.steal(deque);
      if (task != null) {
        counters.add(Count.STOLEN, publisher.countMoved(before));
        return task;
      }
    }
    return null;
  }

  /**
   * Not one that has few tasks, which are coarse then: they are worth a move. Nor one that yields:
   * whom it gives way to may wait for that very task, such as for its lock, spinning.
   */
  private boolean leavesAlone(Worker victim) {
    if (patience.leavesUnseen(victim.index())) {
      return true;
    }
    return patience.mayLeave(victim.deque.size())
        && !victim.beginsFew()
        && !victim.publisher.mayHoldOneThatYielded()
        && patience.leavesAlone(victim.index(), victim.tasksBegun());
  }

  private @Nullable Runnable takeSlot(int from, int to, boolean guarded) {
    for (int i = sleep.nextAwake(from, to); i >= 0; i = sleep.nextAwake(i + 1, to)) {
      Worker victim = pool.worker(i);
      if (!guarded || victim.isSlotExposed()) {
        Runnable task = victim.slot.take();
        if (task != null) {
          return task;
        }
      }
    }
    return null;
  }

  /** Marsaglia's xorshift; a number below {@code bound}. */
  private int nextRandom(int bound) {
    int x = random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    random = x;
    return (int) (((x & 0xFFFFFFFFL) * bound) >>> 32);
  }
}
