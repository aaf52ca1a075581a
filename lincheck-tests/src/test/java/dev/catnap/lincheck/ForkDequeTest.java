package dev.catnap.lincheck;

import dev.catnap.internal.fork.ForkDeque;
import dev.catnap.internal.fork.ForkTask;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The deque of forked tasks behaves like a sequential one, whatever its owner and two thieves do
 * (F4): each task is taken once, the last one included, also while the ring grows or shrinks and
 * across the wrap of the index.
 */
class ForkDequeTest extends ModelCheckedSuite {
  private static final int SCENARIOS = 30;
  private static final int INVOCATIONS = 200;

  /** So that the second task makes it grow. */
  private static final int CAPACITY = 1;

  private static final long JUST_BEFORE_WRAP = Long.MAX_VALUE - 1;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_OPERATIONS.assertReported();
  }

  @Test
  void ownerAndThievesAreLinearizable() {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            // Two operations each are enough for every pair, three for a thief that lost to
            // another.
            .threads(3)
            .actorsPerThread(2)
            .actorsBefore(2)
            .actorsAfter(2)
            .invocationsPerIteration(INVOCATIONS);
    checkLinearizable(options, SCENARIOS, OwnerAndThieves.class, Sequential.class);
  }

  private static final class Forked extends ForkTask {
    final int number;

    Forked(int number) {
      this.number = number;
    }

    static Integer of(ForkTask task) {
      return task == null ? null : ((Forked) task).number;
    }

    @Override
    public void run() {
      throw new AssertionError("not to be run");
    }

    @Override
    public void cancel(Throwable why) {
      throw new AssertionError("not to be cancelled");
    }
  }

  /** What the owner does is in one thread; everything else is in any. */
  @Param(name = "task", gen = IntGen.class, conf = "1:1000")
  public static class OwnerAndThieves {
    private static final String OWNER = "owner";

    private final ForkDeque deque = new ForkDeque(CAPACITY, JUST_BEFORE_WRAP);
    private Forked latest = new Forked(0);

    @Operation(nonParallelGroup = OWNER)
    public void push(@Param(name = "task") int task) {
      latest = new Forked(task);
      deque.push(latest);
    }

    @Operation(nonParallelGroup = OWNER)
    public Integer pop() {
      return Forked.of(deque.pop());
    }

    /** What a join does: its own, if that is still there. */
    @Operation(nonParallelGroup = OWNER)
    public boolean takeBackTheLatest() {
      return deque.popIf(latest);
    }

    @Operation(nonParallelGroup = OWNER)
    public void trim() {
      deque.trim();
    }

    @Operation
    public Integer steal() {
      return Forked.of(deque.steal());
    }
  }

  /** The specification. */
  public static class Sequential {
    private final Deque<int[]> tasks = new ArrayDeque<>();
    private int[] latest = {0};

    public void push(int task) {
      latest = new int[] {task};
      tasks.addLast(latest);
    }

    public Integer pop() {
      return number(tasks.pollLast());
    }

    public boolean takeBackTheLatest() {
      if (tasks.peekLast() != latest) {
        return false;
      }
      tasks.removeLast();
      return true;
    }

    /** Changes nothing that can be seen. */
    public void trim() {}

    public Integer steal() {
      return number(tasks.pollFirst());
    }

    private static Integer number(int[] task) {
      return task == null ? null : task[0];
    }
  }
}
