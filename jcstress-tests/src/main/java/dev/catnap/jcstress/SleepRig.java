package dev.catnap.jcstress;

import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.Sleeper;
import dev.catnap.internal.sleep.WorkView;
import dev.catnap.spi.Parker;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The production sleep module and some workers, whose steps the actors make. Instead of parking, a
 * worker leaves the protocol where its thread would park: no test can hang, and whether somebody
 * unparked it is a number.
 */
final class SleepRig implements Parker {
  /** What {@link #sleep} returns. */
  static final int BACK_TO_WORK = 0;

  /** The worker's thread is parked, or was unparked a moment before. */
  static final int PARKED = 1;

  /** Odd, "active": as after a publish, so that Announce has something to do. */
  private static final int ACTIVE_JEC = 1;

  /** Never started: the parker counts, and does not look at it. */
  private static final Thread THREAD = new Thread(() -> {}, "worker");

  final Sleep sleep;
  final AtomicInteger unparks = new AtomicInteger();
  private final WorkView work;
  private final Sleeper[] workers;

  SleepRig(WorkView work, int workers) {
    // Two bits of JEC: it rolls over, on which nothing may depend.
    sleep = new Sleep(new CounterWord(2, ACTIVE_JEC), this, work, workers, workers);
    this.work = work;
    this.workers = new Sleeper[workers];
    for (int i = 0; i < workers; i++) {
      Sleeper worker = new Sleeper();
      worker.setThread(THREAD);
      sleep.add(worker);
      sleep.revive(worker);
      sleep.begin(worker);
      this.workers[i] = worker;
    }
  }

  /** One worker, which is a spare. */
  static SleepRig withSpare() {
    SleepRig rig = new SleepRig(() -> false, 1);
    rig.sleep.becomeSpare(rig.worker(0));
    return rig;
  }

  Sleeper worker(int index) {
    return workers[index];
  }

  /** Brings a worker to where it has announced that it will sleep. */
  void announce(int worker) {
    sleep.startSearch();
    sleep.announce(workers[worker]);
  }

  /** Brings a worker to where it is parked; nothing is visible yet. */
  void fallAsleep(int worker) {
    announce(worker);
    if (registerAndSleep(worker) != PARKED) {
      throw new IllegalStateException("did not fall asleep: " + sleep);
    }
  }

  /** Brings a worker to where it is registered. */
  void register(int worker) {
    if (!sleep.register(workers[worker])) {
      throw new IllegalStateException("not registered: " + sleep);
    }
  }

  /** Register and all that follows, to Park. */
  int registerAndSleep(int worker) {
    return sleep.register(workers[worker]) ? sleep(worker) : BACK_TO_WORK;
  }

  /** LastSearch, then Register and all that follows, to Park. */
  int lookAndSleep(int worker) {
    return lookAtWork() ? BACK_TO_WORK : registerAndSleep(worker);
  }

  boolean lookAtWork() {
    return work.isWorkVisible();
  }

  /** What a publish does: afterwards this processor has the word in its cache. */
  int lookAtWord() {
    return sleep.sleepingCount();
  }

  /** Commit, SleepFence, FinalCheck, and Park or Withdraw. */
  int sleep(int worker) {
    try {
      sleep.sleep(workers[worker]);
      return BACK_TO_WORK;
    } catch (Parked e) {
      return PARKED;
    }
  }

  @Override
  public void park(Object blocker) {
    throw Parked.INSTANCE;
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    throw Parked.INSTANCE;
  }

  @Override
  public void unpark(Thread thread) {
    unparks.getAndIncrement();
  }

  /** Leaves {@code Sleep.sleep} where the thread would park. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // thrown by the million, has no stack trace
  private static final class Parked extends Error {
    private static final long serialVersionUID = 1;
    static final Parked INSTANCE = new Parked();

    private Parked() {
      super(null, null, false, false);
    }
  }
}
