package dev.catnap.jcstress.canary;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;

import dev.catnap.internal.atomic.PaddedInt;
import dev.catnap.internal.atomic.PaddedLong;
import dev.catnap.internal.atomic.PaddedReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Claims that look first and write then, instead of one CAS: both sides win.
 *
 * <p>Results: won by each.
 */
public final class TakenTwice {
  private TakenTwice() {}

  /** What all tests of this class look for. */
  @Outcome(id = "1, 1", expect = ACCEPTABLE_INTERESTING, desc = "both won")
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of the two won")
  public static final class Outcomes {
    private Outcomes() {}
  }

  /** A latch, as in {@code WorkerLatch.claim}, {@code retire} and the others. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class LatchWithoutCas {
    private final PaddedInt latch = new PaddedInt(1);

    private int claim() {
      if (latch.getVolatile() == 1) {
        latch.setVolatile(0);
        return 1;
      }
      return 0;
    }

    @Actor
    public void waker(II_Result r) {
      r.r1 = claim();
    }

    @Actor
    public void worker(II_Result r) {
      r.r2 = claim();
    }
  }

  /** The last element of a ring whose head is moved without CAS, as in {@code WorkerDeque}. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class RingWithoutCas {
    private final PaddedLong head = new PaddedLong(0);
    private final PaddedLong tail = new PaddedLong(1);

    private int take() {
      long h = head.getAcquire();
      if (tail.getAcquire() - h <= 0) {
        return 0;
      }
      head.setRelease(h + 1);
      return 1;
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = take();
    }

    @Actor
    public void thief(II_Result r) {
      r.r2 = take();
    }
  }

  /** A slot that is read and then cleared, as in {@code LifoSlot.take} without its swap. */
  @JCStressTest
  @JCStressMeta(Outcomes.class)
  @State
  public static class SlotWithoutSwap {
    private final PaddedReference<String> slot = new PaddedReference<>();

    public SlotWithoutSwap() {
      slot.setRelease("task");
    }

    private int take() {
      if (slot.getVolatile() == null) {
        return 0;
      }
      slot.setRelease(null);
      return 1;
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = take();
    }

    @Actor
    public void thief(II_Result r) {
      r.r2 = take();
    }
  }
}
