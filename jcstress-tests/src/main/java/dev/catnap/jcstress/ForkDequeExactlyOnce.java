package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.fork.ForkDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Each task of a {@code ForkDeque} is taken once (G2). The tasks have the numbers 1, 10, 100.
 *
 * <p>Results: the sum of what the owner took; of what the thief took; of all, with what was left
 * over. In the last one each digit tells how often a task was seen.
 *
 * <p>The owner writes {@code next} and reads {@code oldest}, the thief reads both in the other
 * order: without the order of the owner's store and load, which x86 does not keep by itself, both
 * take the last but one.
 */
public final class ForkDequeExactlyOnce {
  private ForkDequeExactlyOnce() {}

  /** {@code pop} against {@code steal} of the last task. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1", expect = ACCEPTABLE, desc = "one of the two has it")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class LastTask {
    private final ForkDeque deque = Forked.dequeOf(1);

    @Actor
    public void owner(III_Result r) {
      r.r1 = Forked.number(deque.pop());
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Forked.number(deque.steal());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + Forked.popAll(deque);
    }
  }

  /** A thief that takes twice meets the owner at the second task. */
  @JCStressTest
  @Outcome(id = ".*, .*, 11", expect = ACCEPTABLE, desc = "each has one, or one has both")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class LastButOneTask {
    private final ForkDeque deque = Forked.dequeOf(1, 10);

    @Actor
    public void owner(III_Result r) {
      r.r1 = Forked.number(deque.pop());
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Forked.number(deque.steal()) + Forked.number(deque.steal());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + Forked.popAll(deque);
    }
  }

  /** A push that makes the ring grow, and a pop, against two steals. */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class WhileTheRingGrows {
    private final ForkDeque deque = Forked.dequeOf(1, 10);
    private final Forked third = new Forked(100);

    @Actor
    public void owner(III_Result r) {
      deque.push(third);
      r.r1 = Forked.number(deque.pop());
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Forked.number(deque.steal()) + Forked.number(deque.steal());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + Forked.popAll(deque);
    }
  }

  /** What the owner wrote before it forked is seen by the thief (G10). */
  @JCStressTest
  @Outcome(id = "0, -1, 0", expect = ACCEPTABLE, desc = "nothing there yet")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "stolen, with what it needs")
  @Outcome(expect = FORBIDDEN, desc = "G10: stolen without what it needs")
  @State
  public static class Publication {
    private final ForkDeque deque = Forked.dequeOf();

    @Actor
    public void owner() {
      Forked task = new Forked(1);
      task.payload = 1;
      deque.push(task);
    }

    @Actor
    public void thief(III_Result r) {
      r.r2 = Forked.payload(deque.steal());
    }
  }
}
