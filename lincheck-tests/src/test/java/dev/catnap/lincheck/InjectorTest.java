package dev.catnap.lincheck;

import dev.catnap.internal.queue.Inbox;
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
    check(SegmentsOfOne.class, 1);
  }

  @Test
  void segmentsOfTwoAreLinearizable() {
    check(SegmentsOfTwo.class, 1);
  }

  @Test
  void anInboxIsLinearizable() {
    check(OnInbox.class, 0);
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

  private static void check(Class<?> operations, int before) {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            .threads(3)
            .actorsPerThread(2)
            .actorsBefore(before)
            .actorsAfter(2)
            // A scenario of this size has a few hundred interleavings of up to two switches.
            .invocationsPerIteration(INVOCATIONS);
    checkLinearizable(options, SCENARIOS, operations, Sequential.class);
  }

  @Param(name = "task", gen = IntGen.class, conf = "1:1000")
  public abstract static class Operations {
    @Operation
    public boolean push(@Param(name = "task") int task) {
      return accept(new Numbered(task));
    }

    @Operation
    public Integer poll() {
      return Numbered.of(take());
    }

    @Operation
    public void close() {
      end();
    }

    abstract boolean accept(Runnable task);

    abstract Runnable take();

    abstract void end();
  }

  /** Opened by each push, as the background is. */
  public static class OnInbox extends Operations {
    private final Inbox inbox = new Inbox(SMALL_SEGMENT);

    @Override
    boolean accept(Runnable task) {
      inbox.open();
      return inbox.push(task);
    }

    @Override
    Runnable take() {
      return inbox.poll();
    }

    @Override
    void end() {
      inbox.close();
    }
  }

  public abstract static class OnInjector extends Operations {
    private final Injector injector;

    OnInjector(int segmentSize) {
      injector = new Injector(segmentSize);
    }

    @Override
    boolean accept(Runnable task) {
      return injector.push(task);
    }

    @Override
    Runnable take() {
      return injector.poll();
    }

    @Override
    void end() {
      injector.close();
    }
  }

  public static class SegmentsOfOne extends OnInjector {
    public SegmentsOfOne() {
      super(SMALLEST_SEGMENT);
    }
  }

  public static class SegmentsOfTwo extends OnInjector {
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
