package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G11 of the whole scheduler: the task of a timer that came due runs although the workers were
 * going to sleep, and a close leaves none of them behind (G6). The threads are the production ones,
 * except that of the worker. {@link TimerQueueTest} has the races of the queue itself.
 */
class SchedulerTimersTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 80;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void theTaskOfATimerReachesAWorkerThatFallsAsleep() {
    explore(INVOCATIONS, SchedulerTimersTest::scheduleFromOutside);
  }

  private static void scheduleFromOutside() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    // Its own close, which waits for the timer thread as well.
    try (WorkStealingScheduler scheduler = checked.scheduler()) {
      ModelCheckedLatch ran = new ModelCheckedLatch();
      ScheduledFuture<?> timer = scheduler.schedule(ran::open, 0, TimeUnit.NANOSECONDS);
      ran.await();
      check(!timer.isCancelled(), "cancelled", timer);
    }
  }

  /** Armed by a task on the only worker, which sleeps when the timer fires, or does not yet. */
  @Test
  void aTaskArmsATimerAndEnds() {
    explore(INVOCATIONS, SchedulerTimersTest::scheduleFromATask);
  }

  private static void scheduleFromATask() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    // Its own close, which waits for the timer thread as well.
    try (WorkStealingScheduler scheduler = checked.scheduler()) {
      ModelCheckedLatch ran = new ModelCheckedLatch();
      scheduler.execute(
          () -> {
            ScheduledFuture<?> timer = scheduler.schedule(ran::open, 0, TimeUnit.NANOSECONDS);
            check(!timer.isCancelled(), "cancelled", timer);
          });
      ran.await();
    }
  }

  /** Accepted means run. */
  @Test
  void closeRacesWithATimer() {
    explore(INVOCATIONS, SchedulerTimersTest::scheduleAndClose);
  }

  private static void scheduleAndClose() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger accepted = new AtomicInteger();
    Thread other =
        startElsewhere(
            () -> {
              try {
                ScheduledFuture<?> timer =
                    checked.scheduler().schedule(runs::incrementAndGet, 0, TimeUnit.NANOSECONDS);
                check(!timer.isCancelled(), "cancelled", timer);
                accepted.incrementAndGet();
              } catch (RejectedExecutionException e) {
                check(runs.get() == 0, "refused and run", runs);
              }
            });
    checked.scheduler().close();
    Canary.join(other);
    check(runs.get() == accepted.get(), "accepted and run", runs);
  }
}
