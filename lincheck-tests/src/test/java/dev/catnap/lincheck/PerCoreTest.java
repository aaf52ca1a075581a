package dev.catnap.lincheck;

import dev.catnap.SchedulerStats;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.Timer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1, G6 and G11 with a thread per core: nobody else takes what belongs to a worker, nobody else
 * fires its timers, and it must not end while another worker may resume something there.
 */
class PerCoreTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 60;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void aTaskFromOutsideComesWhileItsWorkerFallsAsleep() {
    explore(INVOCATIONS, PerCoreTest::publishFromOutside);
  }

  private static void publishFromOutside() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.startPerCore(1);
    ModelCheckedLatch ran = new ModelCheckedLatch();
    checked.scheduler().execute(ran::open);
    ran.await();
    check(checked.awaitQuiescence().executed() == 1, "not run once", checked);
    checked.dismiss();
  }

  /** Each publishes to the other, and both may be falling asleep. */
  @Test
  void twoWorkersResumeEachOther() {
    explore(INVOCATIONS, PerCoreTest::publishAcross);
  }

  private static void publishAcross() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.startPerCore(2);
    SchedulerAdapter first = checked.scheduler().adapter().homes().get(0);
    SchedulerAdapter second = checked.scheduler().adapter().homes().get(1);
    ModelCheckedLatch all = new ModelCheckedLatch(2);
    first.publish(() -> second.publishContinuation(all::open, Placement.QUEUED), Placement.QUEUED);
    second.publish(() -> first.publishContinuation(all::open, Placement.QUEUED), Placement.QUEUED);
    all.await();
    SchedulerStats stats = checked.awaitQuiescence();
    check(stats.executed() == 4 && stats.stolen() == 0, "not each run once at home", stats);
    checked.dismiss();
  }

  /** With the parker of the check no timeout passes: only a wake makes the worker look. */
  @Test
  void aTimerIsArmedWhileItsWorkerFallsAsleep() {
    explore(INVOCATIONS, PerCoreTest::armFromOutside);
  }

  private static void armFromOutside() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.startPerCore(1);
    SchedulerAdapter home = checked.scheduler().adapter().homes().get(0);
    ModelCheckedLatch fired = new ModelCheckedLatch();
    home.arm(
        new Timer() {
          @Override
          public void run() {
            fired.open();
          }

          @Override
          protected void refused() {
            throw new IllegalStateException("refused before the end");
          }
        },
        0);
    fired.await();
    checked.dismiss();
  }

  /** The other worker may rest, or be on its way to, or have ended if this is not counted. */
  @Test
  void closeRacesWithAResumptionOnAnotherWorker() {
    explore(2 * INVOCATIONS, PerCoreTest::resumeElsewhereWhileClosing);
  }

  private static void resumeElsewhereWhileClosing() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.startPerCore(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    SchedulerAdapter other = scheduler.adapter().homes().get(1);
    AtomicInteger accepted = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    scheduler
        .adapter()
        .homes()
        .get(0)
        .publish(
            () -> {
              if (other.publishContinuation(runs::incrementAndGet, Placement.QUEUED)) {
                accepted.incrementAndGet();
              }
            },
            Placement.QUEUED);
    checked.close();
    check(accepted.get() == 1, "refused while its scheduler drains", accepted);
    check(runs.get() == 1, "accepted and run", runs);
  }

  /** Here the other worker may have ended: then it is refused. */
  @Test
  void shutdownNowRacesWithAResumptionOnAnotherWorker() {
    explore(INVOCATIONS, PerCoreTest::resumeElsewhereWhileStopping);
  }

  private static void resumeElsewhereWhileStopping() {
    ModelCheckedScheduler checked = ModelCheckedScheduler.startPerCore(2);
    WorkStealingScheduler scheduler = checked.scheduler();
    SchedulerAdapter other = scheduler.adapter().homes().get(1);
    AtomicInteger accepted = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    Runnable resumed = runs::incrementAndGet;
    scheduler
        .adapter()
        .homes()
        .get(0)
        .publish(
            () -> {
              if (other.publishContinuation(resumed, Placement.QUEUED)) {
                accepted.incrementAndGet();
              }
            },
            Placement.QUEUED);
    long back = scheduler.shutdownNow().stream().filter(task -> task == resumed).count();
    checked.close();
    check(accepted.get() == runs.get() + back, "ran or handed back", runs);
  }
}
