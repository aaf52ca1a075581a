package dev.catnap.lincheck;

import dev.catnap.internal.queue.LifoSlot;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The slot behaves like a variable that its owner fills and anybody empties (G2). */
class LifoSlotTest extends ModelCheckedSuite {
  private static final int SCENARIOS = 10;
  private static final int INVOCATIONS = 200;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_OPERATIONS.assertReported();
  }

  @Test
  void ownerAndThievesAreLinearizable() {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            .threads(3)
            .actorsPerThread(2)
            .actorsBefore(1)
            .actorsAfter(1)
            // An operation is one or two accesses: these are all interleavings of most scenarios.
            .invocationsPerIteration(INVOCATIONS);
    checkLinearizable(options, SCENARIOS, OwnerAndThieves.class, Sequential.class);
  }

  @Param(name = "task", gen = IntGen.class, conf = "1:1000")
  public static class OwnerAndThieves {
    private final LifoSlot slot = new LifoSlot();

    @Operation(nonParallelGroup = "owner")
    public Integer put(@Param(name = "task") int task) {
      return Numbered.of(slot.put(new Numbered(task)));
    }

    @Operation
    public Integer take() {
      return Numbered.of(slot.take());
    }

    @Operation
    public boolean isEmpty() {
      return slot.isEmpty();
    }
  }

  /** The specification. */
  public static class Sequential {
    private Integer content;

    public Integer put(int task) {
      Integer displaced = content;
      content = task;
      return displaced;
    }

    public Integer take() {
      Integer taken = content;
      content = null;
      return taken;
    }

    public boolean isEmpty() {
      return content == null;
    }
  }
}
