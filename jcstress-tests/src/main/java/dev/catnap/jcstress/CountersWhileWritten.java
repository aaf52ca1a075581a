package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.metrics.WorkerCounters;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.WorkerDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Counts that anybody may read at any time: they are values that were there, and do not go
 * backwards.
 *
 * <p>x86 keeps the order of loads of one place, as all hardware does; a compiler may swap plain
 * ones, and does ({@code canary.CompilerReorders}), opaque ones not.
 */
public final class CountersWhileWritten {
  private CountersWhileWritten() {}

  /**
   * {@code WorkerCounters.add} against {@code get}. Results: two reads, with both halves of the
   * {@code long}, so that a torn one shows.
   */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 4294967297", "4294967297, 4294967297"},
      expect = ACCEPTABLE,
      desc = "values that were there, in order")
  @Outcome(
      id = {"0, 8589934594", "4294967297, 8589934594", "8589934594, 8589934594"},
      expect = ACCEPTABLE,
      desc = "values that were there, in order")
  @Outcome(expect = FORBIDDEN, desc = "G4: torn, or backwards")
  @State
  public static class WorkerCounts {
    private static final long BOTH_HALVES = (1L << 32) + 1;
    private final WorkerCounters counters = new WorkerCounters();

    @Actor
    public void worker() {
      counters.add(Count.EXECUTED, BOTH_HALVES);
      counters.add(Count.EXECUTED, BOTH_HALVES);
    }

    @Actor
    public void reader(JJ_Result r) {
      r.r1 = counters.get(Count.EXECUTED);
      r.r2 = counters.get(Count.EXECUTED);
    }
  }

  /** {@code Sleep.sleepingCount} and {@code searchingCount} while a worker falls asleep. */
  @JCStressTest
  @Outcome(id = "[01], [01], 1", expect = ACCEPTABLE, desc = "values that were there")
  @Outcome(expect = FORBIDDEN, desc = "G4: below zero, or more than there are workers")
  @State
  public static class SleepCounts {
    private final SleepRig rig = new SleepRig(() -> false, 1);

    @Actor
    public void worker() {
      rig.announce(0);
      rig.registerAndSleep(0);
    }

    @Actor
    public void reader(III_Result r) {
      r.r1 = rig.sleep.searchingCount();
      r.r2 = rig.sleep.sleepingCount();
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = rig.sleep.sleepingCount();
    }
  }

  /** {@code WorkerDeque.size} and {@code Injector.size} while tasks are taken. */
  @JCStressTest
  @Outcome(id = "[0-2], [0-2]", expect = ACCEPTABLE, desc = "between none and all")
  @Outcome(expect = FORBIDDEN, desc = "below zero, or more than ever were there")
  @State
  public static class QueueSizes {
    private final WorkerDeque deque = new WorkerDeque(2, -1);
    private final Injector injector = new Injector(1);

    public QueueSizes() {
      deque.push(new Task(1));
      deque.push(new Task(1));
      injector.push(new Task(1));
      injector.push(new Task(1));
    }

    @Actor
    public void taker() {
      deque.pop();
      deque.pop();
      injector.poll();
      injector.poll();
    }

    @Actor
    public void reader(II_Result r) {
      r.r1 = deque.size();
      r.r2 = injector.size();
    }
  }
}
