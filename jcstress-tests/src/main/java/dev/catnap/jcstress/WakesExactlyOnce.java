package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A sleeper is woken by exactly one thread, the one whose CAS took its latch, and that thread
 * decrements <i>sleeping</i>: {@code WorkerLatch.claim} in {@code Sleep.wakeOne} and {@code
 * Sleep.withdraw}.
 *
 * <p>Every access is a CAS or fetch-and-add on one word, so there is no reordering to be seen, on
 * any hardware; what is seen is whether the transitions exclude each other.
 */
public final class WakesExactlyOnce {
  private WakesExactlyOnce() {}

  /** Two publishers, one sleeper. Results: unparks of each, asleep in the end. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0"},
      expect = ACCEPTABLE,
      desc = "one of them wakes")
  @Outcome(id = "0, 0, 1", expect = FORBIDDEN, desc = "G1: each left it to the other")
  @Outcome(expect = FORBIDDEN, desc = "G3, G4: woken twice or miscounted")
  @State
  public static class TwoWakers {
    private final SleepRig rig = new SleepRig(() -> false, 1);

    public TwoWakers() {
      rig.fallAsleep(0);
    }

    @Actor
    public void publisher1(III_Result r) {
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void publisher2(III_Result r) {
      r.r2 = rig.sleep.publish();
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /**
   * Two publishers, two sleepers. Results: unparks of each, asleep in the end. The second publisher
   * wakes nobody if the first one's sleeper counts as searching by then.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "each wakes one")
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "the second saw a searcher")
  @Outcome(id = "0, 0, 2", expect = FORBIDDEN, desc = "G1: each left it to the other")
  @Outcome(expect = FORBIDDEN, desc = "G3, G4: miscounted")
  @State
  public static class TwoWakersTwoSleepers {
    private final SleepRig rig = new SleepRig(() -> false, 2);

    public TwoWakersTwoSleepers() {
      rig.fallAsleep(0);
      rig.fallAsleep(1);
    }

    @Actor
    public void publisher1(III_Result r) {
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void publisher2(III_Result r) {
      r.r2 = rig.sleep.publish();
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /**
   * A waker against Withdraw: the worker's FinalCheck always finds something. Results: unparks,
   * parked, asleep in the end.
   */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "the waker's claim came first")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "it withdrew, or never registered")
  @Outcome(expect = FORBIDDEN, desc = "G4: decremented twice or never")
  @State
  public static class WakerAndWithdraw {
    private final SleepRig rig = new SleepRig(() -> true, 1);

    public WakerAndWithdraw() {
      rig.announce(0);
      rig.register(0);
    }

    @Actor
    public void publisher(III_Result r) {
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void worker(III_Result r) {
      r.r2 = rig.sleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** A waker against a notification. Results: unparks by publish, by both, asleep in the end. */
  @JCStressTest
  @Outcome(
      id = {"0, 1, 0", "1, 1, 0"},
      expect = ACCEPTABLE,
      desc = "one of them wakes")
  @Outcome(expect = FORBIDDEN, desc = "G3, G4: woken twice, never, or miscounted")
  @State
  public static class WakerAndNotification {
    private final SleepRig rig = new SleepRig(() -> false, 1);

    public WakerAndNotification() {
      rig.fallAsleep(0);
    }

    @Actor
    public void publisher(III_Result r) {
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void notifier() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r2 = rig.unparks.get();
      r.r3 = rig.sleep.sleepingCount();
    }
  }
}
