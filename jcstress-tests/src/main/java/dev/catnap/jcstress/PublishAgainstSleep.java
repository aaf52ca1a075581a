package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.fork.ForkDeque;
import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * PushFence against SleepFence, the store buffering at the heart of the protocol: the publisher
 * writes a task and reads the word, the sleeper writes the word and its latch and reads the queues.
 * One test for each way of Push.
 *
 * <p>Results: unparks made by the publisher; whether the worker parked; workers counted as asleep
 * in the end, and that must be those that are parked and were not woken.
 *
 * <p>Each side looks once before: the publisher at the word (its last publish), the worker at the
 * queue (LastSearch). What they read at the decisive moment is in their caches then, and what they
 * write is in the other's. Without these looks even the {@code canary.LostWakeup} twins are hardly
 * ever seen to fail.
 *
 * <p>On x86 every locked instruction is a fence too. So of the two fences only PushFence can be
 * seen there, and only after a Push that ends with a release store (deque, empty slot); Injector
 * pushes and Commit end with a CAS. That the fences are needed all the same is argued in README.md
 * of {@code dev.catnap.internal.sleep}.
 */
public final class PublishAgainstSleep {
  private PublishAgainstSleep() {}

  /** What all tests of this class allow. */
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "parks and is woken")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "sees the task by itself")
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "sees the task, and was claimed as well")
  @Outcome(id = "0, 1, 1", expect = FORBIDDEN, desc = "G1: it sleeps, and nobody will wake it")
  @Outcome(expect = FORBIDDEN, desc = "G3, G4: miscounted")
  public static final class Outcomes {
    private Outcomes() {}
  }

  /** {@code WorkerDeque.push} (release store of the tail); {@code WorkerDeque.isEmpty}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequePush {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final SleepRig rig = new SleepRig(() -> !deque.isEmpty(), 1);
    private final Task task = new Task(1);

    public DequePush() {
      rig.sleep.startSearch();
    }

    @Actor
    public void publisher(III_Result r) {
      rig.lookAtWord();
      deque.push(task);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.announce(rig.worker(0));
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** {@code ForkDeque.push}, whose volatile store is the PushFence; {@code ForkDeque.isEmpty}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class ForkPush {
    private final ForkDeque deque = Forked.dequeOf();
    private final SleepRig rig = new SleepRig(() -> !deque.isEmpty(), 1);
    private final Forked task = new Forked(1);

    public ForkPush() {
      rig.sleep.startSearch();
    }

    @Actor
    public void publisher(III_Result r) {
      rig.lookAtWord();
      deque.push(task);
      r.r1 = rig.sleep.publishFenced(1);
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.announce(rig.worker(0));
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /**
   * By a worker that was a spare a moment before: {@code AwakeSet.add} and then the push; {@code
   * AwakeSet.next} and, if that says so, {@code isEmpty}.
   */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequePushOfOneThatWasNotAwake {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final SleepRig rig = new SleepRig(this::isWorkVisible, 2);
    private final Task task = new Task(1);

    public DequePushOfOneThatWasNotAwake() {
      rig.sleep.startSearch();
      rig.sleep.becomeSpare(rig.worker(1));
      rig.sleep.claimSpare(rig.worker(1));
    }

    private boolean isWorkVisible() {
      return rig.sleep.nextAwake(1, 2) >= 0 && !deque.isEmpty();
    }

    @Actor
    public void publisher(III_Result r) {
      rig.lookAtWord();
      rig.sleep.endSpare(rig.worker(1));
      deque.push(task);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.announce(rig.worker(0));
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** The worker has announced before: ReadSleepers (CAS even to odd) against Register. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequePushAgainstRegister {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final SleepRig rig = new SleepRig(() -> !deque.isEmpty(), 1);
    private final Task task = new Task(1);

    public DequePushAgainstRegister() {
      rig.announce(0);
    }

    @Actor
    public void publisher(III_Result r) {
      rig.lookAtWord();
      deque.push(task);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void worker(III_Result r) {
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** {@code LifoSlot.put} into the empty slot (release store); {@code LifoSlot.isEmpty}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class SlotPut {
    private final LifoSlot slot = new LifoSlot();
    private final SleepRig rig = new SleepRig(() -> !slot.isEmpty(), 1);
    private final Task task = new Task(1);

    public SlotPut() {
      rig.sleep.startSearch();
    }

    @Actor
    public void publisher(III_Result r) {
      rig.lookAtWord();
      slot.put(task);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.announce(rig.worker(0));
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** {@code Injector.push} into a free cell (CAS); {@code Injector.isEmpty}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class InjectorPush {
    private final Injector injector = new Injector(4);
    private final SleepRig rig = new SleepRig(() -> !injector.isEmpty(), 1);
    private final Task task = new Task(1);

    public InjectorPush() {
      rig.sleep.startSearch();
    }

    @Actor
    public void publisher(III_Result r) {
      rig.lookAtWord();
      injector.push(task);
      r.r1 = rig.sleep.publishFromOutside();
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.announce(rig.worker(0));
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** {@code Injector.push} that appends a segment; {@code Injector.isEmpty} looks behind. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class InjectorPushOfASegment {
    private final Injector injector = new Injector(1);
    private final SleepRig rig = new SleepRig(() -> !injector.isEmpty(), 1);
    private final Task task = new Task(1);

    public InjectorPushOfASegment() {
      injector.push(task);
      injector.poll();
      rig.sleep.startSearch();
    }

    @Actor
    public void publisher(III_Result r) {
      rig.lookAtWord();
      injector.push(task);
      r.r1 = rig.sleep.publishFromOutside();
    }

    @Actor
    public void worker(III_Result r) {
      rig.sleep.announce(rig.worker(0));
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /**
   * A running worker moves a batch from the injector into its deque, {@code Injector.poll} and
   * {@code Worker.handOn}: in between nobody sees the second task.
   */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class BatchFromInjector {
    private final Injector injector = new Injector(4);
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final SleepRig rig = new SleepRig(() -> !injector.isEmpty() || !deque.isEmpty(), 1);

    public BatchFromInjector() {
      injector.push(new Task(1));
      injector.push(new Task(10));
      rig.announce(0);
    }

    @Actor
    public void mover(III_Result r) {
      rig.lookAtWord();
      injector.poll(deque, 1, 2);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void worker(III_Result r) {
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** The same for a task that yields, {@code Worker.letInjectedGoFirst}: the only task moves. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class MovedByAYield {
    private final Injector injector = new Injector(4);
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final SleepRig rig = new SleepRig(() -> !injector.isEmpty() || !deque.isEmpty(), 1);

    public MovedByAYield() {
      injector.push(new Task(1));
      rig.announce(0);
    }

    @Actor
    public void mover(III_Result r) {
      rig.lookAtWord();
      injector.move(deque, 1, 2);
      r.r1 = rig.sleep.publish();
    }

    @Actor
    public void worker(III_Result r) {
      r.r2 = rig.lookAndSleep(0);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }
}
