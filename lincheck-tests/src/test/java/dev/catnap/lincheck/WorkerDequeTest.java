package dev.catnap.lincheck;

import dev.catnap.internal.queue.WorkerDeque;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The worker's deque behaves like a sequential one, whatever its owner and two thieves do (F4):
 * each task is taken exactly once, the oldest first, the last one included. Also across the wrap of
 * the index and of the ring: the index starts one push before {@code Long.MAX_VALUE}.
 */
class WorkerDequeTest extends ModelCheckedSuite {
  private static final int SCENARIOS = 12;
  private static final int INVOCATIONS = 200;

  /** The smallest ring, so that full, empty and wrapped are never more than two steps away. */
  private static final int CAPACITY = 2;

  private static final long JUST_BEFORE_WRAP = Long.MAX_VALUE - 1;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_OPERATIONS.assertReported();
  }

  @Test
  void ownerAndThievesAreLinearizable() {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            // Scenarios differ in which operations meet; two operations each are enough for every
            // pair, three for the retry of a thief that lost to another.
            .threads(3)
            .actorsPerThread(2)
            .actorsBefore(2)
            .actorsAfter(2)
            // A scenario of this size has a few hundred interleavings of up to two switches.
            .invocationsPerIteration(INVOCATIONS);
    checkLinearizable(options, SCENARIOS, OwnerAndThieves.class, Sequential.class);
  }

  /** What the owner does is in one thread; everything else is in any. */
  @Param(name = "task", gen = IntGen.class, conf = "1:1000")
  public static class OwnerAndThieves {
    private static final String OWNER = "owner";

    private final WorkerDeque deque = new WorkerDeque(CAPACITY, JUST_BEFORE_WRAP);
    private final Runnable[] buffer = new Runnable[CAPACITY / 2];

    @Operation(nonParallelGroup = OWNER)
    public boolean push(@Param(name = "task") int task) {
      return deque.push(new Numbered(task));
    }

    @Operation(nonParallelGroup = OWNER)
    public Integer pop() {
      return Numbered.of(deque.pop());
    }

    /** Null: there were less than two. */
    @Operation(nonParallelGroup = OWNER)
    public Integer takeHalf() {
      do {
        if (deque.takeHalf(buffer) == 1) {
          return Numbered.of(buffer[0]);
        }
      } while (deque.size() == CAPACITY); // a thief was faster, and the owner has not looked since
      return null;
    }

    /** Half of two is one, so the thief's own deque stays empty. */
    @Operation
    public Integer steal() {
      return Numbered.of(deque.steal(new WorkerDeque(CAPACITY, 0)));
    }

    @Operation
    public Integer stealOne() {
      return Numbered.of(deque.stealOne());
    }
  }

  /** The specification. */
  public static class Sequential {
    private final Deque<Integer> tasks = new ArrayDeque<>();

    public boolean push(int task) {
      return tasks.size() < CAPACITY && tasks.add(task);
    }

    public Integer pop() {
      return tasks.poll();
    }

    public Integer takeHalf() {
      return tasks.size() == CAPACITY ? tasks.poll() : null;
    }

    public Integer steal() {
      return tasks.poll();
    }

    public Integer stealOne() {
      return tasks.poll();
    }
  }
}
