package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.atomic.SpinLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code SpinLock}: one holder at a time, and each sees what the one before wrote.
 *
 * <p>Both ends are sequentially consistent accesses of an {@code AtomicBoolean}; on x86 only a
 * compiler could move a plain access out of the lock.
 */
public final class SpinLockExcludes {
  private SpinLockExcludes() {}

  /** A plain counter under the lock. Results: what each made of it. */
  @JCStressTest
  @Outcome(
      id = {"1, 2", "2, 1"},
      expect = ACCEPTABLE,
      desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "G2: two holders at once, or an old value")
  @State
  public static class Counts {
    private final SpinLock lock = new SpinLock();
    private int value;

    @Actor
    public void actor1(II_Result r) {
      lock.lock();
      r.r1 = ++value;
      lock.unlock();
    }

    @Actor
    public void actor2(II_Result r) {
      lock.lock();
      r.r2 = ++value;
      lock.unlock();
    }
  }

  /** Two plain fields under the lock. Results: both, as the other side sees them. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "both or neither")
  @Outcome(expect = FORBIDDEN, desc = "G10: sees half of what was done under the lock")
  @State
  public static class ShowsAllOrNothing {
    private final SpinLock lock = new SpinLock();
    private int first;
    private int second;

    @Actor
    public void writer() {
      lock.lock();
      first = 1;
      second = 1;
      lock.unlock();
    }

    @Actor
    public void reader(II_Result r) {
      lock.lock();
      r.r1 = first;
      r.r2 = second;
      lock.unlock();
    }
  }
}
