package dev.catnap.internal.timer;

import dev.catnap.internal.stack.StackReserve;
import dev.catnap.spi.MonotonicClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The armed timers of one scheduler (G11). Thread-safe. A timer fires at most once per arming, and
 * not before its deadline; cancelling removes it at once. They fire in the order of their deadlines
 * where there is one shard, and in each shard.
 *
 * <p>A worker arms timers in its shard, of which there are eight at most, and fires those first:
 * then neither the lock of the timers nor what they resume moves from core to core. What is due in
 * the other shards it fires when it has none of its own (Go's timers are stolen like that).
 *
 * <p>A worker that has nothing else to run fires what is due ({@link #fireDue}), and one that has
 * does so in turn ({@link #fireInTurn}): no thread must be woken for that, and the tasks lie where
 * they run. The timer thread fires what workers leave. If one searches it will look here, and if
 * all run there is nobody to wake: then they have a millisecond, from each time that one of them
 * fired some. Else one batch wakes a worker.
 */
public final class TimerQueue {
  /** The longest delay, 146 years: differences of deadlines must not overflow. */
  static final long LONGEST_DELAY = Long.MAX_VALUE / 2;

  /** Each is looked at by whoever searches. */
  private static final int MOST_SHARDS = 8;

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

  private final boolean never = StackReserve.never();
  private final TimerShard[] shards;
  private final IntSupplier home;
  private final TimerKeeper keeper;
  private final MonotonicClock clock;
  private final Runnable onDrained;
  private final Consumer<Throwable> uncaught;

  private volatile boolean closing;

  /** Shards that are not drained, and who is taking timers back or dropping them. */
  private final AtomicInteger undrained;

  /** Who takes back what is left after the end finds nothing, and ends nothing again. */
  private final AtomicBoolean drained = new AtomicBoolean();

  /**
   * No timers, no thread.
   *
   * @param workers how many there are at first
   * @param home the number of the worker that calls; of another thread, any number that is the same
   *     each time. Not negative
   * @param clock what deadlines go by
   * @param starter makes the thread, at the first timer
   * @param workersWillLook whether a worker searches, or none sleeps. Called under a lock
   * @param onDrained called once, after {@link #close}, when no timer is left; without a lock
   * @param uncaught receives what the action of a timer throws, which stops no other timer (G7)
   */
  public TimerQueue(
      int workers,
      IntSupplier home,
      MonotonicClock clock,
      ThreadStarter starter,
      BooleanSupplier workersWillLook,
      Runnable onDrained,
      Consumer<Throwable> uncaught) {
    this.home = home;
    this.clock = clock;
    this.onDrained = onDrained;
    this.uncaught = uncaught;
    this.shards = newShards(Math.min(workers, MOST_SHARDS));
    this.undrained = new AtomicInteger(shards.length);
    this.keeper = new TimerKeeper(clock, starter, workersWillLook, uncaught, shards);
  }

  /**
   * No timers, and never a thread: the one worker of the pool fires what is due between two tasks,
   * and parks no longer than {@link #nanosToPark}.
   *
   * @param clock what deadlines go by
   * @param wakeWorker wakes it if it is asleep. Called without a lock, by any thread
   * @param onDrained as above
   * @param uncaught as above
   */
  public TimerQueue(
      MonotonicClock clock, Runnable wakeWorker, Runnable onDrained, Consumer<Throwable> uncaught) {
    this.home = () -> 0;
    this.clock = clock;
    this.onDrained = onDrained;
    this.uncaught = uncaught;
    this.shards = newShards(1);
    this.undrained = new AtomicInteger(1);
    this.keeper = new TimerKeeper(clock, wakeWorker, uncaught, shards);
  }

  private TimerShard[] newShards(int count) {
    TimerShard[] made = new TimerShard[count];
    for (int i = 0; i < count; i++) {
      made[i] = new TimerShard(clock, clock.nanoTime() - LONGEST_DELAY, this::releaseEnd);
    }
    return made;
  }

  /**
   * Arms a timer that is not armed.
   *
   * @param delayNanos from now; not above zero means at once
   * @return false: refused, because of {@link #close} or since it {@linkplain
   *     TimerNode#needsThread() needs a thread} and there never is one; nothing changed
   * @throws OutOfMemoryError or what the starter throws; the timer is not armed
   */
  public boolean arm(TimerNode node, long delayNanos) {
    ensureStack();
    long deadline = deadlineIn(Math.max(0, Math.min(delayNanos, LONGEST_DELAY)), clock);
    node.deadline = deadline; // also of one that is refused
    if (closing || (node.needsThread() && !keeper.isThread()) || !keeper.ensureStarted()) {
      return false;
    }
    TimerShard shard = node.shard;
    if (shard == null) {
      shard = shards.length == 1 ? shards[0] : shards[home.getAsInt() % shards.length];
      node.shard = shard;
    }
    long first = shard.add(node, deadline);
    if (first == TimerShard.NONE) {
      return false;
    }
    keeper.tell(first);
    return true;
  }

  /** As all deadlines, not {@link TimerShard#NONE}: then it is a nanosecond later. */
  static long deadlineIn(long nanos, MonotonicClock clock) {
    long deadline = clock.nanoTime() + nanos;
    return deadline == TimerShard.NONE ? deadline + 1 : deadline;
  }

  /**
   * Throws a StackOverflowError unless there is room for a call of this queue. Arming looks itself;
   * who cancels does so before it changes anything of its own.
   */
  void ensureStack() {
    StackReserve.require(never);
  }

  /** True: it was armed, and will not fire. */
  public boolean cancel(TimerNode node) {
    TimerShard shard = node.shard;
    return shard != null && shard.remove(node);
  }

  /** Until it is due, of one that is or was armed; below zero if it was. By any thread. */
  public long nanosLeft(TimerNode node) {
    return node.deadline - clock.nanoTime();
  }

  /** The time that deadlines go by. */
  MonotonicClock clock() {
    return clock;
  }

  /** Timers armed; read without a lock, so that a reader of statistics never delays a worker. */
  public int size() {
    int size = 0;
    for (TimerShard shard : shards) {
      size += shard.size();
    }
    return size;
  }

  /** The timer thread, or null before it runs. */
  public @Nullable Thread thread() {
    return keeper.thread();
  }

  // ---- firing
  // ----------------------------------------------------------------------------------

  /**
   * Fires timers that are due, on a worker that has nothing else to run: those of one shard, its
   * own if any is due there.
   *
   * @param worker its number
   * @param batch the worker's own
   * @param most at most so many
   * @param overtaken null: in any order. Else whether timers that came due before wait elsewhere;
   *     called under a lock, when none of the shard is on its way there
   * @return how many; 0 also if these would overtake others
   */
  public int fireDue(int worker, TimerBatch batch, int most, @Nullable BooleanSupplier overtaken) {
    return fireDue(worker, batch, most, overtaken, false);
  }

  /**
   * The same on one that has something else to run, in any order; and, as far as there is room,
   * those of shards from which nobody has fired any for half a millisecond: their workers are in
   * long tasks. That counts as attended to only if none is left that is due: else a worker whose
   * queue is almost full would put the timer thread off for ever, and fire one timer in each turn.
   */
  public int fireInTurn(int worker, TimerBatch batch, int most) {
    return fireDue(worker, batch, most, null, true);
  }

  private int fireDue(
      int worker, TimerBatch batch, int most, @Nullable BooleanSupplier overtaken, boolean isBusy) {
    long first = keeper.firstDeadline();
    if (first == TimerShard.NONE) {
      return 0;
    }
    long now = clock.nanoTime();
    if (first - now > 0) {
      return 0;
    }
    int fired = 0;
    for (int i = 0; i < shards.length && (isBusy ? fired < most : fired == 0); i++) {
      TimerShard shard = shards[(worker + i) % shards.length];
      boolean isLeft = isBusy && i > 0;
      if (isLeft ? shard.isNeglected(now) : shard.isDue(now)) {
        int due = shard.takeDue(batch, most - fired, overtaken, isBusy);
        if (due > 0) {
          batch.fire(uncaught);
          keeper.tell(shard.endFiring(batch));
        }
        fired += due;
      }
    }
    return fired;
  }

  /**
   * By a worker that is about to sleep, after it counts as asleep; and by one that has found
   * something else, after it no longer counts as searching, while others sleep.
   */
  public void hurry() {
    keeper.hurry();
  }

  /**
   * By the worker that keeps the timers, when its latch says that it sleeps and before it parks.
   *
   * @return how long; {@link Long#MAX_VALUE}: until it is woken. Not above zero: a timer is due
   */
  public long nanosToPark() {
    return keeper.untilNext();
  }

  // ---- the end
  // ---------------------------------------------------------------------------------

  /** Whether {@link #close} or {@link #closeNow} was called. */
  boolean isClosed() {
    return closing;
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
   * @return those that are {@linkplain TimerNode#isHandedBack handed back}, in the order of their
   *     deadlines
   */
  public List<TimerNode> closeNow() {
    List<TimerNode> taken = closeAndTake(true);
    for (TimerShard shard : shards) {
      shard.awaitFiring();
    }
    if (size() > 0) { // being fired, and there was no memory: they are to be tried again
      closeAndTake(true).forEach(taken::add); // it has room
    }
    return taken;
  }

  /**
   * After {@link #close}: takes those that are due only after so long; they fire no more.
   *
   * @param nanos from now, not negative
   * @return in the order of their deadlines
   */
  public List<TimerNode> takeLaterThan(long nanos) {
    ensureStack();
    long last = clock.nanoTime() + Math.min(nanos, LONGEST_DELAY);
    int most = beginTaking();
    try {
      List<TimerNode> taken = new ArrayList<>(most); // later it would cost those that left
      removeIf(node -> node.deadline - last > 0, taken::add);
      return inOrder(taken);
    } finally {
      releaseEnd();
    }
  }

  private List<TimerNode> closeAndTake(boolean now) {
    ensureStack();
    closing = true;
    int most = beginTaking();
    try {
      List<TimerNode> taken = new ArrayList<>(now ? most : 0); // as above
      removeIf(
          node -> now || !node.survivesShutdown(),
          node -> {
            if (now && node.isHandedBack()) {
              taken.add(node);
            } else {
              drop(node);
            }
          });
      return inOrder(taken);
    } finally {
      releaseEnd();
    }
  }

  /**
   * Closes the shards. Until the end of it the queue is not drained: what is taken back or dropped
   * is not over before. {@link #releaseEnd} must follow.
   *
   * @return how many may be taken
   */
  private int beginTaking() {
    undrained.incrementAndGet();
    int most = 0;
    for (TimerShard shard : shards) {
      most += shard.close();
    }
    return most;
  }

  private void removeIf(Predicate<TimerNode> filter, Consumer<TimerNode> receiver) {
    for (TimerShard shard : shards) {
      shard.removeIf(filter, receiver);
    }
  }

  /** They are in no queue any more. */
  private static List<TimerNode> inOrder(List<TimerNode> taken) {
    try {
      taken.sort(TimerQueue::compare);
    } catch (OutOfMemoryError e) {
      return taken; // they are worth more than their order
    }
    return taken;
  }

  /** Deadlines differ by less than half of all numbers. */
  private static int compare(TimerNode a, TimerNode b) {
    long d = a.deadline - b.deadline;
    return Long.signum(d != 0 ? d : a.sequence - b.sequence);
  }

  private void drop(TimerNode node) {
    try {
      node.dropped();
    } catch (Throwable t) {
      uncaught.accept(t);
    }
  }

  /** A shard is drained, or somebody has taken back what he wanted. */
  private void releaseEnd() {
    if (undrained.decrementAndGet() == 0 && drained.compareAndSet(false, true)) {
      keeper.end();
      onDrained.run();
    }
  }
}
