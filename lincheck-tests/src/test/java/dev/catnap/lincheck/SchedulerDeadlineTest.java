package dev.catnap.lincheck;

import dev.catnap.ShutdownReport;
import dev.catnap.ShutdownReport.Outcome;
import dev.catnap.WorkStealingScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G6 within a time: whatever it races with, the end comes, and each task either ran, once, or was
 * refused, or is in one list.
 *
 * <p>Nothing here depends on how long a time is: for Lincheck, one passes when it likes, and zero
 * at once, which leads through every phase. Who still runs then is told by its stack, and no other
 * thread runs while that is taken: a report is true when it is made.
 */
class SchedulerDeadlineTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 30;

  /** With one thread more an invocation takes twice as long. */
  private static final int FEWER = 12;

  private static final Duration SOME = Duration.ofSeconds(1);

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    assertTasksComeBack(
        INVOCATIONS, scheduler -> scheduler.close(Duration.ZERO, Duration.ZERO).takenBack());
  }

  @Test
  void anEndWithinNoTimeRacesWithASubmit_andAWorkerThatFallsAsleepOrRuns() {
    explore(INVOCATIONS, () -> submitAndClose(1, Duration.ZERO, Duration.ZERO));
  }

  /** One of the two may have found nothing and ended when the task arrives at the other. */
  @Test
  void anEndWithinNoTimeOfTwoWorkersRacesWithASubmit() {
    explore(FEWER, () -> submitAndClose(2, Duration.ZERO, Duration.ZERO));
  }

  @Test
  void anInterruptThatIsWaitedForRacesWithASubmit() {
    explore(INVOCATIONS, () -> submitAndClose(1, Duration.ZERO, SOME));
  }

  @Test
  void aDrainRacesWithASubmit() {
    explore(INVOCATIONS, () -> submitAndClose(1, SOME, Duration.ZERO));
  }

  private static void submitAndClose(int workers, Duration drain, Duration interrupt) {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(workers);
    WorkStealingScheduler scheduler = checked.scheduler();
    AtomicInteger runs = new AtomicInteger();
    // By this thread: if it then goes on alone, that is what is taken back. The submitter is seldom
    // so far that its task waits, and nobody has taken it, when the sweep comes.
    scheduler.execute(runs::incrementAndGet);
    Submitter submitter = Submitter.start(scheduler, runs::incrementAndGet);
    ShutdownReport report = scheduler.close(drain, interrupt);
    boolean running = report.outcome() == Outcome.STILL_RUNNING;
    check(running != report.running().isEmpty(), "who runs", report);
    check(running || scheduler.isTerminated(), "the end was reported, and", scheduler);
    checked.close();
    Canary.join(submitter);
    int accounted = runs.get() + report.takenBack().size();
    check(accounted == (submitter.accepted() ? 2 : 1), "ran or taken back", accounted);
  }

  /** F14: two ends at once, and what is taken back is in one of their lists. */
  @Test
  void anEndWithinNoTimeRacesWithShutdownNow() {
    explore(FEWER, SchedulerDeadlineTest::closeBesideShutdownNow);
  }

  private static void closeBesideShutdownNow() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    WorkStealingScheduler scheduler = checked.scheduler();
    AtomicInteger accounted = new AtomicInteger();
    scheduler.execute(accounted::incrementAndGet);
    Submitter other =
        Submitter.start(task -> accounted.addAndGet(scheduler.shutdownNow().size()), () -> {});
    List<Runnable> takenBack = scheduler.close(Duration.ZERO, Duration.ZERO).takenBack();
    checked.close();
    Canary.join(other);
    int all = accounted.get() + takenBack.size();
    check(all == 1, "ran or taken back", all);
  }
}
