package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.ProcTask;
import dev.catnap.testing.TestPools;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

/** G4, F23: with nothing to do, nothing happens. */
@ExtendWith(NoThreadLeft.class)
class TrueQuiescenceTest {
  private static final int WORKERS = 8;

  /** Ten seconds: a timed park of any length that somebody would choose shows up. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** What the gate has of it: {@link #atRestEveryThreadIsParkedWithoutATimeout}. */
  @Test
  @Tag("timing")
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the kernel's accounting is read from /proc")
  void anIdlePoolOfEightUsesNoCpuAndNoContextSwitchForTenSeconds() throws Exception {
    // The kernel cuts thread names at 15 characters, so the pool's name is short.
    try (var scheduler = TestPools.withoutSpares(WORKERS).name("idle").build()) {
      work(scheduler);
      scheduler.schedule(() -> 2, 1, TimeUnit.HOURS).cancel(false);
      Quiescence.await(scheduler);
      Map<String, ProcTask> before = parkedForGood();
      assertEquals(WORKERS + 2, before.size(), "workers, timer thread, sentinel: " + before);
      Thread.sleep(IDLE.toMillis()); // the time is the subject
      assertEquals(before, ProcTask.read("idle-"), "context switches and CPU of each thread");
      assertEquals(WORKERS, scheduler.stats().parkedWorkers());
    }
  }

  /**
   * Registered as asleep is a few instructions before really parked: waits until two looks are
   * equal.
   */
  private static Map<String, ProcTask> parkedForGood() throws Exception {
    Map<String, ProcTask> last = ProcTask.read("idle-");
    for (int look = 0; look < 100; look++) {
      Thread.sleep(50); // between two looks at accounts that must stop moving
      Map<String, ProcTask> now = ProcTask.read("idle-");
      if (now.equals(last)) {
        return now;
      }
      last = now;
    }
    throw new AssertionError("never came to rest: " + last);
  }

  private static void work(WorkStealingScheduler scheduler) throws Exception {
    CountDownLatch done = new CountDownLatch(10_000);
    for (int i = 0; i < 10_000; i++) {
      scheduler.execute(done::countDown);
    }
    Await.latch("tasks before the idle time", done, scheduler::stats);
    CountDownLatch slotted = new CountDownLatch(1);
    scheduler.execute(() -> scheduler.adapter().publish(slotted::countDown, Placement.REQUEUED));
    Await.latch("a task from a slot, which calls the sentinel", slotted, scheduler::stats);
    Await.until(
        "a round of the sentinel", () -> scheduler.stats().sentinelRounds() > 0, scheduler::stats);
    assertEquals(1, scheduler.schedule(() -> 1, 1, TimeUnit.MILLISECONDS).get());
  }

  /**
   * Workers, timer thread and sentinel: a park with a timeout is TIMED_WAITING, and where one
   * follows the other they are never all seen WAITING at once.
   */
  @Test
  void atRestEveryThreadIsParkedWithoutATimeout() throws Exception {
    try (var scheduler = TestPools.withoutSpares(WORKERS).name("at-rest").build()) {
      work(scheduler);
      Await.until(
          "workers, timer thread and sentinel are parked for good",
          () -> {
            List<Thread.State> states = statesOf("at-rest-");
            return states.size() == WORKERS + 2
                && states.stream().allMatch(s -> s == Thread.State.WAITING);
          },
          () -> statesOf("at-rest-"));
      Quiescence.await(scheduler);
    }
  }

  private static List<Thread.State> statesOf(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith(prefix))
        .map(Thread::getState)
        .toList();
  }

  @Test
  void sleepersParkWithoutATimeout() {
    CountingParker parker = new CountingParker();
    try (var scheduler =
        TestPools.withoutSpares(WORKERS)
            .tuning(SchedulerTuning.production().withParker(parker))
            .build()) {
      for (int i = 0; i < 100; i++) {
        scheduler.execute(() -> {});
      }
      Quiescence.await(scheduler);
      assertEquals(0, parker.timedParks());
    }
  }
}
