package dev.catnap.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.WorkerDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Each task of an {@code Injector} is polled once (G2), and after a close it takes no more (G6).
 *
 * <p>Results: of one side, of the other, and the sum of all, with what was left over, in which each
 * digit tells how often a task was seen. Where a push may be refused, its result is what was
 * accepted, and the sum of all that was polled equals it.
 *
 * <p>All accesses are sequentially consistent, all writes CAS, swap or fetch-and-add: fences on
 * x86, so nothing can be reordered there; what is seen is whether the transitions exclude each
 * other. See README.md of {@code dev.catnap.internal.queue}.
 */
public final class InjectorExactlyOnce {
  private InjectorExactlyOnce() {}

  private static Injector injectorOf(int segmentSize, int... numbers) {
    Injector injector = new Injector(segmentSize);
    for (int number : numbers) {
      injector.push(new Task(number));
    }
    return injector;
  }

  private static int pollAll(Injector injector) {
    int sum = 0;
    for (Runnable t = injector.poll(); t != null; t = injector.poll()) {
      sum += Task.number(t);
    }
    return sum;
  }

  private static int pollBatch(Injector injector, WorkerDeque into) {
    int sum = Task.number(injector.poll(into, 1, 3));
    for (Runnable t = into.pop(); t != null; t = into.pop()) {
      sum += Task.number(t);
    }
    return sum;
  }

  private static int push(Injector injector, Task task) {
    return injector.push(task) ? task.number : Task.NONE;
  }

  /** Two producers. */
  @JCStressTest
  @Outcome(id = ".*, .*, 11", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class PushAgainstPush {
    private final Injector injector = injectorOf(2);
    private final Task task1 = new Task(1);
    private final Task task2 = new Task(10);

    @Actor
    public void producer1(III_Result r) {
      r.r1 = push(injector, task1);
    }

    @Actor
    public void producer2(III_Result r) {
      r.r2 = push(injector, task2);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = pollAll(injector);
    }
  }

  /** Two producers, and each must append a segment: one of them finds the other's. */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class TwoSegmentsAtOnce {
    private final Injector injector = injectorOf(1, 100);
    private final Task task1 = new Task(1);
    private final Task task2 = new Task(10);

    @Actor
    public void producer1(III_Result r) {
      r.r1 = push(injector, task1);
    }

    @Actor
    public void producer2(III_Result r) {
      r.r2 = push(injector, task2);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = pollAll(injector);
    }
  }

  /** A consumer that claims a cell before its producer fills it: the cell is void. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class PushAgainstPoll {
    private final Injector injector = injectorOf(2);
    private final Task task = new Task(1);

    @Actor
    public void producer(III_Result r) {
      r.r1 = push(injector, task);
    }

    @Actor
    public void consumer(III_Result r) {
      r.r2 = Task.number(injector.poll());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r2 + pollAll(injector);
    }
  }

  /** The last task. */
  @JCStressTest
  @Outcome(id = ".*, .*, 1", expect = ACCEPTABLE, desc = "one of the two has it")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class LastTaskTwoConsumers {
    private final Injector injector = injectorOf(2, 1);

    @Actor
    public void consumer1(III_Result r) {
      r.r1 = Task.number(injector.poll());
    }

    @Actor
    public void consumer2(III_Result r) {
      r.r2 = Task.number(injector.poll());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + pollAll(injector);
    }
  }

  /** Across the end of a segment. */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class TwoConsumersAcrossSegments {
    private final Injector injector = injectorOf(1, 1, 10, 100);

    @Actor
    public void consumer1(III_Result r) {
      r.r1 = Task.number(injector.poll());
    }

    @Actor
    public void consumer2(III_Result r) {
      r.r2 = Task.number(injector.poll());
      r.r2 += Task.number(injector.poll());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + pollAll(injector);
    }
  }

  /** A batch against a single poll. */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class BatchAgainstPoll {
    private final Injector injector = injectorOf(4, 1, 10, 100);
    private final WorkerDeque into = new WorkerDeque(4, 0);

    @Actor
    public void consumer1(III_Result r) {
      r.r1 = pollBatch(injector, into);
    }

    @Actor
    public void consumer2(III_Result r) {
      r.r2 = Task.number(injector.poll());
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + r.r2 + pollAll(injector);
    }
  }

  /** A batch against a push: its last cells may be void. */
  @JCStressTest
  @Outcome(id = ".*, .*, 111", expect = ACCEPTABLE, desc = "each task once")
  @Outcome(expect = FORBIDDEN, desc = "G2: a task is lost, or there twice")
  @State
  public static class BatchAgainstPush {
    private final Injector injector = injectorOf(4, 1, 10);
    private final WorkerDeque into = new WorkerDeque(4, 0);
    private final Task task = new Task(100);

    @Actor
    public void consumer(III_Result r) {
      r.r1 = pollBatch(injector, into);
    }

    @Actor
    public void producer(III_Result r) {
      r.r2 = push(injector, task);
    }

    @Arbiter
    public void atRest(III_Result r) {
      r.r3 = r.r1 + pollAll(injector);
    }
  }
}
