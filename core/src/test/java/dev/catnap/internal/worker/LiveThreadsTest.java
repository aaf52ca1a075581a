package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.ShutdownReport.Activity;
import dev.catnap.ShutdownReport.RunningThread;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.RecordingHooks;
import dev.catnap.testing.RecordingHooks.Event;
import dev.catnap.testing.TestPools;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G6: what the report of an end within a time calls a task, a hook, and neither. */
@ExtendWith(NoThreadLeft.class)
class LiveThreadsTest {
  private final RecordingHooks hooks = new RecordingHooks();

  /** Two workers, and no thread beside theirs. */
  private WorkStealingScheduler scheduler() {
    return TestPools.withoutSpares(2)
        .hooks(hooks)
        .tuning(SchedulerTuning.production().withSentinel(0, 0))
        .build();
  }

  private static Pool poolOf(WorkStealingScheduler scheduler) throws Exception {
    return scheduler
        .submit(() -> ((Worker) ((WorkerThread) Thread.currentThread()).worker()).pool())
        .get();
  }

  private static void awaitSleep(WorkStealingScheduler scheduler, int workers) {
    Await.until(
        "the others sleep", () -> scheduler.stats().parkedWorkers() == workers, scheduler::stats);
  }

  private static List<Activity> activities(Pool pool) {
    return pool.liveThreads().stream().map(RunningThread::activity).sorted().toList();
  }

  @Test
  void workersThatSleepRunNeither() throws Exception {
    try (var scheduler = scheduler()) {
      Pool pool = poolOf(scheduler);
      awaitSleep(scheduler, 2);
      assertEquals(List.of(Activity.OTHER, Activity.OTHER), activities(pool));
    }
  }

  @Test
  void whoIsInATaskRunsOne() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (var scheduler = scheduler()) {
      Pool pool = poolOf(scheduler);
      scheduler.execute(
          () -> {
            begun.countDown();
            Await.quietly(release);
          });
      Await.latch("the task", begun, scheduler::stats);
      awaitSleep(scheduler, 1);
      assertEquals(List.of(Activity.TASK, Activity.OTHER), activities(pool));
      release.countDown();
    }
  }

  @Test
  void whoIsInAHookRunsOne() throws Exception {
    CountDownLatch inHook = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (var scheduler = scheduler()) {
      Pool pool = poolOf(scheduler);
      awaitSleep(scheduler, 2);
      hooks.on(
          Event.UNPARK,
          () -> {
            inHook.countDown();
            Await.quietly(release);
          });
      scheduler.execute(() -> {});
      Await.latch("the hook", inHook, scheduler::stats);
      awaitSleep(scheduler, 1);
      assertEquals(List.of(Activity.HOOK, Activity.OTHER), activities(pool));
      release.countDown();
    }
  }
}
