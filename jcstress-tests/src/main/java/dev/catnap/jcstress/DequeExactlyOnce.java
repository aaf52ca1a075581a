package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.queue.WorkerDeque;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Each task of a {@code WorkerDeque} is taken once, whoever takes it in whichever way (G2). The
 * tasks have the numbers 1, 10, 100 and so on.
 *
 * <p>Results: the sum of what one side took; of what the other took; of all, with what was left
 * over. In the last one each digit tells how often a task was seen.
 *
 * <p>The takers exclude each other by the CAS on the head. That the cell is written before the
 * tail, and copied before the CAS, are orders that x86 keeps by itself; for other hardware the
 * argument is in README.md of {@code dev.catnap.internal.queue}.
 */
public final class DequeExactlyOnce {
  private DequeExactlyOnce() {}

  /** Near the wrap of the 64-bit index: the second push crosses it. */
  private static final long BEFORE_WRAP = Long.MAX_VALUE;

  private static WorkerDeque dequeOf(int... numbers) {
    WorkerDeque deque = new WorkerDeque(4, BEFORE_WRAP);
    for (int number : numbers) {
      deque.push(new Task(number));
    }
    return deque;
  }

  private static int popAll(WorkerDeque deque) {
    int sum = 0;
    for (Runnable t = deque.pop(); t != null; t = deque.pop()) {
      sum += Task.number(t);
    }
    return sum;
  }

  private static int steal(WorkerDeque victim, WorkerDeque into) {
    int sum = Task.number(victim.steal(into));
    return sum + popAll(into);
  }

  private static int takeHalf(WorkerDeque deque) {
    @Nullable Runnable[] buffer = new Runnable[2];
    int sum = 0;
    int n = deque.takeHalf(buffer);
    for (int i = 0; i < n; i++) {
      sum += Task.number(buffer[i]);
    }
    return sum;
  }

  /** {@code pop} against {@code stealOne} of the last element. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1", expect = ACCEPTABLE, desc = "one of the two has it")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class LastElementPopOrStealOne {
    private final WorkerDeque deque = dequeOf(1);

    @Actor
    public void owner(III_Result r) {
      r.r1 = Task.number(deque.pop());
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Task.number(deque.stealOne());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /** {@code steal} against {@code steal} of the last element. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1", expect = ACCEPTABLE, desc = "one of the two has it")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class LastElementTwoThieves {
    private final WorkerDeque deque = dequeOf(1);
    private final WorkerDeque deque1 = dequeOf();
    private final WorkerDeque deque2 = dequeOf();

    @Actor
    public void thief1(III_Result r) {
      r.r1 = steal(deque, deque1);
    }

    @Actor
    public void thief2(III_Result r) {
      r.r2 = steal(deque, deque2);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /** {@code pop} against {@code steal} of half: the thief's first copy is what the owner takes. */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class PopAgainstStealOfHalf {
    private final WorkerDeque deque = dequeOf(1, 10, 100);
    private final WorkerDeque into = dequeOf();

    @Actor
    public void owner(III_Result r) {
      r.r1 = Task.number(deque.pop());
      r.r1 += Task.number(deque.pop());
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = steal(deque, into);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /** {@code push} against {@code steal}: an empty deque fills while it is looked at. */
  @JCStressTest
  @Outcome(id = ".*, .*, 11", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class PushAgainstSteal {
    private final WorkerDeque deque = dequeOf();
    private final WorkerDeque into = dequeOf();
    private final Task first = new Task(1);
    private final Task second = new Task(10);

    @Actor
    public void owner() {
      deque.push(first);
      deque.push(second);
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = steal(deque, into);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r2 + popAll(deque);
    }
  }

  /**
   * The ring is full, and the owner fills the very cell again that a thief copies: {@code pop} and
   * {@code push} against {@code steal}.
   */
  @JCStressTest
  @Outcome(id = ".*, .*, 11111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class CellUsedAgain {
    private final WorkerDeque deque = dequeOf(1, 10, 100, 1000);
    private final WorkerDeque into = dequeOf();
    private final Task next = new Task(10000);

    @Actor
    public void owner(III_Result r) {
      r.r1 = Task.number(deque.pop());
      if (!deque.push(next)) {
        r.r1 += next.number;
      }
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = steal(deque, into);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /**
   * The ring is full until a thief frees a cell: {@code push} reads the head with acquire, so that
   * it does not overwrite what the thief has yet to copy.
   */
  @JCStressTest
  @Outcome(id = ".*, .*, 11111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class PushIntoAFreedCell {
    private final WorkerDeque deque = dequeOf(1, 10, 100, 1000);
    private final Task next = new Task(10000);

    @Actor
    public void owner(III_Result r) {
      if (!deque.push(next)) {
        r.r1 = next.number;
      }
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Task.number(deque.stealOne());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /** Overflow, {@code takeHalf}, against {@code steal}. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class TakeHalfAgainstSteal {
    private final WorkerDeque deque = dequeOf(1, 10, 100, 1000);
    private final WorkerDeque into = dequeOf();

    @Actor
    public void owner(III_Result r) {
      r.r1 = takeHalf(deque);
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = steal(deque, into);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /** Overflow, {@code takeHalf}, against {@code stealOne}. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class TakeHalfAgainstStealOne {
    private final WorkerDeque deque = dequeOf(1, 10, 100, 1000);

    @Actor
    public void owner(III_Result r) {
      r.r1 = takeHalf(deque);
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Task.number(deque.stealOne());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /**
   * {@code clearStale} and a push afterwards, against {@code steal}: the new task is not cleared.
   */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class ClearStaleAgainstSteal {
    private final WorkerDeque deque = dequeOf(1, 10);
    private final WorkerDeque into = dequeOf();
    private final Task next = new Task(100);

    @Actor
    public void owner(III_Result r) {
      r.r1 = popAll(deque);
      deque.clearStale();
      deque.push(next);
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = steal(deque, into);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(deque);
    }
  }

  /** A thief is stolen from: what {@code steal} staged is visible to nobody before its claim. */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class StealFromAThief {
    private final WorkerDeque deque = dequeOf(1, 10, 100);
    private final WorkerDeque into = dequeOf();
    private final WorkerDeque intoNext = dequeOf();

    @Actor
    public void thief1(III_Result r) {
      r.r1 = Task.number(deque.steal(into));
    }

    @Actor
    public void thief2(III_Result r) {
      r.r2 = Task.number(deque.stealOne()) + steal(into, intoNext);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + popAll(into) + popAll(deque);
    }
  }
}
