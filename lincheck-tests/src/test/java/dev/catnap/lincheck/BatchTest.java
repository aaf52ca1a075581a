package dev.catnap.lincheck;

import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.WorkerDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Taking several at once: each task is taken exactly once, and each taker gets its tasks in the
 * order in which they were pushed (G2, F4). What a batch is cannot be said in a sequential
 * specification: a thief takes half of what it saw, and the owner may have pushed since.
 */
class BatchTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 600;

  /** Four: a thief takes two at once, and the owner overflows two at once. */
  private static final int CAPACITY = 4;

  /** The indices of owner and thieves wrap while they work. */
  private static final long JUST_BEFORE_WRAP = Long.MAX_VALUE - 1;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void twoThievesStealFromAnOwnerThatPops() {
    explore(INVOCATIONS, BatchTest::stealFromPopping);
  }

  private static void stealFromPopping() {
    WorkerDeque deque = deque(1, 2, 3, 4);
    Taker thief = Taker.start(into -> deque.steal(into));
    Taker other = Taker.start(into -> deque.steal(into));
    List<Integer> popped = new ArrayList<>();
    drain(deque, popped::add);
    checkTakenOnce(4, popped, thief.taken(), other.taken());
  }

  @Test
  void aThiefStealsFromAnOwnerThatOverflows() {
    explore(INVOCATIONS, BatchTest::stealFromOverflowing);
  }

  private static void stealFromOverflowing() {
    WorkerDeque deque = deque(1, 2, 3, 4);
    Taker thief = Taker.start(into -> deque.steal(into));
    List<Integer> overflowed = new ArrayList<>();
    Runnable[] buffer = new Runnable[CAPACITY / 2];
    for (int i = 5; i <= 6; i++) {
      Runnable task = new Numbered(i);
      while (!deque.push(task)) {
        int n = deque.takeHalf(buffer);
        for (int k = 0; k < n; k++) {
          overflowed.add(Numbered.of(buffer[k]));
        }
      }
    }
    List<Integer> popped = new ArrayList<>();
    drain(deque, popped::add);
    checkTakenOnce(6, overflowed, popped, thief.taken());
  }

  /** What was stolen is stolen again, from a thief that has only just put it there. */
  @Test
  void aThiefStealsFromAThief() {
    explore(INVOCATIONS, BatchTest::stealInAChain);
  }

  private static void stealInAChain() {
    WorkerDeque deque = deque(1, 2, 3, 4);
    WorkerDeque middle = deque();
    Taker last = Taker.start(into -> middle.steal(into));
    List<Integer> taken = new ArrayList<>();
    for (Runnable t = deque.steal(middle); t != null; t = deque.steal(middle)) {
      taken.add(Numbered.of(t));
      drain(middle, taken::add);
    }
    checkTakenOnce(4, taken, last.taken());
  }

  @Test
  void aWorkerPollsABatchAnotherMovesOneWhileAThirdThreadPushes() {
    explore(INVOCATIONS, BatchTest::pollBatches);
  }

  private static void pollBatches() {
    Injector injector = new Injector(2); // two cells: the third task opens a segment
    injector.push(new Numbered(1));
    injector.push(new Numbered(2));
    Taker worker = Taker.start(into -> injector.poll(into, 1, CAPACITY / 2));
    Taker other = Taker.start(into -> move(injector, into));
    injector.push(new Numbered(3));
    injector.push(new Numbered(4));
    List<Integer> rest = worker.taken();
    List<Integer> others = other.taken();
    List<Integer> left = new ArrayList<>();
    for (Runnable t = injector.poll(); t != null; t = injector.poll()) {
      left.add(Numbered.of(t));
    }
    checkTakenOnce(4, rest, others, left);
  }

  /** As a worker whose task yields: what was moved is taken from its own deque. */
  private static @Nullable Runnable move(Injector injector, WorkerDeque into) {
    return injector.move(into, 1, CAPACITY / 2) ? into.pop() : null;
  }

  private static WorkerDeque deque(int... tasks) {
    WorkerDeque deque = new WorkerDeque(CAPACITY, JUST_BEFORE_WRAP);
    for (int t : tasks) {
      deque.push(new Numbered(t));
    }
    return deque;
  }

  private static void drain(WorkerDeque deque, Consumer<Integer> sink) {
    for (Runnable t = deque.pop(); t != null; t = deque.pop()) {
      sink.accept(Numbered.of(t));
    }
  }

  @SafeVarargs
  private static void checkTakenOnce(int tasks, List<Integer>... takers) {
    int all = 0;
    int count = 0;
    for (List<Integer> taken : takers) {
      int last = 0;
      for (int task : taken) {
        check(task > last, "not in order", taken);
        last = task;
        all |= 1 << task;
        count++;
      }
    }
    check(count == tasks && all == (1 << (tasks + 1)) - 2, "not each exactly once", count);
  }

  /** A thread that takes one batch into a deque of its own. */
  private static final class Taker extends Thread {
    private final Function<WorkerDeque, @Nullable Runnable> source;
    private final WorkerDeque own = deque();
    private final List<Integer> taken = new ArrayList<>();

    private Taker(Function<WorkerDeque, @Nullable Runnable> source) {
      super(null, null, "taker", 0, false);
      setDaemon(true);
      this.source = source;
    }

    static Taker start(Function<WorkerDeque, @Nullable Runnable> source) {
      Taker taker = new Taker(source);
      Thread thread = taker;
      thread.start();
      return taker;
    }

    @Override
    public void run() {
      Runnable first = source.apply(own);
      if (first != null) {
        taken.add(Numbered.of(first));
      }
      drain(own, taken::add);
    }

    /** Waits for its end. */
    List<Integer> taken() {
      Canary.join(this);
      return taken;
    }
  }
}
