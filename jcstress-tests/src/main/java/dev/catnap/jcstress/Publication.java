package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * What a thread wrote before it pushed a task is visible to whoever takes that task (G10): a plain
 * field of the task, written before each way of Push, read after each way of taking.
 *
 * <p>Result: the field; -1: no task was there.
 *
 * <p>x86 keeps both the order of stores and the order of loads, so only a compiler could break this
 * here, and the runs with randomised scheduling of instructions look for that ({@code
 * canary.CompilerReorders} shows that they would see it). For other hardware, each pair of release
 * and acquire is in the table of README.md of {@code dev.catnap.internal.queue}.
 */
public final class Publication {
  private Publication() {}

  /** What all tests of this class allow. */
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "no task yet")
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "sees what was written before")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "G10: sees the task and not what it needs")
  @Outcome(expect = FORBIDDEN, desc = "something else")
  public static final class Outcomes {
    private Outcomes() {}
  }

  /** {@code WorkerDeque.push} to {@code stealOne}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequeToStealOne {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final Task task = new Task(1);

    @Actor
    public void publisher() {
      task.payload = 1;
      deque.push(task);
    }

    @Actor
    public void taker(I_Result r) {
      r.r1 = Task.payload(deque.stealOne());
    }
  }

  /** {@code WorkerDeque.push} to {@code steal}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequeToSteal {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final WorkerDeque into = new WorkerDeque(4, 0);
    private final Task task = new Task(1);

    @Actor
    public void publisher() {
      task.payload = 1;
      deque.push(task);
    }

    @Actor
    public void taker(I_Result r) {
      r.r1 = Task.payload(deque.steal(into));
    }
  }

  /**
   * {@code WorkerDeque.push} to {@code steal}, the second task of a batch, from the thief's own
   * deque.
   */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequeToBatch {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final WorkerDeque into = new WorkerDeque(4, 0);
    private final Task task = new Task(1);

    @Actor
    public void publisher() {
      task.payload = 1;
      deque.push(task);
      deque.push(task);
      deque.push(task);
    }

    @Actor
    public void taker(I_Result r) {
      deque.steal(into);
      r.r1 = Task.payload(into.pop());
    }
  }

  /** From thief to thief: {@code steal} publishes what it staged, {@code stealOne} takes it. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class BatchToNextThief {
    private final WorkerDeque deque = new WorkerDeque(4, 0);
    private final WorkerDeque into = new WorkerDeque(4, 0);
    private final Task task = new Task(1);

    public BatchToNextThief() {
      deque.push(task);
      deque.push(task);
      deque.push(task);
    }

    @Actor
    public void thief() {
      task.payload = 1;
      deque.steal(into);
    }

    @Actor
    public void nextThief(I_Result r) {
      r.r1 = Task.payload(into.stealOne());
    }
  }

  /** {@code LifoSlot.put} into the empty slot to {@code take}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class SlotToTake {
    private final LifoSlot slot = new LifoSlot();
    private final Task task = new Task(1);

    @Actor
    public void publisher() {
      task.payload = 1;
      slot.put(task);
    }

    @Actor
    public void taker(I_Result r) {
      r.r1 = Task.payload(slot.take());
    }
  }

  /** {@code LifoSlot.put} that displaces a task, to {@code take}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DisplacingPutToTake {
    private final LifoSlot slot = new LifoSlot();
    private final Task before = new Task(1);
    private final Task task = new Task(10);

    public DisplacingPutToTake() {
      slot.put(before);
    }

    @Actor
    public void publisher() {
      task.payload = 1;
      slot.put(task);
    }

    @Actor
    public void taker(I_Result r) {
      Runnable taken = slot.take();
      r.r1 = taken == before ? -1 : Task.payload(taken);
    }
  }

  /** {@code Injector.push} into a free cell to {@code poll}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class InjectorToPoll {
    private final Injector injector = new Injector(2);
    private final Task task = new Task(1);

    @Actor
    public void publisher() {
      task.payload = 1;
      injector.push(task);
    }

    @Actor
    public void taker(I_Result r) {
      r.r1 = Task.payload(injector.poll());
    }
  }

  /** {@code Injector.push} with a new segment, whose first cell is written plainly, to poll. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class SegmentToPoll {
    private final Injector injector = new Injector(1);
    private final Task task = new Task(1);

    public SegmentToPoll() {
      injector.push(task);
      injector.poll();
    }

    @Actor
    public void publisher() {
      task.payload = 1;
      injector.push(task);
    }

    @Actor
    public void taker(I_Result r) {
      r.r1 = Task.payload(injector.poll());
    }
  }

  /** {@code Injector.push} to a batch, the second task, from the taker's own deque. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class InjectorToBatch {
    private final Injector injector = new Injector(4);
    private final WorkerDeque into = new WorkerDeque(4, 0);
    private final Task task = new Task(1);

    @Actor
    public void publisher() {
      task.payload = 1;
      injector.push(task);
      injector.push(task);
    }

    @Actor
    public void taker(I_Result r) {
      injector.poll(into, 1, 2);
      r.r1 = Task.payload(into.pop());
    }
  }
}
