package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.PaddedLong;
import dev.catnap.internal.atomic.Padding;
import dev.catnap.internal.metrics.WorkerCounters;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import org.jspecify.annotations.Nullable;

/**
 * What one worker publishes: into its slot, into its deque, and from there, when that is full, into
 * the injector. By the worker's own thread, also inside a virtual thread that it carries. Written
 * for each publish, and so padded on both sides.
 */
@SuppressWarnings("unused")
final class Publisher extends Padding {
  private final Worker self;
  private final Pool pool;
  private final Sleep sleep;
  private final LifoSlot slot;
  private final WorkerDeque deque;
  private final WorkerCounters counters;
  private final Turns turns;
  private final Section section;
  private final SharedQueues queues;
  private final Sentinel sentinel;
  private final boolean slotsMayBeSilent;

  /**
   * Nobody else takes its tasks (thread per core, or the caller's thread): nobody is told of them.
   */
  private final boolean alone;

  private final @Nullable Runnable[] overflow;

  /** So many tasks had been begun when one of them last yielded. */
  private final PaddedLong gaveWayAfter = new PaddedLong(Patience.NEVER);

  /** Tasks that this worker has made visible, or has moved, since its last publish. */
  private int unpublished;

  private byte q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q0a, q0b, q0c, q0d, q0e, q0f;
  private byte q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q1a, q1b, q1c, q1d, q1e, q1f;
  private byte q20, q21, q22, q23, q24, q25, q26, q27, q28, q29, q2a, q2b, q2c, q2d, q2e, q2f;
  private byte q30, q31, q32, q33, q34, q35, q36, q37, q38, q39, q3a, q3b, q3c, q3d, q3e, q3f;
  private byte q40, q41, q42, q43, q44, q45, q46, q47, q48, q49, q4a, q4b, q4c, q4d, q4e, q4f;
  private byte q50, q51, q52, q53, q54, q55, q56, q57, q58, q59, q5a, q5b, q5c, q5d, q5e, q5f;
  private byte q60, q61, q62, q63, q64, q65, q66, q67, q68, q69, q6a, q6b, q6c, q6d, q6e, q6f;
  private byte q70, q71, q72, q73, q74, q75, q76, q77, q78, q79, q7a, q7b, q7c, q7d, q7e, q7f;

  /** Called when the worker has its queues. */
  Publisher(Worker self, Pool pool, Sleep sleep, SchedulerTuning tuning) {
    this.self = self;
    this.pool = pool;
    this.sleep = sleep;
    slot = self.slot;
    deque = self.deque;
    counters = self.counters;
    turns = self.turns;
    section = self.section();
    queues = pool.queues();
    sentinel = pool.sentinel();
    slotsMayBeSilent = pool.maySlotsBeSilent();
    alone = pool.isAlone();
    overflow = new Runnable[Math.min(tuning.dequeCapacity() / 2, tuning.segmentSize())];
  }

  /**
   * Push and publish on this worker. Also called inside a virtual thread that this worker carries.
   */
  void publish(Runnable task, Placement placement) {
    if (push(task, placement)) {
      return;
    }
    unpublished++;
    counters.increment(Count.PUBLISHED);
    handOn();
  }

  /**
   * True: and that was all. No switch over an enum: that reads its table of cases at each publish.
   */
  private boolean push(Runnable task, Placement placement) {
    if (placement == Placement.NEXT) {
      if (!section.isBehindAClosedDoor()) {
        return putNext(task, true);
      }
      enqueue(task);
    } else if (placement == Placement.RESUMED) {
      return putAlone(task, true);
    } else if (placement == Placement.QUEUED) {
      enqueue(task);
    } else if (placement == Placement.BACKGROUND) {
      if (!queues.pushBackground(task)) {
        enqueue(task); // the pool is closed, and this worker ends after it
      }
    } else {
      if (placement == Placement.YIELDED) {
        gaveWayAfter.setOpaque(self.tasksBegun());
        letInjectedGoFirst(); // and if then nobody is here to give way to, it goes on
      }
      return putAlone(task, false);
    }
    return false;
  }

  /**
   * Into the slot. True: and that was all, for this worker takes it next, and if it does not come
   * back the sentinel sees that.
   *
   * <p>What a coarse task makes ready is worth a worker of its own. If nothing else is here, it
   * goes into the queue, where those that search look first. If the slot is taken for it while the
   * sentinel is off duty, the publish has all its steps. A sleeper or searcher that reads ON leaves
   * the slot alone all the same: then the sentinel is on duty after the push, and looks; or its
   * last look came before the push, and so did the sleeper's commit, and the publish claims it
   * ({@code PublishSlot} in Sentinel.tla).
   *
   * @param mayGoOn whether the present task may compute on after this
   */
  private boolean putNext(Runnable task, boolean mayGoOn) {
    boolean guarded = slotsMayBeSilent && sentinel.isOnDuty();
    boolean goesOn = mayGoOn && isLikelyToGoOn(guarded);
    if (goesOn && slot.isEmpty() && deque.isEmpty()) {
      enqueue(task);
      return false;
    }
    Runnable displaced = slot.put(task);
    counters.increment(Count.SLOTTED);
    if (displaced != null) {
      enqueueDisplaced(displaced);
    } else if (alone || ((guarded || !goesOn) && guardSlot())) {
      counters.increment(Count.PUBLISHED);
      return true;
    }
    return false;
  }

  /** After a push into an empty slot: whether the sentinel looks after it, and it may be silent. */
  private boolean guardSlot() {
    return slotsMayBeSilent && sentinel.guardSlot();
  }

  /**
   * Who computes on after this push keeps the task waiting, and comes back before the sentinel has
   * seen the same task twice: two coroutines that work in turn would share one core. The clock
   * costs more than a push, so it is asked where the sentinel would have to be woken, has seen that
   * this worker begins few tasks, or may not have looked at it since that was woken.
   */
  private boolean isLikelyToGoOn(boolean guarded) {
    boolean maybe = !guarded || turns.isSoonAfterPause() || self.beginsFew();
    return !alone && maybe && turns.isCoarse();
  }

  /**
   * Behind all that is here: if that is nothing, into the slot. True: and that was all. In a
   * declared section this worker takes nothing next.
   */
  private boolean putAlone(Runnable task, boolean mayGoOn) {
    if (slot.isEmpty() && deque.isEmpty() && !section.isOpen()) {
      turns.endSlotStreak(); // it is the oldest, and what is queued after it comes after it
      return putNext(task, mayGoOn);
    }
    enqueue(task);
    return false;
  }

  /** Any thread. Whether a task that has yielded may be in the queue, if that is short. */
  boolean mayHoldOneThatYielded() {
    return Patience.isLately(gaveWayAfter.getOpaque(), self.tasksBegun());
  }

  /**
   * Before a section: what is in the slot goes to the queue, for all to see, and a sleeper is woken
   * for it.
   *
   * <pre>
   *   T1 worker                         T2 another worker
   *   puts a task into its slot: silent
   *                                     looks for work, leaves slots to the sentinel, sleeps
   *   blocks for an hour: nobody looks there before the sentinel has seen it twice
   * </pre>
   *
   * @return true: nobody was woken, and the caller owes the rest of the publish: that may start a
   *     thread, and inside a virtual thread leave the worker, which the caller is not done with
   */
  boolean emptySlot() {
    if (slot.isEmpty() || !slotToQueue()) {
      return false;
    }
    int wakes = sleep.publish(takeUnpublished());
    counters.add(Count.WAKES, wakes);
    return wakes == 0;
  }

  /** The same with all steps, for one that goes on in its section. */
  void publishSlot() {
    if (!slot.isEmpty() && slotToQueue()) {
      handOn();
    }
  }

  /** False: a thief was faster, or there is no memory and the sentinel sees to it. */
  private boolean slotToQueue() {
    Runnable next = slot.take();
    if (next == null) {
      return false;
    }
    try {
      enqueue(next);
    } catch (OutOfMemoryError e) {
      Runnable ignored = slot.put(next); // only this worker fills it
      return false;
    }
    unpublished++;
    return true;
  }

  /** The rest of a publish: wakes a sleeper if the protocol says so. */
  void handOn() {
    if (!alone) {
      handedOn(sleep.publish(takeUnpublished()));
    }
  }

  /** After the push of a forked task, which was a PushFence as well. */
  void publishForked() {
    unpublished++;
    if (!alone) {
      handedOn(sleep.publishFenced(takeUnpublished()));
    }
  }

  private void handedOn(int wakes) {
    if (wakes != 0) {
      counters.add(Count.WAKES, wakes);
    } else {
      // May start a thread, as may what follows; a virtual thread that this is called in may leave
      // the worker meanwhile. So nothing of the worker is touched any more.
      pool.wokeNobody();
    }
    sentinel.guardQueues();
  }

  /**
   * So many more tasks are visible, or somebody else has to see to them: the next publish tells.
   */
  void owe(int tasks) {
    unpublished += tasks;
  }

  boolean owes() {
    return unpublished != 0;
  }

  int takeUnpublished() {
    int n = unpublished;
    unpublished = 0;
    return n;
  }

  /**
   * What was injected comes to this worker, not the yielding task to the injector: whoever waits
   * there has one turn in {@code injectorInterval}, and a few tasks that yield would keep each
   * other there, beside a queue that never runs dry. The caller publishes.
   */
  private void letInjectedGoFirst() {
    long before = deque.pushedSoFar();
    if (!queues.injector().isEmpty() && queues.moveInjected(deque)) {
      turns.lookedAtInjector(deque.size());
      counters.add(Count.POLLED, countMoved(before));
    }
  }

  /** Tasks that came from another queue into this deque: in between nobody saw them. */
  long countMoved(long before) {
    int moved = (int) (deque.pushedSoFar() - before);
    unpublished += moved;
    return moved;
  }

  void enqueue(Runnable task) {
    while (!deque.push(task)) {
      overflow();
    }
  }

  /** The task that gave way in the slot was accepted before: it stays, whatever happens. */
  private void enqueueDisplaced(Runnable displaced) {
    unpublished++; // it lay in the slot, and then for a moment nowhere
    try {
      enqueue(displaced);
    } catch (OutOfMemoryError e) {
      Runnable newest = slot.put(displaced);
      if (newest == null) {
        return; // a thief has taken the new task: both are accepted
      }
      throw e;
    }
  }

  /** Makes room: the oldest go to the injector. Throws before anything has changed. */
  private void overflow() {
    int n = deque.takeHalf(overflow);
    for (int i = 0; i < n; i++) {
      Runnable task = overflow[i];
      overflow[i] = null;
      if (task == null) {
        continue;
      }
      unpublished++;
      try {
        queues.pushOverflow(task);
        counters.increment(Count.OVERFLOWED);
      } catch (OutOfMemoryError e) {
        keep(task, i + 1, n);
        if (i == 0) {
          throw e; // no room was made: the submitter must know
        }
        return;
      }
    }
  }

  /** No memory for the injector: what was taken out goes back, where its room still is. */
  private void keep(Runnable first, int from, int to) {
    boolean kept = deque.push(first); // counted by the caller
    for (int i = from; i < to; i++) {
      Runnable task = overflow[i];
      overflow[i] = null;
      if (task != null) {
        unpublished++;
        kept &= deque.push(task);
      }
    }
    if (!kept) {
      throw new AssertionError("no room for what was taken out");
    }
  }
}
