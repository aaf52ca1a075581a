package dev.catnap.internal.sentinel;

import dev.catnap.spi.MonotonicClock;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks, while it is on duty, at the workers that run, and gets waiting tasks out from behind those
 * that do not come back (G1, G9): see README.md.
 *
 * <p>The guards are for any thread; {@link #round} is run by the sentinel's own thread, or by a
 * test.
 */
public final class Sentinel {
  /** A worker that waits is relieved when it has been in the same task for so many ticks. */
  private static final int TICKS_UNTIL_WAITING = 1;

  /**
   * Workers that run are let alone for so many ticks without any task begun. More threads than
   * processors make nothing faster, so this is longer, and doubles with each one more.
   */
  private static final int TICKS_UNTIL_HOGGED = 4;

  private static final int MOST_DOUBLINGS = 6;

  /**
   * Tasks that take longer than this on an average are coarse: each is worth a worker of its own,
   * though that must be woken.
   */
  public static final long FINE_TASK_NANOS = 20_000;

  /** What counts of the time between two rounds, however late the second came. */
  private static final int LONGEST_GAP_TICKS = 2;

  /** Between two looks, if the first found every slot empty: nothing waits there yet. */
  private static final int TICKS_WHEN_CALM = 8;

  private final Watch pool;
  private final long slotTickNanos;
  private final long stallTickNanos;
  private final long calmTickNanos;
  private final Duty duty;
  private final AtomicLong rounds = new AtomicLong();

  /** Whether it waits for the longer of its two ticks. */
  private volatile boolean resting;

  // Of the sentinel's thread alone: what it saw of each worker in the last round.
  private long[] begun = new long[0];
  private long[] slotted = new long[0];
  private long[] since = new long[0];
  private long someProgressAt;
  private int hogDoublings;
  private long time;
  private long lastRoundAt;

  /** The last look found no slot in use, and it has stayed all the same. */
  private boolean stayed;

  /** The last round is long ago: what was then in a task may have slept since. */
  private boolean forgotten = true;

  /**
   * Off duty.
   *
   * @param pool what to watch
   * @param slotTickNanos between two rounds while somebody sleeps or searches; 0: never on duty;
   *     eight times as long after one that found every slot empty
   * @param stallTickNanos between two rounds while everybody runs
   * @param clock what its ticks go by
   * @param starter makes the thread
   * @param onFailedStart is told why it could not
   */
  public Sentinel(
      Watch pool,
      long slotTickNanos,
      long stallTickNanos,
      MonotonicClock clock,
      Duty.ThreadStarter starter,
      Consumer<Throwable> onFailedStart) {
    this.pool = pool;
    this.slotTickNanos = slotTickNanos;
    this.stallTickNanos = stallTickNanos;
    this.calmTickNanos = Math.min(TICKS_WHEN_CALM * slotTickNanos, stallTickNanos);
    this.duty = new Duty(stallTickNanos, clock, starter, work(clock), onFailedStart);
    if (slotTickNanos == 0) {
      duty.close();
    }
  }

  // ---- for publishers and searchers ------------------------------------------------------------

  /** Whether slots are looked after, so that a push into one may stay silent. */
  public boolean isOnDuty() {
    return duty.isOn();
  }

  /**
   * After a push into an empty slot: makes sure that the sentinel is on duty.
   *
   * @return false: it cannot be; the caller must publish with all steps
   */
  public boolean guardSlot() {
    // PushFence. Pairs with the fence in leave(): without it
    //   T1 publisher                      T2 sentinel
    //   push (in the store buffer)
    //   reads ON: stays silent
    //                                     ON to OFF
    //                                     looks: the slot is empty, parks
    //   push reaches memory, then T1 hogs its core
    VarHandle.fullFence();
    return duty.call();
  }

  /**
   * After a publish that found nobody to wake because everybody runs, and after a FoundWork that
   * leaves nobody without a task while more is visible. If those that run do not come back,
   * somebody must notice; not at once, so a sentinel that lingers is not woken.
   */
  public void guardQueues() {
    if (!duty.isOn() && pool.everybodyRuns()) {
      boolean ignored = duty.callSoon(); // if it cannot come, a later publish calls again
    }
  }

  /**
   * For a publish that leaves a sleeper asleep: makes sure that the sentinel is on duty, or comes
   * soon.
   *
   * @return false: it cannot be; the caller must wake that one
   */
  public boolean guardStandby() {
    return duty.isOn() || duty.callSoon();
  }

  /** As guardQueues, for one that has not just pushed. */
  public void guardQueuesIfWorkIsVisible() {
    if (!duty.isOn() && pool.everybodyRuns() && pool.isWorkVisible()) {
      boolean ignored = duty.callSoon();
    }
  }

  /**
   * By a worker that is about to sleep and leaves slots to the sentinel, or that has kept its right
   * in a section: if that expects everybody to run, it looks more often from now on.
   *
   * @return whether it was told
   */
  public boolean hurry() {
    if (!resting) {
      return false;
    }
    resting = false;
    duty.hurry();
    return true;
  }

  // ---- on duty ---------------------------------------------------------------------------------

  private Duty.Work work(MonotonicClock clock) {
    return new Duty.Work() {
      @Override
      public long round() {
        return Sentinel.this.round(clock.nanoTime());
      }

      @Override
      public void forget() {
        Sentinel.this.forget();
      }

      @Override
      public void failed(Throwable t) {
        pool.roundFailed(t);
      }
    };
  }

  /** Nobody called for so long that the next round must not compare with the last one. */
  public void forget() {
    forgotten = true;
  }

  /**
   * One look at every worker that is awake.
   *
   * @param clock nanoseconds, monotonic
   * @return nanoseconds until the next look; 0: off duty, or about to look again at once
   */
  public long round(long clock) {
    rounds.lazySet(rounds.get() + 1);
    resting = false;
    long lastTime = time;
    long now = passTimeUntil(clock);
    long sinceLast = now - lastTime;
    // Called just after the last one it would take any worker for one that begins few tasks.
    boolean tells = !forgotten && sinceLast >= slotTickNanos / 2;
    int n = pool.size();
    growTo(n, now);
    boolean slotsInUse = false;
    boolean progress = false;
    int exposed = 0;
    int awake = 0;
    int getOn = 0;
    boolean calm = true;
    for (int i = 0; i < n; i++) {
      Watched w = pool.worker(i);
      long nowBegun = w.tasksBegun();
      boolean moved = nowBegun != begun[i];
      boolean few = (nowBegun - begun[i]) * FINE_TASK_NANOS < sinceLast;
      if (moved || forgotten) {
        begun[i] = nowBegun;
        since[i] = now;
        progress = true; // of an earlier time of duty: nothing is known yet
      }
      if (!w.isAwake()) {
        since[i] = now;
        continue; // its queues were empty when it began to search
      }
      long nowSlotted = w.tasksSlotted();
      boolean empty = w.isSlotEmpty();
      slotsInUse |= !empty || nowSlotted != slotted[i];
      // Nothing was pushed since the last round, unless a push is between its two steps, so what is
      // there was there. Whether its worker has begun tasks since says nothing: one that joins
      // takes
      // its forks back.
      boolean stuck = !empty && !forgotten && nowSlotted == slotted[i];
      slotted[i] = nowSlotted;
      w.expose(stuck);
      if (tells) {
        w.tellBeginsFew(few);
      }
      if (stuck) {
        exposed++;
      }
      calm &= empty && !w.keepsRight();
      awake++;
      if (now - since[i] < slotTickNanos || !(w.hasQueuedTasks() || w.isWaiting())) {
        getOn++;
      }
    }
    forgotten = false;
    if (progress) {
      someProgressAt = now;
      hogDoublings = 0;
    }
    for (int i = 0; i < exposed; i++) {
      pool.publishWaiting(); // a publish like any, for each task in an exposed slot
    }
    boolean everybodyRuns = pool.everybodyRuns();
    boolean stalling = queuesNeedMe(everybodyRuns);
    if (stalling) {
      if (everybodyRuns) {
        relieveStalled(n, now);
      } else {
        callUp(now - someProgressAt < slotTickNanos ? 0 : awake, getOn);
      }
    }
    if (!slotsInUse && !stalling) {
      if (stayed || !duty.isCalledOften()) {
        stayed = false;
        leave();
        return 0;
      }
      stayed = true;
      return calmTickNanos;
    }
    stayed = false;
    if (everybodyRuns && restsLong(n)) {
      return stallTickNanos;
    }
    return calm && !stalling ? calmTickNanos : slotTickNanos;
  }

  /**
   * A process out of its CPU quota, or at a safepoint, stands still as a whole. When it goes on and
   * this thread is the first, all the others seem to have been in one task for as long, and the
   * spare that is on its way never to come.
   */
  private long passTimeUntil(long clock) {
    time += Math.min(clock - lastRoundAt, LONGEST_GAP_TICKS * stallTickNanos);
    lastRoundAt = clock;
    return time;
  }

  /** Whether there is visible work, and its publishers may have relied on the sentinel. */
  private boolean queuesNeedMe(boolean everybodyRuns) {
    return (everybodyRuns || pool.hasStandby()) && pool.isWorkVisible();
  }

  /**
   * Tasks wait while workers sleep on standby. Who is in one task for a tick, and waits in it, or
   * lets others wait behind it, is replaced, so that as many get on as there are processors: what
   * lies in its queue has nobody else, however fast the others go on with theirs. If nobody has
   * begun a task since the last round, all compute, or wait, or the processors are somebody else's:
   * then twice as many, since one that is woken gets its share from the operating system, and a
   * long task delays the others no more than that.
   */
  private void callUp(int stuck, int getOn) {
    int most = Math.max(stuck, pool.processors() - getOn);
    if (most > 0) {
      pool.callUp(most);
    }
  }

  /**
   * Whether everybody still runs, and nobody bets that its section is short, now that whoever does
   * not any more, or does, will see it and hurry. The other way round:
   *
   * <pre>
   * T1 sentinel                         T2 worker
   * everybody runs
   *                                     inactive += 1
   *                                     reads not resting: need not hurry it
   * resting, and waits for the slow tick, while T2 leaves slots to it
   * </pre>
   */
  private boolean restsLong(int n) {
    resting = true;
    boolean rests = pool.everybodyRuns();
    for (int i = 0; i < n && rests; i++) {
      rests = !pool.worker(i).keepsRight();
    }
    if (!rests) {
      resting = false;
    }
    return rests;
  }

  /**
   * Whoever waits in its task, or in a section in which it has kept its right, and, if nobody has
   * begun a task for long, one of those that compute. A section must last, not the task alone: one
   * that reads a file in a loop is in a section most of the time, and each of them is short.
   */
  private void relieveStalled(int n, long now) {
    boolean relieved = false;
    for (int i = 0; i < n; i++) {
      Watched w = pool.worker(i);
      boolean kept = w.keepsRight();
      if (now - since[i] >= (kept ? slotTickNanos : TICKS_UNTIL_WAITING * stallTickNanos)
          && w.isAwake()
          && w.tasksBegun() == begun[i]
          && (kept ? w.nanosInSection() >= slotTickNanos : w.isWaiting())) {
        relieved |= relieve(w);
      }
    }
    if (relieved) {
      someProgressAt = now;
      return;
    }
    if (now - someProgressAt >= (TICKS_UNTIL_HOGGED * stallTickNanos) << hogDoublings) {
      for (int i = 0; i < n && !relieved; i++) {
        Watched w = pool.worker(i);
        relieved = w.isAwake() && w.tasksBegun() == begun[i] && relieve(w);
      }
      someProgressAt = now;
      hogDoublings = Math.min(hogDoublings + 1, MOST_DOUBLINGS);
    }
  }

  private boolean relieve(Watched w) {
    if (!w.right().takeAway()) {
      return false; // it declared a blocking section, or was relieved before
    }
    // Again, now that the right is taken; the worker reads its right after StartSearch. Otherwise:
    //   T1 sentinel                       T2 worker
    //   sees it wait in its task
    //                                     the task is over, inactive += 1
    //                                     reads HELD, goes to sleep
    //   HELD to TAKEN, a spare is activated: one worker too many, until T2's next task
    if (!pool.everybodyRuns() && w.right().giveBack()) {
      return false;
    }
    pool.releaseRightOf(w);
    return true;
  }

  /** Off duty, unless a last look finds that it is needed. */
  private void leave() {
    duty.leave();
    // The look comes after OFF. The other way round:
    //   T1 sentinel                       T2 publisher
    //   looks: every slot is empty
    //                                     push, fence, reads ON: stays silent
    //   ON to OFF, parks; T2 hogs its core
    VarHandle.fullFence();
    //   T1, if workers are on standby: reads ON, and leaves them asleep. The same look finds it.
    boolean needed = queuesNeedMe(pool.everybodyRuns());
    // Those too that came during this round: their pushes were as silent.
    int n = pool.size();
    for (int i = 0; i < n && !needed; i++) {
      needed = !pool.worker(i).isSlotEmpty();
    }
    if (needed) {
      duty.resume();
    }
  }

  private void growTo(int n, long now) {
    int known = begun.length;
    if (known < n) {
      // All or none: a round that fails for want of memory is tried again.
      long[] moreBegun = Arrays.copyOf(begun, n);
      long[] moreSlotted = Arrays.copyOf(slotted, n);
      long[] moreSince = Arrays.copyOf(since, n);
      Arrays.fill(moreSince, known, n, now);
      begun = moreBegun;
      slotted = moreSlotted;
      since = moreSince;
    }
  }

  // ---- life and reading ------------------------------------------------------------------------

  /** Ends its thread; slots are visible to everybody from here on. */
  public void close() {
    duty.close();
  }

  /** Its thread, or null. */
  public @Nullable Thread thread() {
    return duty.thread();
  }

  /** Rounds made so far. */
  public long rounds() {
    return rounds.get();
  }

  @Override
  public String toString() {
    return duty.toString();
  }
}
