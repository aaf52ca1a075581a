package dev.catnap.lincheck;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.WorkerHooks;
import dev.catnap.spi.Placement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1, G4, G6: hooks are user code in the middle of falling asleep. What is published meanwhile, by
 * others or by the hook itself, runs; and the pool comes to rest.
 */
class SchedulerHooksTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 40;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  /** The script in HookCalls: one worker hangs in its hook, so the task needs the other. */
  @Test
  void aTaskReachesAWorkerBesideOneThatHangsInOnPark() {
    explore(INVOCATIONS, SchedulerHooksTest::publishBesideAHookThatHangs);
  }

  private static void publishBesideAHookThatHangs() {
    ModelCheckedLatch ran = new ModelCheckedLatch();
    AtomicInteger parks = new AtomicInteger();
    WorkerHooks hooks =
        new WorkerHooks() {
          @Override
          public void onPark(int worker) {
            if (parks.getAndIncrement() == 0) {
              ran.await();
            }
          }
        };
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2, b -> b.hooks(hooks));
    checked.scheduler().execute(ran::open);
    ran.await();
    check(checked.awaitQuiescence().executed() == 1, "not run once", checked);
    checked.dismiss();
  }

  /** The hook publishes to the worker that is about to park; nobody else is there. */
  @Test
  void whatOnParkPublishesRunsBeforeTheWorkerParks() {
    explore(INVOCATIONS, SchedulerHooksTest::publishInOnPark);
  }

  private static void publishInOnPark() {
    Publisher hooks = new Publisher(1);
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, b -> b.hooks(hooks));
    hooks.begin(checked.scheduler());
    hooks.ran.await();
    check(checked.awaitQuiescence().executed() == 1, "not run once", checked);
    checked.dismiss();
  }

  /** G6: what a hook publishes while the pool drains is refused, or runs. */
  @Test
  void closeRacesWithAHookThatPublishes() {
    explore(INVOCATIONS, SchedulerHooksTest::closeBesideAHookThatPublishes);
  }

  private static void closeBesideAHookThatPublishes() {
    Publisher hooks = new Publisher(1);
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1, b -> b.hooks(hooks));
    hooks.begin(checked.scheduler());
    checked.close();
    check(hooks.runs.get() == hooks.accepted.get(), "accepted and run", hooks.runs);
  }

  /** Publishes a task the first time that a worker is about to park. */
  private static final class Publisher implements WorkerHooks {
    final ModelCheckedLatch ran;
    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger accepted = new AtomicInteger();
    private final ModelCheckedLatch ready = new ModelCheckedLatch();
    private final AtomicInteger parks = new AtomicInteger();
    private volatile @Nullable WorkStealingScheduler scheduler;

    Publisher(int tasks) {
      ran = new ModelCheckedLatch(tasks);
    }

    void begin(WorkStealingScheduler built) {
      scheduler = built;
      ready.open();
    }

    @Override
    public void onPark(int worker) {
      if (parks.getAndIncrement() == 0) {
        ready.await();
        WorkStealingScheduler s = scheduler;
        if (s != null && s.adapter().publish(this::run, Placement.QUEUED)) {
          accepted.incrementAndGet();
        }
      }
    }

    private void run() {
      runs.incrementAndGet();
      ran.open();
    }
  }
}
