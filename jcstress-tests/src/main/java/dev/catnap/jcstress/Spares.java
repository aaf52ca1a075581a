package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A spare is claimed, notified or retires, and these exclude each other by its latch (G9): {@code
 * Sleep.claimSpare}, {@code sendNotification}, {@code retire}, {@code revive}, {@code becomeSpare}.
 *
 * <p>One word, changed by CAS only: nothing to be reordered. The two tests of what a worker leaves
 * to its next thread look for plain accesses that move across the CAS; on x86 only a compiler could
 * move them.
 */
public final class Spares {
  private Spares() {}

  /** Results: claimed, retired. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of the two")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "G9: a right to run for a thread that ends")
  @Outcome(expect = FORBIDDEN, desc = "neither")
  @State
  public static class RetireAgainstClaim {
    private final SleepRig rig = SleepRig.withSpare();

    @Actor
    public void claimer(II_Result r) {
      r.r1 = rig.sleep.claimSpare(rig.worker(0)) ? 1 : 0;
    }

    @Actor
    public void worker(II_Result r) {
      r.r2 = rig.sleep.retire(rig.worker(0)) ? 1 : 0;
    }
  }

  /** Results: claimed by each. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of the two")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "G9: two rights for one thread")
  @Outcome(expect = FORBIDDEN, desc = "neither")
  @State
  public static class ClaimAgainstClaim {
    private final SleepRig rig = SleepRig.withSpare();

    @Actor
    public void claimer1(II_Result r) {
      r.r1 = rig.sleep.claimSpare(rig.worker(0)) ? 1 : 0;
    }

    @Actor
    public void claimer2(II_Result r) {
      r.r2 = rig.sleep.claimSpare(rig.worker(0)) ? 1 : 0;
    }
  }

  /** Results: retired, unparks. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it has ended, nothing is owed")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "notified, it goes on")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "notified while it decides: it is not parked")
  @Outcome(expect = FORBIDDEN, desc = "G6: the notification is lost, or reaches a thread that ends")
  @State
  public static class RetireAgainstNotification {
    private final SleepRig rig = SleepRig.withSpare();

    @Actor
    public void notifier() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void worker(II_Result r) {
      r.r1 = rig.sleep.retire(rig.worker(0)) ? 1 : 0;
    }

    @Arbiter
    public void atRest(II_Result r) {
      r.r2 = rig.unparks.get();
    }
  }

  /** Results: became a spare, unparks. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "notified before")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "notified as a spare: unparked")
  @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "G6: it waits out its keep-alive")
  @Outcome(expect = FORBIDDEN, desc = "miscounted")
  @State
  public static class BecomeSpareAgainstNotification {
    private final SleepRig rig = new SleepRig(() -> false, 1);

    @Actor
    public void notifier() {
      rig.sleep.sendNotification(rig.worker(0));
    }

    @Actor
    public void worker(II_Result r) {
      r.r1 = rig.sleep.becomeSpare(rig.worker(0)) ? 1 : 0;
    }

    @Arbiter
    public void atRest(II_Result r) {
      r.r2 = rig.unparks.get();
    }
  }

  /** Two threads look for a retired worker. Results: revived by each. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of the two")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "G2: one worker with two threads")
  @Outcome(expect = FORBIDDEN, desc = "neither")
  @State
  public static class ReviveAgainstRevive {
    private final SleepRig rig = SleepRig.withSpare();

    public ReviveAgainstRevive() {
      rig.sleep.retire(rig.worker(0));
    }

    @Actor
    public void starter1(II_Result r) {
      r.r1 = rig.sleep.revive(rig.worker(0)) ? 1 : 0;
    }

    @Actor
    public void starter2(II_Result r) {
      r.r2 = rig.sleep.revive(rig.worker(0)) ? 1 : 0;
    }
  }

  /** What the owner of a deque wrote before it retired, the next thread's owner sees (G10). */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not retired yet")
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "sees it")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "G10: the next thread works with old fields")
  @Outcome(expect = FORBIDDEN, desc = "something else")
  @State
  public static class ReviveSeesWhatRetireLeft {
    private final SleepRig rig = SleepRig.withSpare();
    private int left;

    @Actor
    public void worker() {
      left = 1;
      rig.sleep.retire(rig.worker(0));
    }

    @Actor
    public void starter(I_Result r) {
      r.r1 = rig.sleep.revive(rig.worker(0)) ? left : -1;
    }
  }

  /** The same with the other way to end, {@code Sleep.end}, which is a write and no CAS. */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not over yet")
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "sees it")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "G10: the next thread works with old fields")
  @Outcome(expect = FORBIDDEN, desc = "something else")
  @State
  public static class ReviveSeesWhatEndLeft {
    private final SleepRig rig = new SleepRig(() -> false, 1);
    private int left;

    @Actor
    public void worker() {
      left = 1;
      rig.sleep.end(rig.worker(0));
    }

    @Actor
    public void starter(I_Result r) {
      r.r1 = rig.sleep.revive(rig.worker(0)) ? left : -1;
    }
  }
}
