package dev.catnap.jcstress.canary;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;

import dev.catnap.internal.atomic.PaddedInt;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A lock that looks first and takes then, instead of the CAS of {@code SpinLock.lock}: two holders
 * at once.
 *
 * <p>Results: what each made of a plain counter under the lock.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE_INTERESTING, desc = "two holders at once")
@Outcome(
    id = {"1, 2", "2, 1"},
    expect = ACCEPTABLE,
    desc = "one after the other")
@State
public class TwoHolders {
  private final PaddedInt held = new PaddedInt(0);
  private int value;

  private int increment() {
    while (held.getVolatile() != 0) {
      Thread.onSpinWait();
    }
    held.setVolatile(1);
    int result = ++value;
    held.setVolatile(0);
    return result;
  }

  @Actor
  public void actor1(II_Result r) {
    r.r1 = increment();
  }

  @Actor
  public void actor2(II_Result r) {
    r.r2 = increment();
  }
}
