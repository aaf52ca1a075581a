package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.timer.TimerBatch;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.internal.timer.TimerQueue;
import dev.catnap.spi.MonotonicClock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code TimerQueue.arm} against {@code nanosToPark}: who arms writes the first deadline and reads
 * until when the keeper sleeps; the keeper writes that and reads the first deadline. Timers are in
 * shards, so no lock orders the two.
 *
 * <p>Each side looks once before, as in {@link PublishAgainstSleep}.
 */
public final class ArmAgainstPark {
  private ArmAgainstPark() {}

  /** Results: whether the keeper was woken; whether it sees the timer. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "sees it, or is woken for it")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "G11: it sleeps through the deadline")
  @Outcome(expect = FORBIDDEN, desc = "something else")
  @State
  public static class FirstTimer {
    private final TimerNode timer = new Timer();
    private final TimerBatch batch = new TimerBatch();
    private int woken;
    private final TimerQueue queue =
        new TimerQueue(MonotonicClock.SYSTEM, this::wake, () -> {}, t -> {});

    private void wake() {
      woken = 1; // by the armer, for no other arms one
    }

    @Actor
    public void armer(II_Result r) {
      if (queue.cancel(timer) || !queue.arm(timer, 1_000_000_000)) {
        throw new AssertionError("cannot be armed");
      }
      r.r1 = woken;
    }

    @Actor
    public void keeper(II_Result r) {
      if (queue.fireDue(0, batch, 1, null) != 0) {
        throw new AssertionError("it is not due");
      }
      r.r2 = queue.nanosToPark() == Long.MAX_VALUE ? 0 : 1;
    }
  }

  private static final class Timer extends TimerNode {
    @Override
    protected void fire() {}

    @Override
    protected boolean survivesShutdown() {
      return false;
    }

    @Override
    protected void dropped() {}
  }
}
