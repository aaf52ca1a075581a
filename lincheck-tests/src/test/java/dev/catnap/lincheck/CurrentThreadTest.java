package dev.catnap.lincheck;

import dev.catnap.CurrentThreadScheduler;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A scheduler on the thread of its caller: whatever the caller waits for reaches it while it falls
 * asleep (G1, G11), and what a run leaves is run by a close, or handed back (G6).
 */
class CurrentThreadTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 60;

  /** Where the threads of a pool are started in each invocation. */
  private static final int FEWER = 30;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** Becomes the worker; it says that it is one already, for the sake of the parker. */
  private static final class Caller extends Thread implements WorkerThread {
    private final CurrentThreadScheduler current;
    private final List<CompletableFuture<Integer>> stages;

    private Caller(CurrentThreadScheduler current, List<CompletableFuture<Integer>> stages) {
      super(null, null, "caller", 0, false);
      setDaemon(true);
      this.current = current;
      this.stages = stages;
    }

    /** Runs until the stage is complete. */
    static Thread start(CurrentThreadScheduler current, CompletableFuture<Integer> stage) {
      return start(current, List.of(stage));
    }

    /** Runs until the first is complete, then until the second is, and so on. */
    static Thread start(CurrentThreadScheduler current, List<CompletableFuture<Integer>> stages) {
      Thread caller = new Caller(current, stages);
      caller.start();
      return caller;
    }

    @Override
    public void run() {
      for (CompletableFuture<Integer> stage : stages) {
        runToTheEndOf(current, stage);
      }
    }

    @Override
    public WorkerBody worker() {
      return new WorkerBody() {
        @Override
        public int index() {
          return 0;
        }

        @Override
        public String threadName() {
          return "caller";
        }

        @Override
        public int queuedTasks() {
          return 0;
        }

        @Override
        public void run() {
          throw new AssertionError("the caller has no loop of its own");
        }
      };
    }
  }

  private static void runToTheEndOf(
      CurrentThreadScheduler current, CompletableFuture<Integer> stage) {
    try {
      check(current.runUntil(stage) == 1, "another result", stage);
    } catch (CancellationException | RejectedExecutionException | InterruptedException e) {
      check(current.scheduler().isShutdown(), "not shut down, and yet", e);
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static CurrentThreadScheduler create() {
    return WorkStealingScheduler.builder()
        .name("checked")
        .tuning(SchedulerTuning.smallest().withParker(new ModelCheckedParker(1)))
        .buildForCurrentThread();
  }

  @Test
  void aPublishReachesACallerThatFallsAsleep() {
    explore(INVOCATIONS, CurrentThreadTest::publishFromOutside);
  }

  private static void publishFromOutside() {
    CurrentThreadScheduler current = create();
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    ModelCheckedLatch ran = new ModelCheckedLatch();
    Thread caller = Caller.start(current, stage);
    current.execute(ran::open);
    ran.await();
    stage.complete(1);
    Canary.join(caller);
    check(current.scheduler().stats().executed() == 1, "not run once", current);
  }

  /** Two runs, since what is left of the first may disturb the second. */
  @Test
  void theEndOfAnErrandReachesACallerThatFallsAsleep() {
    explore(12 * INVOCATIONS, CurrentThreadTest::completeTwoStages);
  }

  private static void completeTwoStages() {
    CurrentThreadScheduler current = create();
    CompletableFuture<Integer> first = new CompletableFuture<>();
    CompletableFuture<Integer> second = new CompletableFuture<>();
    Thread caller = Caller.start(current, List.of(first, second));
    first.complete(1);
    second.complete(1);
    Canary.join(caller);
  }

  /** No other thread fires it. The caller is about to park for good, or for an hour. */
  @Test
  void aTimerReachesACallerThatFallsAsleep() {
    explore(INVOCATIONS, () -> armFromOutside(false));
    explore(INVOCATIONS, () -> armFromOutside(true));
  }

  private static void armFromOutside(boolean anotherIsArmed) {
    CurrentThreadScheduler current = create();
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    if (anotherIsArmed) {
      ScheduledFuture<?> late = current.scheduler().schedule(() -> {}, 1, TimeUnit.HOURS);
      check(!late.isDone(), "done", late);
    }
    Thread caller = Caller.start(current, stage);
    ScheduledFuture<?> timer =
        current.scheduler().schedule(() -> stage.complete(1), 0, TimeUnit.NANOSECONDS);
    Canary.join(caller);
    check(!timer.isCancelled(), "cancelled", timer);
  }

  /** The run ends, a task comes, and the scheduler is closed; the task runs wherever. */
  @Test
  void closeRacesWithARunThatEndsAndASubmit() {
    explore(2 * INVOCATIONS, CurrentThreadTest::submitCompleteAndClose);
  }

  private static void submitCompleteAndClose() {
    CurrentThreadScheduler current = create();
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    AtomicInteger runs = new AtomicInteger();
    Thread caller = Caller.start(current, stage);
    Submitter submitter = Submitter.start(current, runs::incrementAndGet);
    stage.complete(1);
    current.close();
    Canary.join(submitter);
    Canary.join(caller);
    check(current.scheduler().isTerminated(), "close has returned", current);
    check(runs.get() == (submitter.accepted() ? 1 : 0), "ran", runs);
  }

  /** Nobody else comes to end it: the one that is last must. */
  @Test
  void shutdownNowRacesWithARunThatEnds() {
    explore(2 * INVOCATIONS, CurrentThreadTest::completeAndShutdownNow);
  }

  private static void completeAndShutdownNow() {
    CurrentThreadScheduler current = create();
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    AtomicInteger runs = new AtomicInteger();
    current.execute(
        () -> {
          runs.incrementAndGet();
          stage.complete(1);
        });
    Thread caller = Caller.start(current, stage);
    List<Runnable> handedBack = current.scheduler().shutdownNow();
    Canary.join(caller);
    check(runs.get() + handedBack.size() == 1, "ran or handed back", runs);
    check(current.scheduler().isTerminated(), "nobody has ended it", current);
  }

  /** Its errand is over at once: little more than the leaving is left to race with. */
  @Test
  void shutdownNowRacesWithACallerThatLeaves() {
    explore(2 * INVOCATIONS, CurrentThreadTest::leaveBesideShutdownNow);
  }

  private static void leaveBesideShutdownNow() {
    CurrentThreadScheduler current = create();
    Thread stopper = startElsewhere(() -> current.scheduler().shutdownNow());
    runToTheEndOf(current, CompletableFuture.completedFuture(1));
    boolean ignored = Thread.interrupted(); // shutdownNow's, if it came when the run was over
    Canary.join(stopper);
    check(current.scheduler().isTerminated(), "nobody has ended it", current);
  }

  /** The same for a shutdown that finds nothing to do. */
  @Test
  void shutdownRacesWithARunThatEnds() {
    explore(4 * INVOCATIONS, CurrentThreadTest::completeAndShutdown);
  }

  private static void completeAndShutdown() {
    CurrentThreadScheduler current = create();
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    Thread caller = Caller.start(current, stage);
    stage.complete(1);
    current.scheduler().shutdown();
    Canary.join(caller);
    check(current.scheduler().isTerminated(), "nobody has ended it", current);
  }

  /** It sleeps in a join of a pool, whose worker needs it, and is to be woken twice (G1). */
  @Test
  void aCallerAndAPoolThatCallEachOtherBothGetOn() {
    explore(FEWER, CurrentThreadTest::callCrosswise);
  }

  private static void callCrosswise() {
    CurrentThreadScheduler current = create();
    ModelCheckedScheduler pool = ModelCheckedScheduler.start(1);
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    int[] ran = new int[2];
    current.execute(
        () -> {
          pool.scheduler()
              .join(() -> current.scheduler().join(() -> ran[0]++, () -> {}), () -> ran[1]++);
          stage.complete(1);
        });
    Thread caller = Caller.start(current, stage);
    Canary.join(caller);
    check(ran[0] == 1 && ran[1] == 1, "each branch once", ran[0] + ran[1]);
    pool.awaitQuiescence();
    pool.dismiss();
  }
}
