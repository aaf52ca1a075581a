package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** G2, F1: every accepted task runs once, wherever it comes from and wherever it is stolen to. */
@ExtendWith(NoThreadLeft.class)
class ExactlyOnceTest {
  private static final int OUTSIDERS = 4;
  private static final List<Placement> PLACEMENTS = List.of(Placement.values());

  /**
   * Each task marks its own cell, so a task that ran twice cannot make up for one that did not run.
   */
  private static final class Ledger {
    final AtomicIntegerArray runs;
    final CountDownLatch left;

    Ledger(int tasks) {
      runs = new AtomicIntegerArray(tasks);
      left = new CountDownLatch(tasks);
    }

    Runnable task(int id) {
      return () -> {
        runs.incrementAndGet(id);
        left.countDown();
      };
    }

    void check(WorkStealingScheduler scheduler) {
      Await.latch("every task has run", left, scheduler::stats);
      Quiescence.await(scheduler);
      for (int i = 0; i < runs.length(); i++) {
        assertEquals(1, runs.get(i), "runs of task " + i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64})
  void aMillionTasksFromOutsideAndInsideEachRunOnce(int parallelism) throws Exception {
    int tasks = 2 * OUTSIDERS * TestScale.of(125_000);
    try (var scheduler = TestPools.withoutSpares(parallelism).build()) {
      Ledger ledger = new Ledger(tasks);
      List<Thread> outsiders = new ArrayList<>();
      for (int o = 0; o < OUTSIDERS; o++) {
        int first = o * (tasks / 2 / OUTSIDERS);
        Thread t =
            new Thread(
                () -> {
                  for (int i = 0; i < tasks / 2 / OUTSIDERS; i++) {
                    scheduler.execute(ledger.task(first + i));
                  }
                });
        t.start();
        outsiders.add(t);
      }
      // From inside: a tree of halves, so that queues fill, overflow and are stolen from.
      scheduler.execute(new Spread(scheduler, ledger, tasks / 2, tasks));
      for (Thread t : outsiders) {
        t.join();
      }
      ledger.check(scheduler);
      SchedulerStats stats = scheduler.stats();
      assertEquals(stats.published(), stats.executed(), () -> "published and executed: " + stats);
      assertEquals(0, stats.queued());
    }
  }

  /**
   * Runs the tasks from {@code from} to {@code to}: splits itself while large, then submits them
   * one by one.
   */
  private record Spread(WorkStealingScheduler scheduler, Ledger ledger, int from, int to)
      implements Runnable {
    private static final int LEAF = 4 * SchedulerTuning.production().dequeCapacity();

    @Override
    public void run() {
      if (to - from > LEAF) {
        int middle = (from + to) >>> 1;
        scheduler.execute(new Spread(scheduler, ledger, from, middle));
        scheduler.execute(new Spread(scheduler, ledger, middle, to));
      } else {
        for (int i = from; i < to; i++) {
          Placement p = PLACEMENTS.get(i % PLACEMENTS.size());
          assertTrue(scheduler.adapter().publish(ledger.task(i), p));
        }
      }
    }
  }

  static Stream<Arguments> extremes() {
    SchedulerTuning normal = SchedulerTuning.production();
    return Stream.of(
        Arguments.of("the JEC wraps (F5)", normal.withJec(32, -2)),
        Arguments.of("a JEC of one bit", normal.withJec(1, 0)),
        Arguments.of("deque indices wrap (F4)", normal.withQueues(256, Long.MAX_VALUE - 100, 128)),
        Arguments.of("the smallest queues", normal.withQueues(2, -3, 1)),
        Arguments.of("no search rounds", normal.withSearch(0, 0)),
        Arguments.of("the smallest of everything", SchedulerTuning.smallest()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("extremes")
  void extremeSizesLoseNothing(String what, SchedulerTuning tuning) {
    int tasks = 2 * TestScale.of(50_000);
    try (var scheduler = TestPools.withoutSpares(4).tuning(tuning).build()) {
      Ledger ledger = new Ledger(tasks);
      scheduler.execute(new Spread(scheduler, ledger, 0, tasks / 2));
      for (int i = tasks / 2; i < tasks; i++) {
        scheduler.execute(ledger.task(i));
      }
      ledger.check(scheduler);
    }
  }
}
