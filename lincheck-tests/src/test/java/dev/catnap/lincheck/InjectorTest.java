package dev.catnap.lincheck;

import dev.catnap.internal.queue.Injector;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The injector behaves like a sequential FIFO queue that can be closed: a push that returned true
 * is delivered once, one that returned false never, and none succeeds after a close has returned
 * (G2, G6, F13).
 */
class InjectorTest extends ModelCheckedSuite {
  private static final int SCENARIOS = 12;
  private static final int INVOCATIONS = 200;

  /** One cell per segment: every push but the first opens a segment, every poll moves the head. */
  private static final int SMALLEST_SEGMENT = 1;

  /** Two: cells are void, and segments are closed half full. */
  private static final int SMALL_SEGMENT = 2;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_OPERATIONS.assertReported();
  }

  @Test
  void segmentsOfOneAreLinearizable() {
    check(SegmentsOfOne.class);
  }

  @Test
  void segmentsOfTwoAreLinearizable() {
    check(SegmentsOfTwo.class);
  }

  /** A close that finds the mark of another one, whose work is not done yet. */
  @Test
  void noPushSucceedsAfterTheFirstOfTwoClosesHasReturned() {
    // Two threads, a dozen steps each; with the bug the third interleaving showed it.
    explore(300, InjectorTest::closeTwice);
  }

  private static void closeTwice() {
    Injector injector = new Injector(SMALL_SEGMENT);
    Thread other = new Thread(injector::close);
    other.start();
    injector.close();
    boolean accepted = injector.push(new Numbered(1));
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    check(!accepted, "accepted after close", injector.size());
  }

  private static void check(Class<?> operations) {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            .threads(3)
            .actorsPerThread(2)
            .actorsBefore(1)
            .actorsAfter(2)
            // A scenario of this size has a few hundred interleavings of up to two switches.
            .invocationsPerIteration(INVOCATIONS);
    checkLinearizable(options, SCENARIOS, operations, Sequential.class);
  }

  @Param(name = "task", gen = IntGen.class, conf = "1:1000")
  public abstract static class Operations {
    private final Injector injector;

    Operations(int segmentSize) {
      injector = new Injector(segmentSize);
    }

    @Operation
    public boolean push(@Param(name = "task") int task) {
      return injector.push(new Numbered(task));
    }

    @Operation
    public Integer poll() {
      return Numbered.of(injector.poll());
    }

    @Operation
    public void close() {
      injector.close();
    }
  }

  public static class SegmentsOfOne extends Operations {
    public SegmentsOfOne() {
      super(SMALLEST_SEGMENT);
    }
  }

  public static class SegmentsOfTwo extends Operations {
    public SegmentsOfTwo() {
      super(SMALL_SEGMENT);
    }
  }

  /** The specification. */
  public static class Sequential {
    private final Deque<Integer> tasks = new ArrayDeque<>();
    private boolean closed;

    public boolean push(int task) {
      return !closed && tasks.add(task);
    }

    public Integer poll() {
      return tasks.poll();
    }

    public void close() {
      closed = true;
    }
  }
}
