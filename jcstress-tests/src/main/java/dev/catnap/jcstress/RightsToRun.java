package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.blocking.RunRights;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code RunRights}: no right to run is lost or doubled (G9). The crew is one worker of the
 * production sleep module, which is a spare or about to become one.
 *
 * <p>All accesses are sequentially consistent, and each write is a CAS or a fetch-and-add, a fence
 * on x86: what could be reordered elsewhere is argued in the class's own documentation.
 */
public final class RightsToRun {
  private RightsToRun() {}

  /** The production way to a spare, without starting threads. */
  private static RunRights rightsOver(SleepRig rig, BooleanSupplier needsMore) {
    return new RunRights(
        new RunRights.Crew() {
          @Override
          public boolean activate() {
            if (rig.sleep.isSpare(rig.worker(0)) && rig.sleep.claimSpare(rig.worker(0))) {
              rig.sleep.unpark(rig.worker(0));
              return true;
            }
            return false;
          }

          @Override
          public boolean hasSpare() {
            return rig.sleep.isSpare(rig.worker(0));
          }

          @Override
          public boolean needsMore() {
            return needsMore.getAsBoolean();
          }

          @Override
          public void recall() {
            // Nobody waits in the middle of a task here.
          }
        });
  }

  /**
   * {@code RunRights.releaseOnDemand} against a publish that finds everybody running. A task is a
   * flag, pushed as a deque does it. Results: rights left over, still a spare.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the spare runs")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "G9: a right and a spare, and a task waits")
  @Outcome(expect = FORBIDDEN, desc = "G9: a right was lost or doubled")
  @State
  public static class ReleaseOnDemandAgainstPublish {
    private final SleepRig rig = new SleepRig(() -> false, 1);
    private final AtomicInteger task = new AtomicInteger();
    private final RunRights rights = rightsOver(rig, () -> task.get() != 0);

    public ReleaseOnDemandAgainstPublish() {
      rig.sleep.becomeSpare(rig.worker(0));
    }

    @Actor
    public void blocker() {
      rights.releaseOnDemand();
    }

    @Actor
    public void publisher() {
      task.setRelease(1);
      VarHandle.fullFence();
      if (rights.awaitsDemand()) {
        rights.handOutOnDemand();
      }
    }

    @Arbiter
    public void atRest(II_Result r) {
      r.r1 = rights.unclaimed();
      r.r2 = rig.sleep.isSpare(rig.worker(0)) ? 1 : 0;
    }
  }

  /**
   * {@code RunRights.release} against {@code Spare.standBy}: the race told at {@code RunRights}.
   * Results: the worker took a right itself, rights left over, still a spare.
   */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "it took the right itself")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "it was claimed")
  @Outcome(id = "0, 1, 1", expect = FORBIDDEN, desc = "G9: a right and a spare, and nobody runs")
  @Outcome(expect = FORBIDDEN, desc = "G9: a right was lost or doubled")
  @State
  public static class ReleaseAgainstStandBy {
    private final SleepRig rig = new SleepRig(() -> false, 1);
    private final RunRights rights = rightsOver(rig, () -> false);

    @Actor
    public void blocker() {
      rights.release();
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.becomeSpare(rig.worker(0));
      if (rights.tryTake()) {
        r.r1 = 1;
        if (!rig.sleep.claimSpare(rig.worker(0))) {
          rights.release();
        }
      }
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r2 = rights.unclaimed();
      r.r3 = rig.sleep.isSpare(rig.worker(0)) ? 1 : 0;
    }
  }

  /** Neither a spare nor a thread, and perhaps a worker that waits in the middle of a task. */
  private static final class OneWaits implements RunRights.Crew {
    volatile boolean waits;
    volatile boolean recalled;

    @Override
    public boolean activate() {
      return false;
    }

    @Override
    public boolean hasSpare() {
      return false;
    }

    @Override
    public boolean needsMore() {
      return false;
    }

    @Override
    public void recall() {
      if (waits) {
        recalled = true;
      }
    }
  }

  /**
   * {@code RunRights.release}, for which there is neither spare nor thread, against a worker that
   * gives up its own right and waits. Results: 1: it goes on itself, 2: it parks and is recalled;
   * rights left over, those that it is recalled for included.
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it has seen that it is missed")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "it is recalled")
  @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "G9: it parks beside rights for nobody else")
  @Outcome(expect = FORBIDDEN, desc = "G9: a right was lost or doubled")
  @State
  public static class ReleaseAgainstWait {
    private final OneWaits crew = new OneWaits();
    private final RunRights rights = new RunRights(crew);

    /** Its right was taken and is not released yet, and it has taken it back. */
    public ReleaseAgainstWait() {
      rights.reclaim();
    }

    @Actor
    public void blocker() {
      rights.release();
    }

    @Actor
    public void waiter(II_Result r) {
      if (rights.tryRelease()) {
        crew.waits = true;
        if (rights.unclaimed() <= 0) {
          return;
        }
      }
      rights.reclaim();
      r.r1 = 1;
    }

    @Arbiter
    public void atRest(II_Result r) {
      if (r.r1 == 0 && crew.recalled) {
        r.r1 = 2;
      }
      r.r2 = rights.unclaimed();
    }
  }

  /** Two workers block, one spare. Results: rights left over, unparks, still a spare. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "one right to the spare, one waits")
  @Outcome(expect = FORBIDDEN, desc = "G9: a right was lost or doubled")
  @State
  public static class ReleaseAgainstRelease {
    private final SleepRig rig = SleepRig.withSpare();
    private final RunRights rights = rightsOver(rig, () -> false);

    @Actor
    public void blocker1() {
      rights.release();
    }

    @Actor
    public void blocker2() {
      rights.release();
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r1 = rights.unclaimed();
      r.r2 = rig.unparks.get();
      r.r3 = rig.sleep.isSpare(rig.worker(0)) ? 1 : 0;
    }
  }

  /** One worker blocks, another comes back. Results: rights left over, unparks, still a spare. */
  @JCStressTest
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "the right went to the one that came back")
  @Outcome(id = "-1, 1, 0", expect = ACCEPTABLE, desc = "it went to the spare: a surplus")
  @Outcome(expect = FORBIDDEN, desc = "G9: a right was lost or doubled")
  @State
  public static class ReleaseAgainstReclaim {
    private final SleepRig rig = SleepRig.withSpare();
    private final RunRights rights = rightsOver(rig, () -> false);

    @Actor
    public void blocker() {
      rights.release();
    }

    @Actor
    public void unblocked() {
      rights.reclaim();
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r1 = rights.unclaimed();
      r.r2 = rig.unparks.get();
      r.r3 = rig.sleep.isSpare(rig.worker(0)) ? 1 : 0;
    }
  }

  /** One right, two takers. Results: taken by each, left over. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0"},
      expect = ACCEPTABLE,
      desc = "one of the two")
  @Outcome(expect = FORBIDDEN, desc = "G9: a right was lost or doubled")
  @State
  public static class TakeAgainstTake {
    private final SleepRig rig = new SleepRig(() -> false, 1);
    private final RunRights rights = rightsOver(rig, () -> false);

    public TakeAgainstTake() {
      rights.release();
    }

    @Actor
    public void taker1(III_Result r) {
      r.r1 = rights.tryTake() ? 1 : 0;
    }

    @Actor
    public void taker2(III_Result r) {
      r.r2 = rights.tryTake() ? 1 : 0;
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rights.unclaimed();
    }
  }

  /** One right, a taker, and a worker that comes back. Results: taken, left over. */
  @JCStressTest
  @Outcome(
      id = {"1, -1", "0, 0"},
      expect = ACCEPTABLE,
      desc = "the sum is right")
  @Outcome(expect = FORBIDDEN, desc = "G9: a right was lost or doubled")
  @State
  public static class TakeAgainstReclaim {
    private final SleepRig rig = new SleepRig(() -> false, 1);
    private final RunRights rights = rightsOver(rig, () -> false);

    public TakeAgainstReclaim() {
      rights.release();
    }

    @Actor
    public void taker(II_Result r) {
      r.r1 = rights.tryTake() ? 1 : 0;
    }

    @Actor
    public void unblocked() {
      rights.reclaim();
    }

    @Arbiter
    public void atRest(II_Result r) {
      r.r2 = rights.unclaimed();
    }
  }

  /** A surplus of one, two workers between two tasks. Results: given up by each, the balance. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0"},
      expect = ACCEPTABLE,
      desc = "one of the two")
  @Outcome(expect = FORBIDDEN, desc = "G9: too many workers stand by, or too few")
  @State
  public static class GiveUpAgainstGiveUp {
    private final SleepRig rig = new SleepRig(() -> false, 1);
    private final RunRights rights = rightsOver(rig, () -> false);

    public GiveUpAgainstGiveUp() {
      rights.reclaim();
    }

    @Actor
    public void worker1(III_Result r) {
      r.r1 = rights.tryGiveUp() ? 1 : 0;
    }

    @Actor
    public void worker2(III_Result r) {
      r.r2 = rights.tryGiveUp() ? 1 : 0;
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rights.unclaimed();
    }
  }
}
