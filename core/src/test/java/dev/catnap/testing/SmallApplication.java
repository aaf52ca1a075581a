package dev.catnap.testing;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Uses the common scheduler for whatever an application may, waits for all of it, and is done. Made
 * by {@link DroppedApplications}, in a class loader of its own.
 */
public final class SmallApplication implements Runnable {
  private static final InheritableThreadLocal<SmallApplication> INHERITED =
      new InheritableThreadLocal<>();

  /** What an adapter of the application's own would attach. */
  private static final class Mine implements TaskReclaimer {
    void use() {}

    @Override
    public boolean reclaim(Runnable task) {
      return false;
    }
  }

  /** By reflection. */
  public SmallApplication() {}

  @Override
  public void run() {
    INHERITED.set(this);
    WorkStealingScheduler common = WorkStealingScheduler.common();
    try {
      use(common);
    } catch (Exception e) {
      throw new AssertionError(common.dump(), e);
    }
  }

  private static void use(WorkStealingScheduler common) throws Exception {
    var mine = common.adapter().attach(Mine.class, Mine::new);
    timers(common);
    slots(common);
    sections(common);
    int one =
        common.scope(
            scope -> {
              scope.fork(() -> {});
              return 1;
            });
    common.join(mine::use, () -> {});
    common.broadcast(() -> {}).join();
    common.confinedTo(0).execute(() -> {});
    common.background().execute(() -> {});
    Future<?> inLane = common.blockingLane("lane", 1, 4).submit(() -> one);
    inLane.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    for (int i = 0; i < 50; i++) {
      common.execute(() -> {});
    }
    common.submit(() -> one).get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private static void timers(WorkStealingScheduler common) throws Exception {
    common
        .schedule(() -> {}, 1, TimeUnit.MILLISECONDS)
        .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    CountDownLatch twice = new CountDownLatch(2);
    var periodic = common.scheduleAtFixedRate(twice::countDown, 1, 1, TimeUnit.MILLISECONDS);
    var never = common.schedule(() -> {}, 1, TimeUnit.DAYS);
    Await.latch("a periodic task", twice, common::dump);
    periodic.cancel(false);
    never.cancel(false);
  }

  /** Calls the sentinel. */
  private static void slots(WorkStealingScheduler common) {
    CountDownLatch slotted = new CountDownLatch(1);
    common.execute(() -> common.adapter().publish(slotted::countDown, Placement.REQUEUED));
    Await.latch("a task from the slot", slotted, common::dump);
  }

  /** All workers block, until a task has run: on a spare. */
  private static void sections(WorkStealingScheduler common) {
    int workers = common.parallelism();
    CountDownLatch blocked = new CountDownLatch(workers);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(workers);
    for (int i = 0; i < workers; i++) {
      common.execute(
          () -> {
            Sections.block(
                common,
                () -> {
                  blocked.countDown();
                  Await.quietly(release);
                });
            over.countDown();
          });
    }
    Await.latch("all workers block", blocked, common::dump);
    AtomicInteger ran = new AtomicInteger();
    common.execute(
        () -> {
          ran.incrementAndGet();
          release.countDown();
        });
    Await.latch("a task on a spare, which lets them go", over, common::dump);
  }
}
