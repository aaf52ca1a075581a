package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * G9: what blocks or hogs a worker without a word is noticed when tasks wait (F17). After how many
 * ticks: {@code SentinelRoundsTest}; within what time: {@link NoticedInTimeTest}.
 */
@ExtendWith(NoThreadLeft.class)
class UndeclaredBlockingTest {
  /** Beyond every deadline: a hog ends also when the test has failed. */
  private static final long LONGEST_HOG_NANOS =
      TimeUnit.SECONDS.toNanos(2 * Await.DEADLINE_SECONDS);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void everyWorkerWaitsForALatch_tasksRunAllTheSame(int parallelism) throws Exception {
    try (var scheduler = scheduler(parallelism)) {
      for (int round = 0; round < 5; round++) {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(3 * parallelism);
        for (int i = 0; i < 3 * parallelism; i++) {
          scheduler.execute(
              () -> {
                blocked.countDown();
                Await.quietly(release);
              });
        }
        Await.latch("three times as many as workers", blocked, scheduler::stats);
        assertEquals(1, soon(scheduler.submit(() -> 1)));
        release.countDown();
        Await.until(
            "they all came back", () -> scheduler.stats().relievedWorkers() == 0, scheduler::stats);
      }
      backToNormal(scheduler);
    }
  }

  @ParameterizedTest
  @EnumSource(Placement.class)
  void aTaskThatWaitsForWhatItPublished_endsOnASingleWorker(Placement placement) throws Exception {
    try (var scheduler = scheduler(1)) {
      for (int round = 0; round < 20; round++) {
        Future<?> outer =
            scheduler.submit(
                () -> {
                  CountDownLatch inner = new CountDownLatch(1);
                  assertTrue(scheduler.adapter().publish(inner::countDown, placement));
                  Await.latch("the inner task", inner, scheduler::stats);
                });
        soon(outer);
      }
      backToNormal(scheduler);
    }
  }

  /** It is likely to go on: that is not left to the sentinel, unless it is there anyway. */
  @ParameterizedTest
  @EnumSource(names = {"NEXT", "RESUMED"})
  void whatALongTaskPublishesStartsWithoutTheSentinel(Placement placement) throws Exception {
    ManualClock clock = new ManualClock();
    CountingParker parker = new CountingParker();
    SchedulerTuning tuning = SchedulerTuning.production();
    try (var scheduler =
        TestPools.withTheSentinel(4)
            .tuning(tuning.withClock(clock).withParker(parker).withProcessors(4))
            .build()) {
      Await.until("all are parked", () -> parker.parked() == 4, scheduler::stats);
      Future<?> outer =
          scheduler.submit(
              () -> {
                clock.advance(Duration.ofMillis(2));
                CountDownLatch inner = new CountDownLatch(1);
                assertTrue(scheduler.adapter().publish(inner::countDown, placement));
                Await.latch("the inner task", inner, scheduler::dump);
              });
      soon(outer);
      assertEquals(0, scheduler.stats().sentinelRounds());
    }
  }

  /** A future of a future of a future, as deep as there may be threads. */
  @Test
  void nestedGets_asDeepAsThereAreThreads() throws Exception {
    int depth = 30;
    try (var scheduler =
        TestPools.withTheSentinel(2)
            .maxThreads(depth + 2)
            .keepAlive(Duration.ofMillis(50))
            .build()) {
      assertEquals(depth, soon(nested(scheduler, depth)));
      backToNormal(scheduler);
    }
  }

  private static Future<Integer> nested(WorkStealingScheduler scheduler, int depth) {
    return scheduler.submit(() -> depth == 0 ? 0 : 1 + nested(scheduler, depth - 1).get());
  }

  @Test
  void sleepersAreReplaced() throws Exception {
    try (var scheduler = scheduler(2)) {
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch asleep = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) {
        scheduler.execute(
            () -> {
              asleep.countDown();
              long begin = System.nanoTime();
              while (!over.get() && System.nanoTime() - begin < LONGEST_HOG_NANOS) {
                try {
                  Thread.sleep(50); // what the pool must put up with
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }
            });
      }
      Await.latch("both sleep", asleep, scheduler::stats);
      assertEquals(1, soon(scheduler.submit(() -> 1)));
      over.set(true);
      backToNormal(scheduler);
    }
  }

  /** One at a time: {@code SentinelRoundsTest.hogsAreRelievedOneByOneAtDoublingIntervals}. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyWorkerComputes_aNewTaskStartsAllTheSame(int parallelism) throws Exception {
    try (var scheduler = scheduler(parallelism)) {
      AtomicBoolean over = new AtomicBoolean();
      AtomicLong sink = new AtomicLong();
      CountDownLatch hogging = new CountDownLatch(parallelism);
      for (int i = 0; i < parallelism; i++) {
        scheduler.execute(
            () -> {
              hogging.countDown();
              long begin = System.nanoTime();
              while (!over.get() && System.nanoTime() - begin < LONGEST_HOG_NANOS) {
                sink.lazySet(sink.get() + 1);
              }
            });
      }
      Await.latch("all hog", hogging, scheduler::stats);
      assertEquals(1, soon(scheduler.submit(() -> 1)));
      over.set(true);
      backToNormal(scheduler);
    }
  }

  /**
   * The second worker takes the first of two tasks and waits for the second, which lies in the
   * queue of a worker that waits as well: nobody publishes after that, so who finds work must call
   * the sentinel.
   */
  @Test
  void theLastWorkerFindsWorkAndWaits_whatItLeftBehindRuns() throws Exception {
    try (var scheduler = scheduler(2)) {
      for (int round = 0; round < 50; round++) {
        Quiescence.await(scheduler);
        CountDownLatch second = new CountDownLatch(1);
        soon(
            scheduler.submit(
                () -> {
                  scheduler.execute(() -> Await.quietly(second));
                  scheduler.execute(second::countDown);
                  Await.latch("the second", second, scheduler::stats);
                }));
      }
      backToNormal(scheduler);
    }
  }

  /** The cap holds, and what waits runs when somebody comes back. */
  @Test
  void atTheCapTasksWaitUntilSomebodyComesBack() throws Exception {
    try (var scheduler =
        TestPools.withTheSentinel(2).maxThreads(3).keepAlive(Duration.ofMillis(50)).build()) {
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch blocked = new CountDownLatch(3);
      for (int i = 0; i < 3; i++) {
        scheduler.execute(
            () -> {
              blocked.countDown();
              Await.quietly(release);
            });
      }
      Await.latch("three threads block", blocked, scheduler::stats);
      AtomicInteger ran = new AtomicInteger();
      for (int i = 0; i < 100; i++) {
        scheduler.execute(ran::incrementAndGet);
      }
      Await.until(
          "the third is noticed, too",
          () -> scheduler.stats().relievedWorkers() == 3,
          scheduler::stats);
      assertEquals(3, scheduler.stats().threads());
      assertEquals(0, ran.get());
      release.countDown();
      Await.until("all ran", () -> ran.get() == 100, scheduler::stats);
      backToNormal(scheduler);
    }
  }

  /**
   * The same worker blocks with a declaration after it was relieved. A right given away twice is a
   * worker too many for good, and it does not come back to normal; see also {@code
   * WorkerRightTest}.
   */
  @Test
  void declaredInsideUndeclared_givesTheRightAwayOnce() throws Exception {
    try (var scheduler = scheduler(1)) {
      for (int round = 0; round < 20; round++) {
        CountDownLatch noticed = new CountDownLatch(1);
        CountDownLatch inSection = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Integer> task =
            scheduler.submit(
                () -> {
                  Await.quietly(noticed);
                  return scheduler.blocking(
                      () -> {
                        inSection.countDown();
                        Await.quietly(release);
                        return 1;
                      });
                });
        soon(scheduler.submit(noticed::countDown));
        Await.latch("in the section", inSection, scheduler::stats);
        assertEquals(1, soon(scheduler.submit(() -> 1)));
        release.countDown();
        assertEquals(1, soon(task));
      }
      backToNormal(scheduler);
    }
  }

  /** G6: tasks that wait for each other when the pool is closed over them still end. */
  @Test
  void closedWhileEveryWorkerWaitsForATaskThatIsQueued_itEnds() throws Exception {
    for (int round = 0; round < 20; round++) {
      var scheduler = scheduler(2);
      CountDownLatch last = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) {
        scheduler.execute(
            () -> {
              begun.countDown();
              Await.quietly(last);
            });
      }
      Await.latch("both wait", begun, scheduler::stats);
      scheduler.execute(last::countDown);
      scheduler.close();
      assertTrue(scheduler.isTerminated());
    }
  }

  private static <T> T soon(Future<T> future) throws Exception {
    return future.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private static WorkStealingScheduler scheduler(int parallelism) {
    return TestPools.withTheSentinel(parallelism).keepAlive(Duration.ofMillis(50)).build();
  }

  private static void backToNormal(WorkStealingScheduler scheduler) {
    Await.until(
        "surplus threads retire, the others sleep",
        () -> scheduler.stats().threads() == scheduler.parallelism(),
        scheduler::stats);
    Quiescence.await(scheduler);
    assertEquals(0, scheduler.stats().relievedWorkers());
    assertEquals(0, scheduler.stats().uncaughtExceptions());
  }
}
