package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * What is addressed to one worker reaches it, whatever it is doing: {@code Sleep.sendNotification}
 * against each step on the way to sleep and out of it (G6: the end of a pool is announced so).
 *
 * <p>The latch is one word that is only changed by CAS: each of these CASes is a fence on x86, so
 * no reordering can be seen there. {@code WorkerLatch} says why it is sequentially consistent.
 */
public final class Notifications {
  private Notifications() {}

  /** Against Commit and Park. Results: parked, unparks, asleep in the end. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "notified before Commit: it does not sleep")
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "parks and is woken")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "claimed after Commit, before Park")
  @Outcome(id = "1, 0, .*", expect = FORBIDDEN, desc = "G6: it sleeps through its notification")
  @Outcome(expect = FORBIDDEN, desc = "G4: miscounted")
  @State
  public static class AgainstCommitAndPark {
    private final SleepRig rig = new SleepRig(() -> false, 1);

    public AgainstCommitAndPark() {
      rig.announce(0);
    }

    @Actor
    public void notifier() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void worker(III_Result r) {
      r.r1 = rig.registerAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r2 = rig.unparks.get();
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** Against Withdraw. Results: parked, unparks, asleep in the end. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 0", "0, 1, 0"},
      expect = ACCEPTABLE,
      desc = "decremented once")
  @Outcome(expect = FORBIDDEN, desc = "G4: decremented twice or never")
  @State
  public static class AgainstWithdraw {
    private final SleepRig rig = new SleepRig(() -> true, 1);

    public AgainstWithdraw() {
      rig.announce(0);
      rig.register(0);
    }

    @Actor
    public void notifier() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void worker(III_Result r) {
      r.r1 = rig.sleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r2 = rig.unparks.get();
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /**
   * Against {@code Sleep.acknowledge}, in the order of {@code Search.search}: the worker resets its
   * latch before it looks, the sender writes before it notifies. Results: what was addressed was
   * seen, parked, unparks.
   */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "seen by the look after the first one")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not seen, but the worker does not sleep")
  @Outcome(
      id = {"0, 1, 1", "0, 0, 1"},
      expect = ACCEPTABLE,
      desc = "not seen, and woken")
  @Outcome(
      id = {"1, 1, 1", "1, 0, 1"},
      expect = ACCEPTABLE,
      desc = "seen, and woken once more")
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "seen, the reset swallowed the rest")
  @Outcome(id = "0, 1, 0", expect = FORBIDDEN, desc = "G6: the reset swallowed what was not seen")
  @Outcome(expect = FORBIDDEN, desc = "woken twice")
  @State
  public static class AgainstAcknowledge {
    private final SleepRig rig = new SleepRig(() -> false, 1);
    private final AtomicInteger phase = new AtomicInteger();

    public AgainstAcknowledge() {
      rig.announce(0);
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void notifier() {
      phase.set(1);
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.acknowledge(rig.worker(0));
      r.r1 = phase.get();
      r.r2 = rig.registerAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.unparks.get();
    }
  }

  /** Against another one, of a sleeper. Results: unparks, asleep in the end. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one of the two wakes")
  @Outcome(expect = FORBIDDEN, desc = "G4, G6: woken twice, never, or miscounted")
  @State
  public static class AgainstNotification {
    private final SleepRig rig = new SleepRig(() -> false, 1);

    public AgainstNotification() {
      rig.fallAsleep(0);
    }

    @Actor
    public void notifier1() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void notifier2() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Arbiter
    public void atRest(II_Result r) {
      r.r1 = rig.unparks.get();
      r.r2 = rig.sleep.sleepingCount();
    }
  }

  /**
   * Against {@code Sleep.end}: a worker that is over stays so, or nobody could give it a thread
   * again. Result: it can be revived.
   */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "over")
  @Outcome(expect = FORBIDDEN, desc = "G9: a dead worker that looks alive")
  @State
  public static class AgainstEnd {
    private final SleepRig rig = new SleepRig(() -> false, 1);

    @Actor
    public void notifier() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void worker() {
      rig.sleep.end(rig.worker(0));
    }

    @Arbiter
    public void atRest(I_Result r) {
      r.r1 = rig.sleep.revive(rig.worker(0)) ? 1 : 0;
    }
  }
}
