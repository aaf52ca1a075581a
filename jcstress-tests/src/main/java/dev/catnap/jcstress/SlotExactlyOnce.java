package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.queue.LifoSlot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The task in a {@code LifoSlot} is taken once (G2).
 *
 * <p>Results: numbers of what each side has; the sum of all, with what was left over.
 *
 * <p>The put into the empty slot is a release store and no swap: only the owner fills the slot. The
 * others are swaps, fences on x86, so nothing can be reordered there.
 */
public final class SlotExactlyOnce {
  private SlotExactlyOnce() {}

  private static LifoSlot slotWith(Task task) {
    LifoSlot slot = new LifoSlot();
    slot.put(task);
    return slot;
  }

  /** {@code take} by its owner against {@code take} by a thief. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1", expect = ACCEPTABLE, desc = "one of the two has it")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class TakeAgainstTake {
    private final LifoSlot slot = slotWith(new Task(1));

    @Actor
    public void owner(III_Result r) {
      r.r1 = Task.number(slot.take());
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Task.number(slot.take());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + Task.number(slot.take());
    }
  }

  /** {@code put} that displaces a task, against {@code take}. */
  @JCStressTest
  @Outcome(id = ".*, .*, 11", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class PutDisplacesAgainstTake {
    private final LifoSlot slot = slotWith(new Task(1));
    private final Task next = new Task(10);

    @Actor
    public void owner(III_Result r) {
      r.r1 = Task.number(slot.put(next));
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Task.number(slot.take());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + Task.number(slot.take());
    }
  }

  /** Two puts, the first into the empty slot, against {@code take}. */
  @JCStressTest
  @Outcome(id = ".*, .*, 11", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class PutAndPutAgainstTake {
    private final LifoSlot slot = new LifoSlot();
    private final Task first = new Task(1);
    private final Task second = new Task(10);

    @Actor
    public void owner(III_Result r) {
      slot.put(first);
      r.r1 = Task.number(slot.put(second));
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Task.number(slot.take());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + Task.number(slot.take());
    }
  }

  /**
   * The owner takes and puts again, against {@code take}: {@code put} looks and then stores, and
   * must not overwrite anything in between.
   */
  @JCStressTest
  @Outcome(id = ".*, .*, 11", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class TakeAndPutAgainstTake {
    private final LifoSlot slot = slotWith(new Task(1));
    private final Task next = new Task(10);

    @Actor
    public void owner(III_Result r) {
      r.r1 = Task.number(slot.take());
      r.r1 += Task.number(slot.put(next));
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Task.number(slot.take());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + Task.number(slot.take());
    }
  }
}
