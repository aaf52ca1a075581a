package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.queue.LifoSlot;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.sentinel.Watch;
import dev.catnap.internal.sentinel.Watched;
import dev.catnap.spi.MonotonicClock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * {@code Sentinel.guardSlot} against {@code Sentinel.leave}: the publisher writes a task into its
 * slot and reads the duty; the sentinel writes OFF and reads the slot. The publisher never comes
 * back, so somebody must be on duty in the end.
 *
 * <p>Each side looks once before, as in {@link PublishAgainstSleep}.
 */
public final class SilentPush {
  private SilentPush() {}

  /** {@code LifoSlot.put} into the empty slot (release store). */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "on duty")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "G1: silent, and nobody looks")
  @State
  public static class AgainstLeave {
    private final OneSlot pool = new OneSlot();
    private final Task task = new Task(1);

    /** Its thread is never run: an actor makes the round. */
    private final Sentinel sentinel =
        new Sentinel(pool, 1, 1, MonotonicClock.SYSTEM, body -> true, t -> {});

    public AgainstLeave() {
      boolean called = sentinel.guardSlot();
      if (!called) {
        throw new AssertionError("it can come");
      }
    }

    @Actor
    public void publisher() {
      sentinel.isOnDuty();
      pool.slot.put(task);
      sentinel.guardSlot();
    }

    @Actor
    public void sentinel() {
      if (pool.slot.isEmpty()) {
        sentinel.round(1);
      }
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = sentinel.isOnDuty() ? 1 : 0;
    }
  }

  /** A pool of one worker that is in one task all the time. */
  private static final class OneSlot implements Watch, Watched {
    final LifoSlot slot = new LifoSlot();
    private final WorkerRight right = new WorkerRight();

    @Override
    public int size() {
      return 1;
    }

    @Override
    public Watched worker(int index) {
      return this;
    }

    @Override
    public boolean everybodyRuns() {
      return false;
    }

    @Override
    public boolean isWorkVisible() {
      return false;
    }

    @Override
    public void releaseRightOf(Watched worker) {}

    @Override
    public void publishWaiting() {}

    @Override
    public void roundFailed(Throwable t) {}

    @Override
    public boolean hasStandby() {
      return false;
    }

    @Override
    public int processors() {
      return 1;
    }

    @Override
    public void callUp(int most) {}

    @Override
    public boolean hasQueuedTasks() {
      return false;
    }

    @Override
    public boolean isAwake() {
      return true;
    }

    @Override
    public long tasksBegun() {
      return 1;
    }

    @Override
    public long tasksSlotted() {
      return 0;
    }

    @Override
    public boolean isSlotEmpty() {
      return slot.isEmpty();
    }

    @Override
    public void expose(boolean exposed) {}

    @Override
    public void tellBeginsFew(boolean few) {}

    @Override
    public boolean isWaiting() {
      return false;
    }

    @Override
    public boolean keepsRight() {
      return false;
    }

    @Override
    public long nanosInSection() {
      return 0;
    }

    @Override
    public WorkerRight right() {
      return right;
    }
  }
}
