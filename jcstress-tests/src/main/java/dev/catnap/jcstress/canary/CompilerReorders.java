package dev.catnap.jcstress.canary;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Plain accesses that the second compiler swaps when it orders instructions at random. x86 itself
 * keeps the order of loads and that of stores, so nothing else can show there that a release, an
 * acquire or an opaque access is missing.
 *
 * <p>Each object is dereferenced before the accesses that matter: with null checks in between, the
 * compiler does not swap. How it orders a method is decided once in a JVM, and the swapped order is
 * seen in a few of a hundred thousand samples: only the long mode, with several JVMs, relies on it.
 */
@SuppressWarnings("UnusedVariable") // "trap" is only written
public final class CompilerReorders {
  private CompilerReorders() {}

  /**
   * A task that is pushed and taken with plain accesses: the taker sees the task and not what was
   * written before.
   *
   * <p>Results: a task was there; its field.
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "sees the task, not what it needs")
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "no task yet, or all of it")
  @State
  public static class Publication {
    private final Queue queue = new Queue();
    private final Task task = new Task();

    private static final class Queue {
      int pushed;
      int trap;
    }

    private static final class Task {
      int payload;
      int trap;
    }

    @Actor
    public void publisher() {
      Queue q = queue;
      Task t = task;
      q.trap = 0;
      t.trap = 0;
      t.payload = 1;
      q.pushed = 1;
    }

    @Actor
    public void taker(II_Result r) {
      Queue q = queue;
      Task t = task;
      q.trap = 0;
      t.trap = 0;
      r.r1 = q.pushed;
      r.r2 = t.payload;
    }
  }

  /**
   * Two plain reads of one counter, where {@code WorkerCounters.get} reads opaquely.
   *
   * <p>Results: the first read, the second.
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "backwards")
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "in order")
  @State
  public static class CounterGoesBack {
    private final Counter counter = new Counter();
    private final Counter same = counter;

    private static final class Counter {
      int value;
      int trap;
    }

    @Actor
    public void worker() {
      counter.value = 1;
    }

    @Actor
    public void reader(II_Result r) {
      Counter a = counter;
      Counter b = same;
      a.trap = 0;
      b.trap = 0;
      r.r1 = a.value;
      r.r2 = b.value;
    }
  }
}
