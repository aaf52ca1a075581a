package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G9: declared blocking does not reduce the number of workers that run, up to the cap. */
@ExtendWith(NoThreadLeft.class)
class BlockingSectionTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void tasksRunWhileEveryWorkerSitsInABlockingSection(int parallelism) throws Exception {
    try (var scheduler =
        TestPools.withDeclaredSparesOnly(parallelism).keepAlive(Duration.ofMillis(100)).build()) {
      for (int round = 0; round < 50; round++) { // F17
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(3 * parallelism);
        for (int i = 0; i < 3 * parallelism; i++) {
          scheduler.execute(() -> block(scheduler, blocked, release));
        }
        Await.latch("three times as many sections as workers", blocked, scheduler::stats);
        assertEquals(1, scheduler.submit(() -> 1).get());
        assertEquals(3 * parallelism, scheduler.stats().blockedWorkers());
        release.countDown();
        Await.until(
            "all sections over", () -> scheduler.stats().blockedWorkers() == 0, scheduler::stats);
      }
      Quiescence.await(scheduler);
      Await.until(
          "surplus threads retire after their keep-alive",
          () -> scheduler.stats().threads() == parallelism,
          scheduler::stats);
      Quiescence.await(scheduler);
    }
  }

  @Test
  void whatAWorkerHadQueuedRunsElsewhereWhileItBlocks() {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).build()) {
      CountDownLatch ran = new CountDownLatch(100);
      CountDownLatch over = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            for (int i = 0; i < 100; i++) {
              scheduler.execute(ran::countDown);
            }
            block(scheduler, new CountDownLatch(1), ran);
            over.countDown();
          });
      Await.latch("the section that waits for its own worker's tasks", over, scheduler::stats);
    }
  }

  /** The slot too, which others leave alone while its worker comes back. */
  @Test
  void whatAWorkerHasInItsSlotRunsElsewhereWhileItBlocks() {
    try (var scheduler = TestPools.withTheSentinel(1).build()) {
      for (int round = 0; round < 20; round++) {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              scheduler.adapter().publish(ran::countDown, Placement.NEXT);
              block(scheduler, new CountDownLatch(1), ran);
              over.countDown();
            });
        Await.latch("the section that waits for its own slot", over, scheduler::stats);
      }
    }
  }

  @Test
  void theCapOfThreadsIsKeptAndWhatWaitsRunsWhenASectionEnds() throws Exception {
    try (var scheduler = TestPools.withDeclaredSparesOnly(2).maxThreads(4).build()) {
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch blocked = new CountDownLatch(4);
      AtomicInteger over = new AtomicInteger();
      for (int i = 0; i < 6; i++) {
        scheduler.execute(
            () -> {
              block(scheduler, blocked, release);
              over.incrementAndGet();
            });
      }
      Await.latch("as many sections as threads", blocked, scheduler::stats);
      Future<Integer> waits = scheduler.submit(() -> 1);
      assertEquals(4, scheduler.stats().threads());
      release.countDown();
      assertEquals(1, waits.get());
      Await.until("all sections over", () -> over.get() == 6, scheduler::stats);
      Quiescence.await(scheduler);
    }
  }

  @Test
  void sectionsNestAndPassOnWhatTheyReturnAndThrow() throws Exception {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).build()) {
      assertEquals("outside", scheduler.blocking(() -> "outside"));
      assertEquals(
          "inside",
          scheduler
              .submit(() -> scheduler.blocking(() -> scheduler.blocking(() -> "inside")))
              .get());
      var e =
          assertThrows(
              java.util.concurrent.ExecutionException.class,
              () ->
                  scheduler
                      .submit(
                          () ->
                              scheduler.blocking(
                                  () -> {
                                    throw new IOException("from the section");
                                  }))
                      .get());
      assertTrue(e.getCause() instanceof IOException);
      Quiescence.await(scheduler);
      assertEquals(0, scheduler.stats().blockedWorkers());
    }
  }

  @Test
  void aSectionThatIsNotEndedEndsWithItsTask() throws Exception {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).build()) {
      assertTrue(
          scheduler
              .submit(
                  () -> {
                    scheduler.adapter().beginBlocking();
                    return scheduler.adapter().beginBlocking();
                  })
              .get());
      Await.until(
          "the section is over", () -> scheduler.stats().blockedWorkers() == 0, scheduler::stats);
      Quiescence.await(scheduler);
    }
  }

  /** Nobody needs the right meanwhile, and a thread costs more than a look for work. */
  @Test
  void sectionsBesideWhichNothingWaitsStartNoSpare() throws Exception {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).build()) {
      CountDownLatch submitted = new CountDownLatch(1);
      Future<?> sections =
          scheduler.submit(
              () -> {
                Await.latch("the submission is over", submitted, scheduler::stats);
                for (int i = 0; i < 100; i++) {
                  CountDownLatch open = new CountDownLatch(0);
                  block(scheduler, open, open);
                }
              });
      submitted.countDown();
      sections.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertEquals(1, scheduler.stats().threads());
    }
  }

  /**
   * G9: the right that a section has left goes to a spare when a task finds everybody running;
   * without the sentinel.
   */
  @Test
  void whatIsPublishedWhenAllOthersRunIsRunBesideASection() {
    for (int round = 0; round < 50; round++) {
      try (var scheduler = TestPools.withDeclaredSparesOnly(2).build()) {
        CountDownLatch blocks = new CountDownLatch(1);
        CountDownLatch hogs = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.execute(() -> block(scheduler, blocks, ran));
        Await.latch("the section", blocks, scheduler::stats);
        scheduler.execute(
            () -> {
              hogs.countDown();
              Await.quietly(ran);
            });
        Await.latch("the other worker", hogs, scheduler::stats);
        scheduler.execute(ran::countDown);
        Await.latch("a task beside both", ran, scheduler::stats);
      }
    }
  }

  /**
   * A section begins while the spare of the one before stands by and retires: the right to run must
   * reach that worker, whichever of its states it is in.
   */
  @Test
  void aSpareThatRetiresAtOnceIsStartedAgain() {
    try (var scheduler =
        TestPools.withDeclaredSparesOnly(1).maxThreads(2).keepAlive(Duration.ZERO).build()) {
      CountDownLatch over = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            for (int i = 0; i < 5_000; i++) { // a thread is started in most rounds
              CountDownLatch ran = new CountDownLatch(1);
              scheduler.execute(ran::countDown);
              block(scheduler, new CountDownLatch(1), ran);
            }
            over.countDown();
          });
      Await.latch("sections one after the other", over, scheduler::stats);
    }
  }

  /**
   * F9: the right to run of a thread that could not be started is not lost until a section ends.
   */
  @Test
  void aSpareThatCouldNotBeStartedIsTriedAgainWithALaterTask() {
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger reported = new AtomicInteger();
    WorkerThreadFactory threads = WorkerThreadFactory.platform(true);
    try (var scheduler =
        TestPools.withDeclaredSparesOnly(1)
            .maxThreads(2)
            .uncaughtExceptionHandler((thread, thrown) -> reported.incrementAndGet())
            .workerThreadFactory(
                body -> {
                  if (body.index() > 0 && refused.getAndIncrement() == 0) {
                    throw new IllegalStateException("no thread today");
                  }
                  return threads.newThread(body);
                })
            .build()) {
      CountDownLatch ran = new CountDownLatch(1);
      CountDownLatch blocks = new CountDownLatch(1);
      scheduler.execute(() -> block(scheduler, blocks, ran));
      Await.latch("the section", blocks, scheduler::stats);
      scheduler.execute(() -> {}); // for which a spare is needed
      Await.until("the failure is reported", () -> reported.get() == 1, scheduler::stats);
      long start = System.nanoTime();
      Await.until(
          "the time between two attempts",
          () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(20),
          scheduler::stats);
      AtomicInteger blocked = new AtomicInteger();
      scheduler.execute(
          () -> {
            blocked.set(scheduler.stats().blockedWorkers());
            ran.countDown();
          });
      Await.latch("the task", ran, scheduler::stats);
      assertEquals(1, blocked.get(), "it ran beside the section, not after it");
    }
  }

  private static void block(
      WorkStealingScheduler scheduler, CountDownLatch blocked, CountDownLatch release) {
    Sections.block(
        scheduler,
        () -> {
          blocked.countDown();
          Await.quietly(release);
        });
  }
}
