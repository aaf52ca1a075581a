package dev.catnap.internal.worker;

import dev.catnap.internal.metrics.WorkerCounters;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.queue.Inbox;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.internal.timer.TimerBatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a worker finds without a look at the others: its own queues, what was injected, and timers
 * that are due, each in its turn. By the worker's own thread.
 */
final class Intake {
  private final Worker self;
  private final Pool pool;
  private final SharedQueues queues;
  private final LifoSlot slot;
  private final WorkerDeque deque;
  private final Inbox inbox;
  private final Forks forks;
  private final WorkerCounters counters;
  private final Publisher publisher;
  private final Turns turns;

  /** There is no other worker, nor a timer thread. */
  private final boolean alone;

  private final TimerBatch dueTimers = new TimerBatch();
  private final BooleanSupplier somethingIsInjected;

  /** It fires timers, and has nothing else to run. */
  private boolean isFiring;

  /** What one of these wants to be run at once. */
  private @Nullable Runnable urgent;

  /** Called when the worker has its queues. */
  Intake(Worker self, Pool pool) {
    this.self = self;
    this.pool = pool;
    queues = pool.queues();
    slot = self.slot;
    deque = self.deque;
    inbox = self.inbox;
    forks = self.forks;
    counters = self.counters;
    publisher = self.publisher;
    turns = self.turns;
    alone = pool.isAlone();
    somethingIsInjected = () -> !queues.injector().isEmpty();
  }

  /**
   * The fast path, with the bounds of G5: the injector at least once in {@code injectorInterval}
   * tasks, the queue at least once in {@code lifoBudget + 1} tasks while the slot is refilled all
   * the time.
   */
  @Nullable Runnable localOrInjected() {
    if (turns.next()) {
      Runnable task = look();
      if (task != null) {
        return task;
      }
    }
    Runnable task = forks.popInTurn();
    if (task != null) {
      return task;
    }
    if (turns.isSlotsTurn()) {
      task = slot.take();
    }
    if (task != null) {
      turns.tookFromSlot();
      return task;
    }
    turns.endSlotStreak();
    task = deque.pop();
    if (task == null) {
      task = slot.take();
    }
    if (task == null && turns.isInboxFirst()) {
      task = pollInbox();
    }
    if (task == null) {
      task = forks.popInTurn(); // the turn of the others is over; none may be left before a search
    }
    if (task == null) {
      task = pollBatch();
      // On their way into the deque the others were invisible: this is a publish like any.
      if (task != null && publisher.owes()) {
        publisher.handOn();
      }
    }
    if (task == null) {
      task = pollInbox();
    }
    return task != null ? task : fireDueTimers();
  }

  /**
   * Timers that are due publish on this worker. No more of them than of a batch from the injector,
   * and with the same count, so that what another thread fires later into that does not overtake
   * them. Where there is but one worker, timers run in the order of their deadlines: either no
   * other thread fires any, or what it has fired is not overtaken.
   */
  @Nullable Runnable fireDueTimers() {
    BooleanSupplier overtaken = !alone && pool.parallelism() == 1 ? somethingIsInjected : null;
    int fired;
    isFiring = true;
    try {
      fired = pool.timers().fireDue(self.index(), dueTimers, queues.batchLimit(), overtaken);
    } finally {
      isFiring = false;
    }
    if (fired > 0) {
      turns.lookedAtInjector(deque.size());
    }
    Runnable task = urgent;
    urgent = null;
    return task == null && fired > 0 ? deque.pop() : task;
  }

  /** See {@link dev.catnap.spi.SchedulerAdapter#runUrgently}. */
  boolean runUrgently(Runnable task) {
    if (!isFiring || urgent != null) {
      return false;
    }
    urgent = task;
    counters.increment(Count.PUBLISHED);
    return true;
  }

  /**
   * The same where the queue never runs dry: else timers would wait until the timer thread no
   * longer leaves them to workers. Not where they run in order: what that fires then is in the
   * injector, which has its turn before all of the deque has run.
   */
  private void fireTimersInTurn() {
    int most = queues.batchLimit() - deque.size();
    if (most > 0 && pool.parallelism() > 1) {
      int ignored = pool.timers().fireInTurn(self.index(), dueTimers, most);
    }
  }

  /** The timers, the background, the injector: whatever it is time for. */
  private @Nullable Runnable look() {
    if (turns.isTimersTurn()) {
      int ignored = pool.timers().fireDue(self.index(), dueTimers, queues.batchLimit(), null);
    }
    if (turns.isBackgroundsTurn()) {
      Runnable task = queues.background().poll();
      if (task != null) {
        turns.tookFromBackground();
        counters.increment(Count.POLLED);
        return task;
      }
    }
    if (!turns.isInjectorsTurn()) {
      return null;
    }
    fireTimersInTurn();
    Runnable mine = turns.isInboxFirst() ? pollInbox() : null;
    if (mine != null) {
      return mine;
    }
    Runnable task = queues.injector().poll();
    if (task != null) {
      counters.increment(Count.POLLED);
      return task;
    }
    task = pollInbox();
    if (task == null) {
      turns.nothingIsInjected();
    }
    return task;
  }

  @Nullable Runnable pollBatch() {
    long before = deque.pushedSoFar();
    Runnable task = queues.pollInjected(deque);
    if (task != null) {
      long moved = publisher.countMoved(before);
      turns.lookedAtInjector(deque.size());
      counters.add(Count.POLLED, 1 + moved);
    }
    return task;
  }

  @Nullable Runnable ownTask() {
    Runnable task = forks.pop();
    if (task == null) {
      task = slot.take();
    }
    return task != null ? task : deque.pop();
  }

  /**
   * What is addressed to this worker; not in the middle of another task, which may be confined too:
   * one at a time.
   */
  @Nullable Runnable pollInbox() {
    return forks.isWaiting() ? null : pool.addressing().take(self);
  }

  /** The pool is over: each worker empties its own queues, and the last of these for good. */
  @Nullable Runnable lastTask() {
    Runnable own = ownTask();
    if (own == null) {
      own = queues.afterClose().poll();
    }
    if (own == null) {
      inbox.close();
      own = pollInbox();
    }
    return own;
  }
}
