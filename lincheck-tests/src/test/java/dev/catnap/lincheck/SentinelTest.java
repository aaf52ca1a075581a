package dev.catnap.lincheck;

import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.sentinel.Duty;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.sentinel.Watch;
import dev.catnap.internal.sentinel.Watched;
import dev.catnap.spi.MonotonicClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1 and G9 of the sentinel alone: a push that stays silent is seen by a sentinel that is on duty,
 * and a right is taken only from a worker that does not come back. Its rounds are made by a thread
 * of the check, on one worker that is written down by hand; how its own thread parks is checked
 * without a pool. The whole in many steps is in {@code docs/model/Sentinel.tla}.
 */
class SentinelTest extends ModelCheckedSuite {
  /** All interleavings of each check; every known wrong version is found within 30. */
  private static final int INVOCATIONS = 300;

  private static final long TICK = 1;

  /** While everybody runs. */
  private static final long SLOW_TICK = 2;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    Canary.LOST_WAKEUP.assertReported();
    // The guard is the publisher's part of the protocol.
    Canary.assertReported(
        "nobody is on duty", () -> exploreCanary(INVOCATIONS, () -> pushWhileItLeaves(false)));
    Canary.assertReported(
        "nobody is on duty", () -> exploreCanary(INVOCATIONS, () -> publishForStandby(false)));
  }

  /** The script in Sentinel.leave: the push comes around its last round. */
  @Test
  void aSilentPushMeetsASentinelThatLeaves() {
    explore(INVOCATIONS, () -> pushWhileItLeaves(true));
  }

  private static void pushWhileItLeaves(boolean guarded) {
    OneWorker pool = new OneWorker();
    Sentinel sentinel = pool.sentinel;
    boolean called = sentinel.guardSlot();
    check(called, "on duty", sentinel);
    Thread rounds = startElsewhere(() -> sentinel.round(TICK));
    pool.slot.set(1);
    boolean silent = !guarded || sentinel.guardSlot();
    Canary.join(rounds);
    // The owner never comes back to its slot.
    check(!silent || sentinel.isOnDuty(), "nobody is on duty", sentinel);
  }

  /**
   * The same for a publish that leaves a sleeper asleep, which is in the look of Sentinel.leave.
   */
  @Test
  void aPublishForThoseOnStandbyMeetsASentinelThatLeaves() {
    explore(INVOCATIONS, () -> publishForStandby(true));
  }

  private static void publishForStandby(boolean guarded) {
    OneWorker pool = new OneWorker();
    pool.standby = true;
    pool.inactive.set(1);
    Sentinel sentinel = pool.sentinel;
    boolean called = sentinel.guardStandby();
    check(called, "on duty", sentinel);
    Thread rounds = startElsewhere(() -> sentinel.round(TICK));
    pool.visible = true;
    boolean asleep = !guarded || sentinel.guardStandby();
    Canary.join(rounds);
    // The worker that is awake never comes back to its queue.
    check(!asleep || sentinel.isOnDuty(), "nobody is on duty", sentinel);
  }

  /** The script in Sentinel.relieve: the task is over in the moment in which it is noticed. */
  @Test
  void aWorkerIsRelievedWhileItComesBack() {
    explore(INVOCATIONS, SentinelTest::relieveWhileItComesBack);
  }

  private static void relieveWhileItComesBack() {
    OneWorker pool = new OneWorker();
    pool.visible = true;
    Sentinel sentinel = pool.sentinel;
    boolean called = sentinel.guardSlot();
    sentinel.round(TICK);
    Thread rounds = startElsewhere(() -> sentinel.round(10 * TICK));
    // As Search.search does.
    boolean asleep = false;
    pool.inactive.incrementAndGet();
    if (pool.right.isHeld()) {
      asleep = true;
    } else {
      pool.inactive.decrementAndGet();
      if (pool.right.regain()) {
        pool.released.decrementAndGet();
      }
    }
    Canary.join(rounds);
    check(called, "was called", sentinel);
    check(!asleep || !pool.right.isTaken(), "asleep without a right", pool.released);
    int away = pool.right.isTaken() ? 1 : 0;
    check(pool.released.get() == away, "rights released", pool.released);
  }

  /** A declared section begins and ends in the moment in which its worker is noticed. */
  @Test
  void aWorkerIsRelievedWhileItBlocks() {
    explore(3 * INVOCATIONS, SentinelTest::relieveWhileItBlocks);
  }

  private static void relieveWhileItBlocks() {
    OneWorker pool = new OneWorker();
    pool.visible = true;
    Sentinel sentinel = pool.sentinel;
    boolean called = sentinel.guardSlot();
    sentinel.round(TICK);
    Thread rounds = startElsewhere(() -> sentinel.round(10 * TICK));
    if (pool.right.giveUp()) {
      pool.released.incrementAndGet();
    }
    if (pool.right.regain()) {
      pool.released.decrementAndGet();
    }
    Canary.join(rounds);
    check(called, "was called", sentinel);
    int away = pool.right.isTaken() ? 1 : 0;
    check(pool.released.get() == away, "rights released", pool.released);
  }

  /** The script in Sentinel.restsLong: it falls asleep at the end of the round. */
  @Test
  void aWorkerFallsAsleepWhileTheSentinelTurnsToTheSlowTick() {
    explore(INVOCATIONS, SentinelTest::fallAsleepWhileItTurns);
  }

  private static void fallAsleepWhileItTurns() {
    OneWorker pool = new OneWorker();
    Sentinel sentinel = pool.sentinel;
    boolean called = sentinel.guardSlot();
    pool.slot.set(1); // that of another worker, which hogs its core
    AtomicLong rest = new AtomicLong();
    Thread rounds = startElsewhere(() -> rest.set(sentinel.round(TICK)));
    // As Search.search does before it leaves slots to the sentinel.
    pool.inactive.incrementAndGet();
    boolean told = sentinel.hurry();
    Canary.join(rounds);
    check(called, "was called", sentinel);
    check(told || rest.get() == TICK, "looks late, and was not told", rest);
  }

  /** The script in Duty.endLinger: what was published before the call is looked at. */
  @Test
  void aCallMeetsASentinelThatEndsItsLinger() {
    explore(INVOCATIONS, () -> callWhileItEndsItsLinger(Duty::callSoon));
  }

  @Test
  void aCallInHasteMeetsASentinelThatEndsItsLinger() {
    explore(INVOCATIONS, () -> callWhileItEndsItsLinger(Duty::call));
  }

  /** In Duty.start: its thread may have looked, and left, before who started it goes on. */
  @Test
  void aCallMeetsTheThreadThatItStarts() {
    explore(INVOCATIONS, SentinelTest::callThatStartsItsThread);
  }

  private static void callThatStartsItsThread() {
    OneCaller rig = new OneCaller();
    rig.published.set(1);
    boolean called = rig.duty.call();
    rig.seen.await();
    rig.duty.close();
    Canary.join(rig.thread);
    check(called, "can come", rig.duty);
  }

  private static void callWhileItEndsItsLinger(Predicate<Duty> call) {
    OneCaller rig = new OneCaller();
    boolean started = rig.duty.call();
    rig.published.set(1);
    boolean called = call.test(rig.duty);
    rig.seen.await(); // without a timeout: one that parks for good is a hang
    rig.duty.close();
    Canary.join(rig.thread);
    check(started && called, "can come", rig.duty);
  }

  /** A sentinel that is never needed for long, and its thread, whose linger is over at once. */
  private static final class OneCaller implements MonotonicClock, Duty.Work {
    final AtomicInteger published = new AtomicInteger();
    final ModelCheckedLatch seen = new ModelCheckedLatch();
    final Duty duty = new Duty(TICK, this, this::start, this, t -> {});
    Thread thread;
    private boolean permit;

    private boolean start(Runnable body) {
      thread = startElsewhere(body);
      return true;
    }

    /** As Sentinel.round and Sentinel.leave do. */
    @Override
    public long round() {
      look();
      duty.leave();
      look();
      return 0;
    }

    private void look() {
      if (published.get() != 0) {
        seen.open();
      }
    }

    @Override
    public void forget() {}

    @Override
    public void failed(Throwable t) {
      throw new AssertionError("no round fails here", t);
    }

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public synchronized void park(Object blocker) {
      while (!permit) {
        try {
          wait();
        } catch (InterruptedException e) {
          throw new AssertionError("nobody interrupts here", e);
        }
      }
      permit = false;
    }

    @Override
    public synchronized void parkNanos(Object blocker, long nanos) {
      permit = false;
    }

    @Override
    public synchronized void unpark(Thread parked) {
      permit = true;
      notifyAll();
    }
  }

  /** One worker that waits in its task. */
  private static final class OneWorker implements Watch, Watched {
    final AtomicInteger slot = new AtomicInteger();
    final AtomicInteger inactive = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();
    final WorkerRight right = new WorkerRight();
    volatile boolean visible;
    boolean standby;

    /** Its thread is never run. */
    final Sentinel sentinel =
        new Sentinel(this, TICK, SLOW_TICK, MonotonicClock.SYSTEM, body -> true, t -> {});

    OneWorker() {
      right.receive();
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public Watched worker(int index) {
      return this;
    }

    @Override
    public boolean everybodyRuns() {
      return inactive.get() == 0;
    }

    @Override
    public boolean isWorkVisible() {
      return visible;
    }

    @Override
    public void releaseRightOf(Watched worker) {
      released.incrementAndGet();
    }

    @Override
    public boolean hasQueuedTasks() {
      return visible;
    }

    @Override
    public void publishWaiting() {}

    @Override
    public void roundFailed(Throwable t) {
      throw new AssertionError("no round fails here", t);
    }

    @Override
    public boolean hasStandby() {
      return standby;
    }

    @Override
    public int processors() {
      return 1;
    }

    @Override
    public void callUp(int most) {}

    @Override
    public boolean isAwake() {
      return true;
    }

    @Override
    public long tasksBegun() {
      return 1;
    }

    @Override
    public long tasksSlotted() {
      return 0;
    }

    @Override
    public boolean isSlotEmpty() {
      return slot.get() == 0;
    }

    @Override
    public void expose(boolean exposed) {}

    @Override
    public void tellBeginsFew(boolean few) {}

    @Override
    public boolean isWaiting() {
      return true;
    }

    @Override
    public boolean keepsRight() {
      return false;
    }

    @Override
    public long nanosInSection() {
      return 0;
    }

    @Override
    public WorkerRight right() {
      return right;
    }
  }
}
