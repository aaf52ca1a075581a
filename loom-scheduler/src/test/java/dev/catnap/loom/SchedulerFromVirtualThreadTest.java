package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scheduler's own calls, made inside a virtual thread that one of its workers carries. */
@ExtendWith(NoThreadLeft.class)
class SchedulerFromVirtualThreadTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void executeGoesToTheQueueOfTheCarrier(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      WorkStealingScheduler scheduler = pool.scheduler();
      CountDownLatch ran = new CountDownLatch(100);
      AtomicLong injected = new AtomicLong();
      Deadline.join(
          pool.ofVirtual()
              .start(
                  () -> {
                    long before = scheduler.stats().injected();
                    for (int i = 0; i < 100; i++) {
                      scheduler.execute(ran::countDown);
                    }
                    injected.set(scheduler.stats().injected() - before);
                  }));
      Deadline.await("tasks", ran);
      assertEquals(0, injected.get(), "tasks that went through the injector");
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void scheduleAndSubmitGiveTheirResults(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      AtomicReference<Object> results = new AtomicReference<>();
      Deadline.join(
          pool.ofVirtual()
              .start(
                  () -> {
                    try {
                      String now = pool.scheduler().submit(() -> "now").get();
                      String later =
                          pool.scheduler().schedule(() -> "later", 1, TimeUnit.MILLISECONDS).get();
                      results.set(now + " and " + later);
                    } catch (Exception e) {
                      results.set(e);
                    }
                  }));
      assertEquals("now and later", results.get());
    }
  }

  /** On one carrier: it must leave it, or nobody runs the branches. */
  @ParameterizedTest
  @MethodSource(MODES)
  void joinAndScopeRunOnAWorkerWhileTheCallerIsUnmounted(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      WorkStealingScheduler scheduler = pool.scheduler();
      AtomicReference<Object> results = new AtomicReference<>();
      Deadline.join(
          pool.ofVirtual()
              .start(
                  () -> {
                    var both =
                        scheduler.join(
                            () -> Thread.currentThread().isVirtual(),
                            () -> Thread.currentThread().isVirtual());
                    AtomicLong ran = new AtomicLong();
                    long subtasks =
                        scheduler.scope(
                            scope -> {
                              for (int i = 0; i < 100; i++) {
                                scope.fork(ran::incrementAndGet);
                              }
                              return 100L;
                            });
                    results.set(both + " " + (ran.get() == subtasks));
                  }));
      assertEquals("Joined[left=false, right=false] true", results.get());
    }
  }

  /** While a task of the only worker left waits for its branch, that worker carries others. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aWorkerThatWaitsInAJoinCarriesVirtualThreads(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      WorkStealingScheduler scheduler = pool.scheduler();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch carried = new CountDownLatch(100);
      CountDownLatch over = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            scheduler.join(
                () -> Deadline.await("the right branch", begun),
                () -> {
                  begun.countDown();
                  Deadline.await("virtual threads", carried);
                });
            over.countDown();
          });
      Deadline.await("the branch is stolen", begun);
      for (int i = 0; i < 100; i++) {
        pool.ofVirtual()
            .start(
                () -> {
                  Thread.yield();
                  carried.countDown();
                });
      }
      Deadline.await("the join", over);
    }
  }

  /** G9: a virtual thread unmounts by itself, so nothing is compensated. */
  @ParameterizedTest
  @MethodSource(MODES)
  void blockingJustCallsTheSection(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      AtomicReference<Object> result = new AtomicReference<>();
      Deadline.join(
          pool.ofVirtual()
              .start(
                  () -> {
                    try {
                      result.set(
                          pool.scheduler()
                              .blocking(
                                  () -> {
                                    Thread.sleep(1); // unmounts
                                    return pool.scheduler().stats().blockedWorkers();
                                  }));
                    } catch (Exception e) {
                      result.set(e);
                    }
                  }));
      assertEquals(0, result.get());
      assertEquals(1, pool.scheduler().stats().threads());
    }
  }

  /**
   * Nothing that a worker needs may be held by a virtual thread that waits for a worker: outside
   * threads, tasks, sleeping virtual threads and virtual threads that schedule share the
   * scheduler's timers here.
   */
  @ParameterizedTest
  @MethodSource(MODES)
  void timersArmedFromEverywhereDoNotStopTheWorkers(Mode mode) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong inside = new AtomicLong();
    CarrierPool pool = Modes.pool(mode, 1); // not closed if this fails: that would hang, too
    WorkStealingScheduler scheduler = pool.scheduler();
    Runnable arms = () -> assertTrue(scheduler.schedule(() -> {}, 1, TimeUnit.HOURS).cancel(false));
    Runnable armsInside =
        () -> {
          arms.run();
          inside.incrementAndGet();
          Thread.yield();
        };
    Thread outside = new Thread(() -> repeat(stop, arms));
    outside.setDaemon(true);
    outside.start();
    Thread[] threads = new Thread[5];
    threads[0] = pool.ofVirtual().start(() -> repeat(stop, () -> LockSupport.parkNanos(1)));
    for (int i = 1; i < threads.length; i++) {
      threads[i] = pool.ofVirtual().start(() -> repeat(stop, armsInside));
    }
    scheduler.execute(new Resubmits(scheduler, arms, stop));
    try {
      Deadline.until("virtual threads arm timers", () -> inside.get() > 50_000);
    } finally {
      stop.set(true);
    }
    Deadline.join(outside);
    Deadline.join(threads);
    pool.close();
  }

  private static void repeat(AtomicBoolean stop, Runnable step) {
    while (!stop.get()) {
      step.run();
    }
  }

  private record Resubmits(WorkStealingScheduler scheduler, Runnable step, AtomicBoolean stop)
      implements Runnable {
    @Override
    public void run() {
      step.run();
      if (!stop.get()) {
        scheduler.execute(this);
      }
    }
  }

  @Test
  void theCommonPoolIsOnTheCommonScheduler() {
    assertSame(WorkStealingScheduler.common(), CarrierPool.common().scheduler());
    AtomicBoolean onWorker = new AtomicBoolean();
    Deadline.join(
        CarrierPool.common()
            .ofVirtual()
            .start(() -> onWorker.set(WorkStealingScheduler.common().adapter().isWorker())));
    assertTrue(onWorker.get());
  }
}
