package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.blocking.SectionForecast;
import dev.catnap.internal.sentinel.Watched;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * G9: a task that does nothing but block does not wait for those that compute. No sentinel relieves
 * anybody here, unless a test says so.
 */
@ExtendWith(NoThreadLeft.class)
class DeclaredTasksTest {
  private static final int PARALLELISM = 2;

  /** Closed: those that keep the workers busy end, also where a check has failed before. */
  private record Busy(CountDownLatch over) implements AutoCloseable {
    void end() {
      over.countDown();
    }

    @Override
    public void close() {
      end();
    }
  }

  private static WorkStealingScheduler pool() {
    return TestPools.withDeclaredSparesOnly(PARALLELISM).build();
  }

  /** From here on every worker is in a task; not in a declared section. */
  private static Busy keepAllBusy(WorkStealingScheduler scheduler, boolean computing) {
    return keepBusy(scheduler, PARALLELISM, computing);
  }

  private static Busy keepBusy(WorkStealingScheduler scheduler, int workers, boolean computing) {
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(workers);
    for (int i = 0; i < workers; i++) {
      scheduler.execute(
          () -> {
            begun.countDown();
            if (computing) {
              while (over.getCount() != 0) {
                Thread.onSpinWait();
              }
            } else {
              Await.unlessInterrupted(over);
            }
          });
    }
    Await.latch("tasks that keep all workers", begun, scheduler::stats);
    Await.until(
        "nobody searches", () -> scheduler.stats().searchingWorkers() == 0, scheduler::stats);
    return new Busy(over);
  }

  private static boolean publish(WorkStealingScheduler scheduler, Runnable section) {
    return scheduler
        .adapter()
        .publishDeclared(() -> Sections.block(scheduler, section), Placement.QUEUED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itBeginsWhileEveryWorkerIsInATask(boolean computing) {
    try (var scheduler = pool();
        var busy = keepAllBusy(scheduler, computing)) {
      CountDownLatch began = new CountDownLatch(3);
      for (int i = 0; i < 3; i++) {
        assertTrue(publish(scheduler, began::countDown));
      }
      Await.latch("declared tasks", began, scheduler::dump);
      busy.end();
      Quiescence.await(scheduler);
      assertEquals(scheduler.stats().published(), scheduler.stats().executed());
    }
  }

  /** G6, F14: a spare that has to end does not run what waits for those with a right. */
  @Test
  void shutdownNowHandsBackWhatSparesHaveNoRightToRun() {
    try (var scheduler = pool();
        var busy = keepAllBusy(scheduler, false)) {
      CountDownLatch began = new CountDownLatch(1);
      assertTrue(publish(scheduler, began::countDown));
      Await.latch("the declared task", began, scheduler::dump);
      Await.until("its spare parks", () -> scheduler.stats().spareThreads() == 1, scheduler::dump);
      AtomicInteger ran = new AtomicInteger();
      int tasks = 10_000;
      for (int i = 0; i < tasks; i++) {
        scheduler.execute(ran::incrementAndGet);
      }
      int left = scheduler.shutdownNow().size();
      busy.end();
      assertEquals(tasks, left);
      assertEquals(0, ran.get());
    }
  }

  /** G5, G9: it has no right to run, so what is queued stays where it is. */
  @Test
  void afterItAsManyRunAsBefore() {
    try (var scheduler = pool();
        var busy = keepAllBusy(scheduler, false)) {
      CountDownLatch began = new CountDownLatch(1);
      assertTrue(publish(scheduler, began::countDown));
      Await.latch("the declared task", began, scheduler::dump);
      AtomicBoolean ran = new AtomicBoolean();
      Future<?> ordinary = scheduler.submit(() -> ran.set(true));
      Await.until(
          "its thread is a spare", () -> scheduler.stats().spareThreads() == 1, scheduler::stats);
      assertFalse(ran.get());
      assertFalse(ordinary.isDone());
      busy.end();
      Quiescence.await(scheduler);
      assertTrue(ran.get());
    }
  }

  @Test
  void theNextOneGetsTheThreadOfTheLast() {
    try (var scheduler = pool();
        var busy = keepAllBusy(scheduler, false)) {
      for (int i = 0; i < 10; i++) {
        CountDownLatch began = new CountDownLatch(1);
        assertTrue(publish(scheduler, began::countDown));
        Await.latch("a declared task", began, scheduler::dump);
        Await.until(
            "its thread is a spare", () -> scheduler.stats().spareThreads() == 1, scheduler::stats);
      }
      assertEquals(PARALLELISM + 1, scheduler.stats().threads());
      busy.end();
    }
  }

  @Test
  void whileSomebodySleepsNoSpareIsCalled() {
    try (var scheduler = pool()) {
      for (int i = 0; i < 10; i++) {
        Quiescence.await(scheduler);
        CountDownLatch began = new CountDownLatch(1);
        assertTrue(publish(scheduler, began::countDown));
        Await.latch("a declared task", began, scheduler::dump);
      }
      Quiescence.await(scheduler);
      assertEquals(PARALLELISM, scheduler.stats().threads());
    }
  }

  /** A right that was left for it would be missing among those that run. */
  @Test
  void whileItBlocksAllRightsAreHeld() {
    try (var scheduler = pool();
        var busy = keepAllBusy(scheduler, false)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      assertTrue(
          publish(
              scheduler,
              () -> {
                begun.countDown();
                Await.quietly(release);
              }));
      Await.latch("the declared task", begun, scheduler::dump);
      assertEquals(1, scheduler.stats().blockedWorkers());
      busy.end();
      Quiescence.await(scheduler); // as many sleep as there are rights
      release.countDown();
      Await.until(
          "its thread is a spare", () -> scheduler.stats().spareThreads() == 1, scheduler::stats);
      Quiescence.await(scheduler);
    }
  }

  /** However short the sections of its thread have been, it has no right that it could keep. */
  @Test
  void itsThreadThatIsSureOfShortSectionsKeepsNoRight() {
    try (var scheduler =
            WorkStealingScheduler.builder()
                .parallelism(PARALLELISM)
                .tuning(SchedulerTuning.production().withClock(new ManualClock()))
                .build();
        var busy = keepAllBusy(scheduler, false)) {
      AtomicInteger kept = new AtomicInteger();
      for (int call = 0; call < 2; call++) {
        CountDownLatch done = new CountDownLatch(1);
        Runnable sections =
            () -> {
              var self = (Watched) ((WorkerThread) Thread.currentThread()).worker();
              for (int i = 0; i <= SectionForecast.AVERAGED; i++) {
                Sections.block(
                    scheduler,
                    () -> kept.addAndGet(self.keepsRight() && !self.right().isHeld() ? 1 : 0));
              }
              done.countDown();
            };
        assertTrue(scheduler.adapter().publishDeclared(sections, Placement.QUEUED));
        Await.latch("the declared task", done, scheduler::dump);
        Await.until(
            "its thread is a spare", () -> scheduler.stats().spareThreads() == 1, scheduler::stats);
      }
      assertEquals(0, kept.get());
      busy.end();
    }
  }

  /**
   * The caller is about to wait for it, and then its worker runs it without a change of threads.
   */
  @Test
  void whatIsNextOnAWorkerStaysThere() {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).build()) {
      AtomicReference<Thread> ranOn = new AtomicReference<>();
      AtomicReference<Thread> publishedOn = new AtomicReference<>();
      CountDownLatch ran = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            publishedOn.set(Thread.currentThread());
            scheduler
                .adapter()
                .publishDeclared(
                    () -> {
                      ranOn.set(Thread.currentThread());
                      ran.countDown();
                    },
                    Placement.NEXT);
          });
      Await.latch("the next task", ran, scheduler::stats);
      assertSame(publishedOn.get(), ranOn.get());
    }
  }

  /** It may go on for as long again, and the sentinel, for which no time passes, sees nothing. */
  @Test
  void whatIsNextAfterALongTaskBeginsAtOnce() {
    ManualClock clock = new ManualClock();
    try (var scheduler = onClock(clock)) {
      CountDownLatch allBusy = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            Await.quietly(allBusy);
            clock.advance(Duration.ofMillis(1));
            CountDownLatch began = new CountDownLatch(1);
            scheduler.adapter().publishDeclared(began::countDown, Placement.NEXT);
            Await.quietly(began);
            done.countDown();
          });
      try (var busy = keepBusy(scheduler, PARALLELISM - 1, true)) {
        allBusy.countDown();
        Await.latch("a task beside one that computes", done, scheduler::dump);
        busy.end();
      }
    }
  }

  /** Who says that it is about to block is not about to come back. */
  @Test
  void whatIsNextInASectionBeginsAtOnce() {
    try (var scheduler = onClock(new ManualClock())) {
      CountDownLatch inSection = new CountDownLatch(1);
      CountDownLatch allBusy = new CountDownLatch(1);
      CountDownLatch began = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      scheduler.execute(
          () ->
              Sections.block(
                  scheduler,
                  () -> {
                    inSection.countDown();
                    Await.quietly(allBusy);
                    scheduler.adapter().publishDeclared(began::countDown, Placement.NEXT);
                    Await.quietly(began);
                    done.countDown();
                  }));
      Await.latch("a section", inSection, scheduler::dump);
      try (var busy = keepAllBusy(scheduler, true)) {
        allBusy.countDown();
        Await.latch("a task beside a section", done, scheduler::dump);
        busy.end();
      }
    }
  }

  private static WorkStealingScheduler onClock(ManualClock clock) {
    return TestPools.withSentinelThere(
        WorkStealingScheduler.builder()
            .parallelism(PARALLELISM)
            .tuning(SchedulerTuning.production().withClock(clock))
            .build());
  }

  @Test
  void oneThatAWorkerQueuesBeginsAtOnceToo() {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).build()) {
      AtomicReference<Thread> ranOn = new AtomicReference<>();
      AtomicReference<Thread> publishedOn = new AtomicReference<>();
      CountDownLatch done = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            publishedOn.set(Thread.currentThread());
            CountDownLatch ran = new CountDownLatch(1);
            assertTrue(
                publish(
                    scheduler,
                    () -> {
                      ranOn.set(Thread.currentThread());
                      ran.countDown();
                    }));
            Await.quietly(ran); // not declared: nobody takes this worker's place
            done.countDown();
          });
      Await.latch("a task that waits for one that it queued", done, scheduler::dump);
      assertNotSame(publishedOn.get(), ranOn.get());
    }
  }

  /** F8. */
  @Test
  void withoutAThreadForItItWaitsInTheQueue() {
    AtomicInteger threads = new AtomicInteger();
    WorkerThreadFactory factory = WorkerThreadFactory.platform(true);
    AtomicReference<Throwable> reported = new AtomicReference<>();
    try (var scheduler =
            TestPools.withDeclaredSparesOnly(PARALLELISM)
                .uncaughtExceptionHandler((thread, thrown) -> reported.set(thrown))
                .workerThreadFactory(
                    body -> {
                      if (threads.incrementAndGet() > PARALLELISM) {
                        throw new OutOfMemoryError("no thread for a spare: the test wants it so");
                      }
                      return factory.newThread(body);
                    })
                .build();
        var busy = keepAllBusy(scheduler, false)) {
      AtomicInteger runs = new AtomicInteger();
      assertTrue(publish(scheduler, runs::incrementAndGet));
      assertTrue(String.valueOf(reported.get()).contains("a spare worker"), () -> "" + reported);
      assertEquals(0, runs.get());
      busy.end();
      Await.until("it ran", () -> runs.get() == 1, scheduler::stats);
      Quiescence.await(scheduler);
      assertEquals(1, runs.get());
    }
  }

  @Test
  void whereThereIsNoRoomForASpareItWaitsInTheQueue() {
    try (var scheduler = TestPools.withoutSpares(PARALLELISM).build();
        var busy = keepAllBusy(scheduler, false)) {
      AtomicInteger runs = new AtomicInteger();
      assertTrue(publish(scheduler, runs::incrementAndGet));
      assertEquals(0, runs.get());
      busy.end();
      Await.until("it ran", () -> runs.get() == 1, scheduler::stats);
    }
  }

  @ParameterizedTest
  @EnumSource(Flavor.class)
  void afterTheShutdownItIsRefused(Flavor flavor) throws Exception {
    var scheduler = WorkStealingScheduler.builder().parallelism(1).flavor(flavor).build();
    AtomicInteger runs = new AtomicInteger();
    assertTrue(scheduler.adapter().publishDeclared(runs::incrementAndGet, Placement.QUEUED));
    scheduler.shutdown();
    assertFalse(scheduler.adapter().publishDeclared(runs::incrementAndGet, Placement.QUEUED));
    assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertEquals(1, runs.get());
  }

  /** G6: what was accepted ran, or is given back. */
  @Test
  void shutdownNowWhileTheyAreHandedOver() throws Exception {
    for (int round = 0; round < 200; round++) {
      CountDownLatch release = new CountDownLatch(1);
      var scheduler = TestPools.withDeclaredSparesOnly(1).build();
      CountDownLatch begun = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            begun.countDown();
            Await.unlessInterrupted(release);
          });
      Await.latch("a task that keeps the worker", begun, scheduler::stats);
      AtomicInteger accepted = new AtomicInteger();
      AtomicInteger runs = new AtomicInteger();
      Thread publisher =
          new Thread(
              () -> {
                while (scheduler
                    .adapter()
                    .publishDeclared(runs::incrementAndGet, Placement.QUEUED)) {
                  accepted.incrementAndGet();
                }
              });
      publisher.start();
      Await.until("some ran", () -> runs.get() > 3, scheduler::stats);
      release.countDown();
      int left = scheduler.shutdownNow().size();
      publisher.join();
      assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      assertEquals(accepted.get(), runs.get() + left);
    }
  }

  /**
   * G9: tasks that spares were called for say nothing of the queue. The sentinel that took them for
   * progress would never relieve anybody.
   */
  @Test
  void hogsAreRelievedHoweverManyBegin() {
    ManualClock clock = new ManualClock();
    SchedulerTuning production = SchedulerTuning.production();
    Duration tick = Duration.ofNanos(production.stallTickNanos());
    try (var scheduler =
            WorkStealingScheduler.builder()
                .parallelism(PARALLELISM)
                .tuning(production.withClock(clock))
                .build();
        var busy = keepAllBusy(scheduler, true)) {
      CountDownLatch ran = new CountDownLatch(1);
      scheduler.execute(ran::countDown);
      Await.until(
          "the task behind the hogs",
          () -> {
            CountDownLatch began = new CountDownLatch(1);
            assertTrue(publish(scheduler, began::countDown));
            Await.latch("a declared task", began, scheduler::dump);
            clock.advance(tick);
            return ran.getCount() == 0;
          },
          scheduler::dump);
      busy.end();
    }
  }
}
