package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.queue.Injector;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * {@code Injector.close}: a push came before and is delivered, or after and is refused (G6).
 *
 * <p>All accesses are sequentially consistent, all writes CAS or fetch-and-add: fences on x86, so
 * nothing can be reordered there. The argument is in {@code Injector}'s own documentation.
 */
public final class InjectorClose {
  private InjectorClose() {}

  private static int pollAll(Injector injector) {
    int n = 0;
    while (injector.poll() != null) {
      n++;
    }
    return n;
  }

  /** Results: accepted; found by the closer after its close; found in the end. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "accepted, and delivered after the close")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(id = "1, 0, 1", expect = FORBIDDEN, desc = "G6: accepted after \"closed and empty\"")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class CloseAgainstPush {
    private final Injector injector = new Injector(2);
    private final Task task = new Task(1);

    @Actor
    public void producer(III_Result r) {
      r.r1 = injector.push(task) ? 1 : 0;
    }

    @Actor
    public void closer(III_Result r) {
      injector.close();
      r.r2 = pollAll(injector);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = pollAll(injector);
    }
  }

  /** The same, and the push must append a segment where close puts its mark. */
  @JCStressTest
  @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "accepted, and delivered after the close")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(id = "1, 1, 1", expect = FORBIDDEN, desc = "G6: accepted after \"closed and empty\"")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class CloseAgainstPushOfASegment {
    private final Injector injector = new Injector(1);
    private final Task task = new Task(1);

    public CloseAgainstPushOfASegment() {
      injector.push(task);
    }

    @Actor
    public void producer(III_Result r) {
      r.r1 = injector.push(task) ? 1 : 0;
    }

    @Actor
    public void closer(III_Result r) {
      injector.close();
      r.r2 = pollAll(injector);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = pollAll(injector);
    }
  }

  /** Whoever called close may rely on it. Results: a push after each close was accepted; left. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(expect = FORBIDDEN, desc = "G6: accepted after a close has returned")
  @State
  public static class CloseAgainstClose {
    private final Injector injector = new Injector(2);
    private final Task task = new Task(1);

    @Actor
    public void closer1(III_Result r) {
      injector.close();
      r.r1 = injector.push(task) ? 1 : 0;
    }

    @Actor
    public void closer2(III_Result r) {
      injector.close();
      r.r2 = injector.push(task) ? 1 : 0;
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = pollAll(injector);
    }
  }

  /** A close does not disturb a consumer. Results: polled by it, after the close, in the end. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 1, 0"},
      expect = ACCEPTABLE,
      desc = "polled once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class CloseAgainstPoll {
    private final Injector injector = new Injector(2);

    public CloseAgainstPoll() {
      injector.push(new Task(1));
    }

    @Actor
    public void consumer(III_Result r) {
      r.r1 = pollAll(injector);
    }

    @Actor
    public void closer(III_Result r) {
      injector.close();
      r.r2 = pollAll(injector);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = pollAll(injector);
    }
  }
}
