package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.internal.sleep.WorkView;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code Sleep.publish} against {@code Sleep.endSearch} (FoundWork): the publisher writes a task
 * and reads "somebody searches"; the last searcher writes "nobody searches" and reads the queues.
 * One worker sleeps; it must be woken by one of the two.
 *
 * <p>Results: unparks made by the publisher, by the searcher.
 *
 * <p>Each side looks once before, as in {@link PublishAgainstSleep}.
 *
 * <p>On x86 the searcher's decrement is a fence as it is; PushFence after a release store (deque,
 * slot) is what this test can see. See README.md of {@code dev.catnap.internal.sleep}.
 */
public final class PublishAgainstEndSearch {
  private PublishAgainstEndSearch() {}

  /** What all tests of this class allow. */
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the publisher saw that nobody searches")
  @Outcome(
      id = "0, 1",
      expect = ACCEPTABLE,
      desc = "the searcher saw the task and hands the duty on")
  @Outcome(
      id = "0, 0",
      expect = FORBIDDEN,
      desc = "G1: the searcher relied upon had looked already")
  @Outcome(expect = FORBIDDEN, desc = "G3: two wakes of one sleeper")
  public static final class Outcomes {
    private Outcomes() {}
  }

  /** One worker asleep, one that searches, and a JEC that is odd: the publisher only reads. */
  private static SleepRig oneSleepsOneSearches(WorkView work) {
    SleepRig rig = new SleepRig(work, 2);
    rig.fallAsleep(0);
    rig.sleep.startSearch();
    rig.sleep.publish();
    return rig;
  }

  /** {@code WorkerDeque.push} (release store of the tail). */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequePush {
    private final WorkerDeque queue = new WorkerDeque(4, 0);
    private final SleepRig rig = oneSleepsOneSearches(() -> !queue.isEmpty());
    private final Task task = new Task(1);

    @Actor
    public void publisher(II_Result r) {
      rig.lookAtWord();
      queue.push(task);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void searcher(II_Result r) {
      rig.lookAtWork();
      r.r2 = rig.sleep.endSearch();
    }
  }

  /** {@code LifoSlot.put} into the empty slot (release store). */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class SlotPut {
    private final LifoSlot queue = new LifoSlot();
    private final SleepRig rig = oneSleepsOneSearches(() -> !queue.isEmpty());
    private final Task task = new Task(1);

    @Actor
    public void publisher(II_Result r) {
      rig.lookAtWord();
      queue.put(task);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void searcher(II_Result r) {
      rig.lookAtWork();
      r.r2 = rig.sleep.endSearch();
    }
  }

  /** {@code Injector.push} (CAS of the cell). */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class InjectorPush {
    private final Injector queue = new Injector(4);
    private final SleepRig rig = oneSleepsOneSearches(() -> !queue.isEmpty());
    private final Task task = new Task(1);

    @Actor
    public void publisher(II_Result r) {
      rig.lookAtWord();
      queue.push(task);
      r.r1 = rig.sleep.publishFromOutside();
    }

    @Actor
    public void searcher(II_Result r) {
      rig.lookAtWork();
      r.r2 = rig.sleep.endSearch();
    }
  }

  /** Two searchers leave while work is visible: the last one hands the duty on, and only that. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "the last one wakes")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "G1: each relied on the other")
  @Outcome(expect = FORBIDDEN, desc = "G3: two wakes of one sleeper")
  @State
  public static class TwoSearchers {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final SleepRig rig = new SleepRig(() -> !deque.isEmpty(), 3);

    public TwoSearchers() {
      rig.fallAsleep(0);
      rig.sleep.startSearch();
      rig.sleep.startSearch();
      deque.push(new Task(1));
    }

    @Actor
    public void searcher1(II_Result r) {
      r.r1 = rig.sleep.endSearch();
    }

    @Actor
    public void searcher2(II_Result r) {
      r.r2 = rig.sleep.endSearch();
    }
  }
}
