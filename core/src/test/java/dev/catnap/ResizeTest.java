package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parallelism changes while the pool runs; nothing is lost, and it is kept (G1, G2, G9). */
@ExtendWith(NoThreadLeft.class)
class ResizeTest {

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void anIdlePoolThatShrinks_keepsAsManyWorkersAsItMay_theOthersRetire(int before) {
    try (var scheduler = scheduler(before)) {
      Quiescence.await(scheduler);
      scheduler.setParallelism(1);
      assertEquals(1, scheduler.parallelism());
      Await.until(
          "the others are spares, and then over",
          () -> scheduler.stats().threads() == 1,
          scheduler::stats);
      Quiescence.await(scheduler);
      assertEquals(1, mostAtOnce(scheduler, 20));
    }
  }

  @Test
  void aPoolThatGrows_runsMoreAtOnce() {
    try (var scheduler = scheduler(1)) {
      assertEquals(1, mostAtOnce(scheduler, 10));
      scheduler.setParallelism(4);
      CountDownLatch all = new CountDownLatch(4);
      CountDownLatch met = new CountDownLatch(4);
      for (int i = 0; i < 4; i++) {
        scheduler.execute(
            () -> {
              all.countDown();
              Await.quietly(all);
              met.countDown();
            });
      }
      Await.latch("four tasks meet", met, scheduler::stats);
      assertEquals(
          0, scheduler.stats().relievedWorkers()); // no sentinel here: they did run at once
      Quiescence.await(scheduler);
    }
  }

  @Test
  void aPoolThatShrinksUnderLoad_disturbsNoTask_andComesDown() {
    try (var scheduler = scheduler(4)) {
      CountDownLatch running = new CountDownLatch(4);
      CountDownLatch release = new CountDownLatch(1);
      LongAdder done = new LongAdder();
      for (int i = 0; i < 4; i++) {
        scheduler.execute(
            () -> {
              running.countDown();
              Await.quietly(release);
              done.increment();
            });
      }
      Await.latch("four at once", running, scheduler::stats);
      for (int i = 0; i < 100; i++) {
        scheduler.execute(done::increment);
      }
      scheduler.setParallelism(2);
      release.countDown();
      Await.until("all have run", () -> done.sum() == 104, scheduler::stats);
      Quiescence.await(scheduler);
      assertTrue(mostAtOnce(scheduler, 20) <= 2);
    }
  }

  /** Sizes at random while tasks spawn tasks and some of them block; then everything adds up. */
  @Test
  void sizesChangeAllTheTime_everyTaskRunsOnce() throws Exception {
    try (var scheduler = scheduler(2)) {
      Random random = new Random(42);
      LongAdder ran = new LongAdder();
      Thread resizer =
          new Thread(
              () -> {
                for (int i = 0; i < 300; i++) {
                  scheduler.setParallelism(1 + random.nextInt(8));
                  Thread.yield();
                }
              });
      resizer.start();
      for (int i = 0; i < 2_000; i++) {
        boolean blocks = i % 50 == 0;
        scheduler.execute(
            () -> {
              scheduler.execute(ran::increment);
              if (blocks) {
                Sections.block(scheduler, Thread::yield);
              }
              ran.increment();
            });
      }
      resizer.join();
      scheduler.setParallelism(3);
      Await.until("each has run", () -> ran.sum() == 4_000, scheduler::stats);
      Await.until(
          "as many workers as rights, no more threads",
          () -> scheduler.stats().threads() == 3,
          scheduler::stats);
      Quiescence.await(scheduler);
      assertEquals(scheduler.stats().published(), scheduler.stats().executed());
    }
  }

  @Test
  void closeWhileThereAreWorkersTooMany_endsThemAll() {
    var scheduler = scheduler(8);
    CountDownLatch running = new CountDownLatch(8);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 8; i++) {
      scheduler.execute(
          () -> {
            running.countDown();
            Await.quietly(release);
            done.incrementAndGet();
          });
    }
    Await.latch("all run", running, scheduler::stats);
    scheduler.setParallelism(1);
    scheduler.shutdown();
    release.countDown();
    scheduler.close();
    assertEquals(8, done.get());
  }

  @Test
  void aClosedPoolIsNotResized_andNobodyIsToldOfAThreadThatCannotStart() {
    AtomicInteger complaints = new AtomicInteger();
    var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .uncaughtExceptionHandler((thread, thrown) -> complaints.incrementAndGet())
            .build();
    scheduler.close();
    scheduler.setParallelism(4);
    assertEquals(1, scheduler.parallelism());
    assertEquals(0, complaints.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 17, Integer.MAX_VALUE})
  void aSizeOutOfRangeIsRefusedAndChangesNothing(int wanted) {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(2).maxThreads(16).build()) {
      var e = assertThrows(IllegalArgumentException.class, () -> scheduler.setParallelism(wanted));
      assertEquals("parallelism must be 1 to maxThreads 16: " + wanted, e.getMessage());
      assertEquals(2, scheduler.parallelism());
      assertEquals(2, scheduler.stats().parallelism());
    }
  }

  /**
   * How many of the tasks are in progress at the same time; each waits a little for others. A yield
   * is long where others want the processor.
   */
  private static int mostAtOnce(WorkStealingScheduler scheduler, int tasks) {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(tasks);
    for (int i = 0; i < tasks; i++) {
      scheduler.execute(
          () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            for (int spin = 0; spin < 10; spin++) {
              Thread.yield();
            }
            now.decrementAndGet();
            over.countDown();
          });
    }
    Await.latch("all are over", over, scheduler::stats);
    return most.get();
  }

  /** Without a sentinel: tasks that wait would get their worker a stand-in. */
  private static WorkStealingScheduler scheduler(int parallelism) {
    return WorkStealingScheduler.builder()
        .parallelism(parallelism)
        .keepAlive(Duration.ofMillis(20))
        .tuning(SchedulerTuning.production().withSentinel(0, 0))
        .build();
  }
}
