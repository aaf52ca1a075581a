package dev.catnap.jcstress.canary;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;

import dev.catnap.internal.atomic.PaddedLong;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.queue.WorkerDeque;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The store buffering that PushFence and SleepFence forbid, with one of them missing: the task is
 * pushed by the production queue, the sleeper is a word. On x86 a publisher that does not fence
 * after its release store, or a sleeper that does not after its own, reads what was before.
 *
 * <p>Each side looks once before, as in production (a publisher's last publish, a worker's
 * LastSearch): what it reads at the decisive moment is in its cache then, and what it writes is in
 * the other's, so the store waits longer than the load. Without these looks nothing is observed.
 *
 * <p>Results: the publisher saw the sleeper; the sleeper saw the task.
 */
public final class LostWakeup {
  private LostWakeup() {}

  /** What all tests of this class look for. */
  @Outcome(id = "0, 0", expect = ACCEPTABLE_INTERESTING, desc = "neither saw the other: stranded")
  @Outcome(
      id = {"1, 1", "0, 1", "1, 0"},
      expect = ACCEPTABLE,
      desc = "somebody saw")
  public static final class Outcomes {
    private Outcomes() {}
  }

  private enum Task implements Runnable {
    TASK;

    @Override
    public void run() {
      throw new AssertionError("only moved from queue to queue");
    }
  }

  /** Without PushFence, after {@code WorkerDeque.push}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class DequePushWithoutPushFence {
    private final WorkerDeque deque = new WorkerDeque(2, 0);
    private final PaddedLong sleeping = new PaddedLong(0);

    @Actor
    public void publisher(II_Result r) {
      sleeping.getOpaque();
      deque.push(Task.TASK);
      r.r1 = (int) sleeping.getVolatile();
    }

    @Actor
    public void worker(II_Result r) {
      deque.isEmpty();
      sleeping.getAndAdd(1);
      VarHandle.fullFence();
      r.r2 = deque.isEmpty() ? 0 : 1;
    }
  }

  /** Without PushFence, after {@code LifoSlot.put}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class SlotPutWithoutPushFence {
    private final LifoSlot slot = new LifoSlot();
    private final PaddedLong sleeping = new PaddedLong(0);

    @Actor
    public void publisher(II_Result r) {
      sleeping.getOpaque();
      slot.put(Task.TASK);
      r.r1 = (int) sleeping.getVolatile();
    }

    @Actor
    public void worker(II_Result r) {
      slot.isEmpty();
      sleeping.getAndAdd(1);
      VarHandle.fullFence();
      r.r2 = slot.isEmpty() ? 0 : 1;
    }
  }

  /** Without SleepFence, after a Commit that is a release store instead of a CAS. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class CommitWithoutSleepFence {
    private final WorkerDeque deque = new WorkerDeque(2, 0);
    private final PaddedLong sleeping = new PaddedLong(0);

    @Actor
    public void publisher(II_Result r) {
      sleeping.getOpaque();
      deque.push(Task.TASK);
      VarHandle.fullFence();
      r.r1 = (int) sleeping.getVolatile();
    }

    @Actor
    public void worker(II_Result r) {
      deque.isEmpty();
      sleeping.setRelease(1);
      r.r2 = deque.isEmpty() ? 0 : 1;
    }
  }
}
