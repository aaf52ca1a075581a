package dev.catnap.internal.timer;

import dev.catnap.internal.atomic.PaddedLong;
import dev.catnap.spi.MonotonicClock;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the first deadline: the timer thread, or a worker that is alone. No wakeup is lost:
 *
 * <pre>
 *   T1 keeper                            T2 arms an earlier timer
 *   looks at all first deadlines
 *                                        publishes its deadline
 *   publishes until when it sleeps
 *                                        reads that: T1 wakes too late, wakes it
 *   looks at them once more, and parks
 * </pre>
 *
 * Of two who each write, then read, at least one sees what the other wrote. The timer thread may be
 * unparked before it parks: then that park returns. For the worker see {@link #untilNext}.
 */
final class TimerKeeper {
  /** The keeper looks at all timers before it sleeps. */
  private static final long AWAKE = Long.MIN_VALUE;

  private final MonotonicClock clock;

  /** Null: a worker is the keeper. */
  private final TimerQueue.@Nullable ThreadStarter starter;

  /** Makes it look again. */
  private final Runnable wake;

  private final BooleanSupplier workersWillLook;
  private final Consumer<Throwable> uncaught;
  private final TimerShard[] shards;

  /** When the keeper looks by itself, or {@link #AWAKE}. */
  private final PaddedLong wakesAt = new PaddedLong(AWAKE);

  /** The thread that has claimed the part of the timer thread. */
  private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();

  /** Timers may be due, and the timer thread parks: workers will look. */
  private volatile boolean leftToWorkers;

  private volatile boolean started;
  private volatile boolean over;

  // Of the timer thread.
  private final TimerBatch batch = new TimerBatch();
  private final BooleanSupplier leaveToWorkers = this::leaveToWorkers;
  private boolean leaves;

  /** A thread, to be started. */
  TimerKeeper(
      MonotonicClock clock,
      TimerQueue.ThreadStarter starter,
      BooleanSupplier workersWillLook,
      Consumer<Throwable> uncaught,
      TimerShard[] shards) {
    this.clock = clock;
    this.starter = starter;
    this.wake = this::unparkRunner;
    this.workersWillLook = workersWillLook;
    this.uncaught = uncaught;
    this.shards = shards;
  }

  /** A worker. */
  TimerKeeper(
      MonotonicClock clock, Runnable wake, Consumer<Throwable> uncaught, TimerShard[] shards) {
    this.clock = clock;
    this.starter = null;
    this.wake = wake;
    this.workersWillLook = () -> true;
    this.uncaught = uncaught;
    this.shards = shards;
  }

  /**
   * Not under a lock, for it is long and runs code of the JDK. Two first timers may start two
   * threads: one of them claims the part, the other ends at once.
   *
   * @return false: refused
   */
  boolean ensureStarted() {
    if (!started && starter != null) {
      if (!starter.start(this::run)) {
        return false;
      }
      started = true;
    }
    return true;
  }

  /** Whether what is due never waits for a worker. */
  boolean isThread() {
    return starter != null;
  }

  /** The timer thread, or null before it runs. */
  @Nullable Thread thread() {
    return runner.get();
  }

  private void unparkRunner() {
    Thread t = runner.get();
    if (t != null) { // null: it has not looked at the timers yet
      clock.unpark(t);
    }
  }

  /** Wakes the keeper if it sleeps past this deadline; {@link TimerShard#NONE}: there is none. */
  void tell(long deadline) {
    long at = wakesAt.getVolatile(); // pairs with untilNext
    while (at != AWAKE && deadline != TimerShard.NONE && deadline - at < 0) {
      if (wakesAt.compareAndSet(at, AWAKE)) {
        wake.run();
        return;
      }
      at = wakesAt.getVolatile();
    }
  }

  /** The earliest of all first deadlines, or {@link TimerShard#NONE}. */
  long firstDeadline() {
    long first = TimerShard.NONE;
    for (TimerShard shard : shards) {
      long d = shard.firstDeadline();
      if (first == TimerShard.NONE || (d != TimerShard.NONE && d - first < 0)) {
        first = d;
      }
    }
    return first;
  }

  /**
   * From here on the keeper must be woken. By the worker, when its latch says that it sleeps and
   * before it parks:
   *
   * <pre>
   * T1 worker                              T2 arms an earlier timer
   * latch to SLEEPING
   * publishes: sleeps for an hour
   * looks once more, sees nothing
   *                                        publishes its deadline; T1 wakes too late
   *                                        claims the latch, unparks T1
   * </pre>
   *
   * Were the latch set after this look, T2 would find T1 awake and leave it to sleep for the hour.
   *
   * @return how long to park; {@link Long#MAX_VALUE}: until woken. Not above zero: a timer is due
   */
  long untilNext() {
    for (; ; ) {
      long first = firstDeadline();
      boolean forever = first == TimerShard.NONE;
      long now = clock.nanoTime();
      long at = forever ? now + TimerQueue.LONGEST_DELAY : first;
      wakesAt.setVolatile(at == AWAKE ? at - 1 : at);
      long again = firstDeadline();
      if (again == TimerShard.NONE || again - at >= 0) {
        return forever ? Long.MAX_VALUE : first - now;
      }
    }
  }

  /** No timer is left, and none comes: the thread ends. */
  void end() {
    over = true;
    unparkRunner();
  }

  /** The timer thread. */
  private void run() {
    if (!runner.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    while (!over) {
      long wait = look();
      if (wait == Long.MAX_VALUE) {
        clock.park(this);
      } else if (wait > 0) {
        clock.parkNanos(this, wait);
      }
      boolean ignored = Thread.interrupted(); // or every park returns at once
    }
  }

  /** Fires what workers do not, and says how long to park. */
  private long look() {
    wakesAt.setVolatile(AWAKE);
    leftToWorkers = false;
    leaves = false;
    long wait = Long.MAX_VALUE;
    for (TimerShard shard : shards) {
      long w = shard.takeOrLeave(batch, leaveToWorkers);
      if (w == 0) {
        batch.fire(uncaught);
        long ignored = shard.endFiring(batch); // it looks again
      }
      wait = Math.min(wait, w);
    }
    // While some are left to workers it is not woken for others: it looks within a millisecond, and
    // what is armed now has as much time.
    return wait == 0 || leaves ? wait : untilNext();
  }

  private boolean leaveToWorkers() {
    // Before the look at the workers. The other way round:
    //   T1 timer thread                   T2 worker
    //   T2 searches: it will look
    //                                     has looked: none was due; sleeping += 1
    //                                     nothing is left to workers: need not hurry anybody
    //   leaves those that are due now to workers, and T2 sleeps
    leftToWorkers = true;
    if (!workersWillLook.getAsBoolean()) {
      leftToWorkers = false;
      return false;
    }
    leaves = true;
    return true;
  }

  /** See {@link TimerQueue#hurry}. */
  void hurry() {
    if (leftToWorkers) {
      leftToWorkers = false;
      unparkRunner();
    }
  }
}
