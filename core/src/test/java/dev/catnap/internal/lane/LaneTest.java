package dev.catnap.internal.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Parker;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * G2 of a lane alone, step by step: no accepted task is left to a runner that is not there,
 * whatever the scheduler does with runners.
 */
class LaneTest {
  private final FakeScheduler scheduler = new FakeScheduler();
  private final List<String> ran = new ArrayList<>();

  private Lane lane(int threads, int capacity) {
    return new Lane(
        "tested",
        threads,
        capacity,
        scheduler,
        Parker.LOCK_SUPPORT,
        Runnable::run,
        thrown -> {
          throw new AssertionError(thrown);
        });
  }

  private LaneTask task(Lane lane, String name) {
    return lane.ticket(() -> ran.add(name));
  }

  private void runAll() {
    while (!scheduler.published.isEmpty()) {
      scheduler.runNext();
      assertEquals(0, scheduler.sections, "each section is ended");
    }
  }

  @Test
  void aRunnerGoesOnUntilNothingWaits() {
    Lane lane = lane(1, 3);
    for (String name : List.of("a", "b", "c")) {
      lane.execute(task(lane, name));
    }
    assertEquals(1, scheduler.published.size(), "one runner for one thread");
    scheduler.runNext();
    assertEquals(List.of("a", "b", "c"), ran);
    lane.execute(task(lane, "d"));
    assertEquals(1, scheduler.published.size(), "the one before has left");
    runAll();
    assertEquals(List.of("a", "b", "c", "d"), ran);
  }

  /** G6: whoever takes what has not begun back interrupts what has, however short a time ago. */
  @Test
  void theInterruptOfATaskThatIsAboutToRunReachesIt() {
    Lane lane = lane(1, 1);
    boolean[] interrupted = new boolean[1];
    lane.execute(lane.ticket(() -> interrupted[0] = Thread.interrupted()));
    scheduler.beforeSection = () -> assertEquals(List.of(), lane.shutdownNow());
    runAll();
    assertTrue(interrupted[0]);
    assertTrue(lane.isTerminated());
  }

  /** G2: a section that cannot be declared, for want of memory or stack, costs no task. */
  @Test
  void aTaskRunsThoughItsSectionCannotBeDeclared() {
    Lane lane = lane(1, 3);
    for (Error none : List.of(new OutOfMemoryError("none"), new StackOverflowError())) {
      ran.clear();
      scheduler.beforeSection =
          () -> {
            throw none;
          };
      lane.execute(task(lane, "a"));
      lane.execute(task(lane, "b"));
      runAll();
      assertEquals(List.of("a", "b"), ran);
      assertEquals(0, lane.running());
    }
  }

  /** The script in {@link LaneQueue}: a runner is counted only when it was published. */
  @Test
  void whoComesWhileARunnerIsRefusedDoesNotRelyOnIt() {
    Lane lane = lane(1, 3);
    scheduler.beforePublish =
        () -> {
          scheduler.beforePublish = () -> {};
          lane.execute(task(lane, "second"));
          throw new OutOfMemoryError("from the test");
        };
    var first = task(lane, "first");
    assertThrows(OutOfMemoryError.class, () -> lane.execute(first));
    runAll();
    assertEquals(List.of("second"), ran);
    assertEquals(0, lane.waiting());
  }

  @Test
  void aTaskWhoseRunnerIsRefusedIsRefused() {
    Lane lane = lane(1, 3);
    scheduler.closed = true;
    var e =
        assertThrows(RejectedExecutionException.class, () -> lane.execute(task(lane, "refused")));
    assertTrue(String.valueOf(e.getMessage()).contains("tested"), e::getMessage);
    assertEquals(0, lane.waiting());
    lane.shutdown();
    assertTrue(lane.isTerminated());
  }

  /** It was run already by the runner of another: it is accepted, whatever its own runner meets. */
  @Test
  void aTaskThatHasRunIsNotRefused() {
    Lane lane = lane(2, 3);
    scheduler.beforePublish =
        () -> {
          scheduler.beforePublish = () -> {};
          lane.execute(task(lane, "second"));
          scheduler.runNext(); // both
          throw new OutOfMemoryError("from the test");
        };
    lane.execute(task(lane, "first"));
    assertEquals(List.of("first", "second"), ran);
    assertTrue(scheduler.published.isEmpty());
  }

  @Test
  void aRunnerTooManyLeaves() {
    Lane lane = lane(1, 3);
    scheduler.beforePublish =
        () -> {
          scheduler.beforePublish = () -> {};
          lane.execute(task(lane, "second"));
        };
    lane.execute(task(lane, "first"));
    assertEquals(2, scheduler.published.size());
    runAll();
    assertEquals(List.of("first", "second"), ran);
    lane.execute(task(lane, "third"));
    assertEquals(1, scheduler.published.size(), "both are counted as gone");
    runAll();
  }

  /**
   * A helper counts as running, so a runner that comes leaves at once; then the helper must see
   * that somebody comes to what waits.
   */
  @Test
  void aHelperLeavesNothingBehind() throws Exception {
    Lane lane = lane(1, 1);
    lane.execute(
        lane.ticket(
            () -> {
              ran.add("helped");
              scheduler.runNext(); // the lane's runner: the helper runs, so it leaves
            }));
    lane.execute(task(lane, "waits"));
    onWorkerThread(() -> lane.executeAwaiting(task(lane, "late")));
    assertEquals(List.of("helped"), ran);
    assertEquals(2, lane.waiting());
    assertEquals(1, scheduler.published.size(), "a runner for what waits");
    runAll();
    assertEquals(List.of("helped", "waits", "late"), ran);
  }

  /** If it cannot publish a runner, it goes on itself. */
  @Test
  void aHelperThatCannotPublishARunnerRunsTheRest() throws Exception {
    Lane lane = lane(1, 1);
    lane.execute(
        lane.ticket(
            () -> {
              ran.add("helped");
              scheduler.runNext();
              scheduler.beforePublish =
                  () -> {
                    throw new OutOfMemoryError("from the test");
                  };
            }));
    lane.execute(task(lane, "waits"));
    onWorkerThread(() -> lane.executeAwaiting(task(lane, "late")));
    assertEquals(List.of("helped", "waits", "late"), ran);
    assertEquals(0, scheduler.sections);
  }

  @Test
  void itIsOverWhenItIsClosedAndNothingRunsOrWaits() {
    Lane lane = lane(1, 1);
    lane.execute(lane.ticket(() -> assertFalse(lane.isTerminated())));
    lane.shutdown();
    assertTrue(lane.isShutdown());
    assertFalse(lane.isTerminated());
    runAll();
    assertTrue(lane.isTerminated());
  }

  @Test
  void shutdownNowTakesBackWhatWaitsAndItIsOver() {
    Lane lane = lane(1, 1);
    LaneTask a = task(lane, "a");
    lane.execute(a);
    assertEquals(List.of(a.task), lane.shutdownNow());
    assertTrue(lane.isTerminated());
    runAll(); // the runner finds nothing
    assertEquals(List.of(), ran);
    assertEquals(List.of(), lane.shutdownNow());
  }

  @FunctionalInterface
  private interface Interruptible {
    void run() throws InterruptedException;
  }

  private static void onWorkerThread(Interruptible block) throws Exception {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread t =
        new FakeWorkerThread(
            () -> {
              try {
                block.run();
              } catch (Throwable thrown) {
                failure.set(thrown);
              }
            });
    t.setDaemon(true);
    t.start();
    Await.until("the submitter is over", () -> !t.isAlive(), t::getState);
    assertEquals(null, failure.get());
  }

  private static final class FakeWorkerThread extends Thread implements WorkerThread {
    FakeWorkerThread(Runnable body) {
      super(body);
    }

    @Override
    public WorkerBody worker() {
      throw new UnsupportedOperationException("nobody asks who it is");
    }
  }
}
