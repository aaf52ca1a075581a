package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.MonotonicClock;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WakeRule;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** G3 and G8: who is woken, and how often. */
@ExtendWith(NoThreadLeft.class)
class BoundedWakesTest {
  private static final int BURST = 1_000;

  private static final int ROUNDS = 10;

  /**
   * Who is woken is held in its park, and so counts as searching: nothing here depends on the
   * machine. A burst wakes one. Let go, that one hands on once, and does the rest of the work
   * beside the one that it has woken: two wakes for a thousand tasks, of which one was futile.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void nobodyIsWokenByABurstOfSpawnsWhileSomebodySearches(int sleepers) {
    HeldBurst burst = new HeldBurst(sleepers, WakeRule.ONE_AT_A_TIME);
    burst.spawn();
    assertEquals(new Wakes(1, 2, 1), burst.wakes);
  }

  /** From outside, one is woken for every two tasks that those do not get to who were woken. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 2", "4, 2", "5, 3", "1000, 16"})
  void whoIsWokenFromOutsideIsReliedOnForTwoTasks(int tasks, int woken) {
    HeldBurst burst = new HeldBurst(16, WakeRule.ONE_AT_A_TIME, tasks, 16);
    burst.submit();
    assertEquals(woken, burst.wakes.byPublishes());
  }

  /** But no more than there are processors: they would only wait for each other. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void aBurstFromOutsideWakesNoMoreThanThereAreProcessors(int processors) {
    HeldBurst burst = new HeldBurst(16, WakeRule.ONE_AT_A_TIME, BURST, processors);
    burst.submit();
    assertEquals(processors, burst.wakes.byPublishes());
  }

  /** Julia's rule in the same place: all of them, and all but one in vain. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void everySleeperIsWokenByABurstOfSpawnsWhereEachInsertWakesOne(int sleepers) {
    HeldBurst burst = new HeldBurst(sleepers, WakeRule.ONE_PER_INSERT);
    burst.spawn();
    assertEquals(new Wakes(sleepers, sleepers, sleepers - 1), burst.wakes);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void everySleeperIsWokenByABurstFromOutsideWhereEachInsertWakesOne(int sleepers) {
    HeldBurst burst = new HeldBurst(sleepers, WakeRule.ONE_PER_INSERT);
    burst.submit();
    assertEquals(new Wakes(sleepers, sleepers, sleepers - 1), burst.wakes);
  }

  /**
   * What a burst has cost.
   *
   * @param byPublishes wakes while it was published
   * @param inAll with those of the worker that ran it
   * @param futile of these, the ones that found nothing
   */
  private record Wakes(long byPublishes, long inAll, long futile) {}

  /** A burst into a pool that sleeps, of which one worker is let go when all is published. */
  private static final class HeldBurst {
    private final CountingParker parker = new CountingParker();
    private final CountDownLatch done;
    private final int sleepers;
    private final WakeRule rule;
    private final int tasks;
    private final int processors;
    Wakes wakes = new Wakes(0, 0, 0);

    HeldBurst(int sleepers, WakeRule rule) {
      this(sleepers, rule, BURST, sleepers + 1);
    }

    HeldBurst(int sleepers, WakeRule rule, int tasks, int processors) {
      this.sleepers = sleepers;
      this.rule = rule;
      this.tasks = tasks;
      this.processors = processors;
      done = new CountDownLatch(tasks);
    }

    void submit() {
      run(sleepers, (scheduler, burst) -> burst.run());
    }

    /** By one worker more, which runs none of them. */
    void spawn() {
      run(
          sleepers + 1,
          (scheduler, burst) -> {
            CountDownLatch published = new CountDownLatch(1);
            scheduler.execute(
                () -> {
                  burst.run();
                  published.countDown();
                  Await.quietly(done);
                });
            Await.latch("the burst is published", published, scheduler::stats);
          });
    }

    private void run(int workers, BiConsumer<WorkStealingScheduler, Runnable> publish) {
      try (var scheduler = pool(workers, parker, rule, MonotonicClock.SYSTEM, processors)) {
        awaitParked(workers, parker, scheduler);
        AtomicLong before = new AtomicLong();
        AtomicLong published = new AtomicLong();
        try {
          publish.accept(
              scheduler,
              () -> {
                before.set(parker.unparks());
                parker.hold();
                BoundedWakesTest.submit(scheduler, tasks, done::countDown);
                published.set(parker.unparks());
              });
          parker.letOneGo();
          Await.latch("one worker runs them all", done, scheduler::stats);
          long inAll = parker.unparks();
          parker.letAllGo();
          // In their parks, not only registered as asleep: a futile wake is counted in between. All
          // were in their parks when they were woken, so that none has left without having parked.
          awaitParked(workers, parker, scheduler);
          SchedulerStats stats = scheduler.stats();
          assertEquals(parker.unparks(), stats.wakes(), "unparks are what stats call wakes");
          assertEquals(inAll, stats.wakes(), "nobody is woken when all is done");
          wakes =
              new Wakes(published.get() - before.get(), inAll - before.get(), stats.futileWakes());
        } finally {
          parker.letAllGo();
        }
      }
    }
  }

  /** The same with workers that run: a bound that holds however the threads are scheduled. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void aBurstOfSpawnsUnparksAtMostOncePerPublishAndFind(int workers) {
    Counted counted = burst(workers, WakeRule.ONE_AT_A_TIME, BoundedWakesTest::spawn);
    counted.assertAtMostOnePerPublishAndFind();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void aBurstFromOutsideUnparksAtMostOncePerPublishAndFind(int workers) {
    Counted counted = burst(workers, WakeRule.ONE_AT_A_TIME, BoundedWakesTest::submit);
    counted.assertAtMostOnePerPublishAndFind();
  }

  /** Julia's rule has another bound: N for N. What is moved in batches is inserted again. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void aBurstOfSpawnsUnparksAtMostOncePerInsertWhereThatIsTheRule(int workers) {
    Counted counted = burst(workers, WakeRule.ONE_PER_INSERT, BoundedWakesTest::spawn);
    counted.assertAtMostOnePerInsert();
  }

  /** The same from outside, where most tasks are moved from the injector in batches. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void aBurstFromOutsideUnparksAtMostOncePerInsertWhereThatIsTheRule(int workers) {
    Counted counted = burst(workers, WakeRule.ONE_PER_INSERT, BoundedWakesTest::submit);
    counted.assertAtMostOnePerInsert();
  }

  /** One task each, and every sleeper is needed: both rules wake as many as there are tasks. */
  @ParameterizedTest
  @EnumSource(WakeRule.class)
  void tasksThatNeedAWorkerEachWakeOneEach(WakeRule rule) {
    CountingParker parker = new CountingParker();
    try (var scheduler = pool(8, parker, rule)) {
      for (int round = 0; round < 50; round++) {
        awaitParked(8, parker, scheduler);
        long before = parker.unparks();
        CountDownLatch all = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
          scheduler.execute(
              () -> {
                all.countDown();
                Await.quietly(all);
              });
        }
        Await.latch("eight tasks that wait for each other", all, scheduler::stats);
        assertTrue(parker.unparks() - before >= 8, "each has left its park");
      }
    }
  }

  /** Without a hand-on a task that nobody was woken for would use up the wake of another. */
  @ParameterizedTest
  @EnumSource(WakeRule.class)
  void aPushIntoASlotIsSilentOnlyWhereSearchersLookAfterEachOther(WakeRule rule) throws Exception {
    CountingParker parker = new CountingParker();
    // Time stands still: what a task publishes that has run for long wakes whom it can.
    ManualClock clock = new ManualClock();
    try (var scheduler = pool(2, parker, rule, clock)) {
      long most = rule == WakeRule.ONE_PER_INSERT ? 1 : 0;
      if (most == 0) { // its sentinel has been started: that may look at the first slot twice
        scheduler.execute(() -> scheduler.adapter().publish(() -> {}, Placement.NEXT));
        Await.until(
            "it has looked", () -> scheduler.stats().sentinelRounds() > 0, scheduler::stats);
        awaitParked(2, parker, scheduler);
        clock.awaitParked("-sentinel");
      }
      for (int round = 0; round < 100; round++) {
        awaitParked(2, parker, scheduler);
        Future<Long> unparks =
            scheduler.submit(
                () -> {
                  long before = parker.unparks();
                  scheduler.adapter().publish(() -> {}, Placement.NEXT);
                  return parker.unparks() - before;
                });
        assertEquals(most, unparks.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      }
    }
  }

  private static void spawn(WorkStealingScheduler scheduler, Runnable task) {
    scheduler.execute(
        () -> {
          for (int i = 0; i < BURST; i++) {
            scheduler.execute(task);
          }
        });
  }

  private static void submit(WorkStealingScheduler scheduler, Runnable task) {
    submit(scheduler, BURST, task);
  }

  private static void submit(WorkStealingScheduler scheduler, int times, Runnable task) {
    for (int i = 0; i < times; i++) {
      scheduler.execute(task);
    }
  }

  private static Counted burst(
      int workers, WakeRule rule, BiConsumer<WorkStealingScheduler, Runnable> publish) {
    CountingParker parker = new CountingParker();
    try (var scheduler = pool(workers, parker, rule)) {
      awaitParked(workers, parker, scheduler);
      SchedulerStats before = scheduler.stats();
      long unparksBefore = parker.unparks();
      for (int round = 0; round < ROUNDS; round++) {
        CountDownLatch done = new CountDownLatch(BURST);
        publish.accept(scheduler, done::countDown);
        Await.latch("the burst", done, scheduler::stats);
        awaitParked(workers, parker, scheduler);
      }
      return new Counted(before, scheduler.stats(), parker.unparks() - unparksBefore);
    }
  }

  /** What some bursts did to the counts. */
  private record Counted(SchedulerStats before, SchedulerStats after, long unparks) {
    long published() {
      return after.published() - before.published();
    }

    void assertPlausible() {
      assertEquals(unparks, after.wakes() - before.wakes(), "unparks are what stats call wakes");
      assertTrue(published() >= ROUNDS * BURST, this::toString);
      assertTrue(unparks >= ROUNDS, () -> "a sleeping pool needs one for each burst: " + this);
      long futile = after.futileWakes() - before.futileWakes();
      assertTrue(futile <= unparks, () -> futile + " futile wakes: " + this);
    }

    void assertAtMostOnePerPublishAndFind() {
      assertPlausible();
      long finds = after.executed() - before.executed(); // each find is a task that was begun
      assertTrue(unparks <= published() + finds, () -> finds + " finds: " + this);
    }

    void assertAtMostOnePerInsert() {
      assertPlausible();
      long inserts = published() + taken(after) - taken(before);
      assertTrue(unparks <= inserts, () -> inserts + " inserts: " + this);
    }

    /** From other queues: one of a batch is run, the others are inserted again. */
    private static long taken(SchedulerStats stats) {
      return stats.workers().stream().mapToLong(w -> w.stolen() + w.injected()).sum();
    }
  }

  @Test
  void onePublishIntoASleepingPoolUnparksOneWorker() {
    CountingParker parker = new CountingParker();
    try (var scheduler = pool(8, parker)) {
      for (int i = 1; i <= 1_000; i++) {
        awaitParked(8, parker, scheduler);
        CountDownLatch done = new CountDownLatch(1);
        scheduler.execute(done::countDown);
        Await.latch("the task", done, scheduler::stats);
        Quiescence.await(scheduler);
        assertEquals(i, parker.unparks(), "one unpark for one task, no hand-on without more work");
      }
    }
  }

  @Test
  void aPublishToOnePoolNeverUnparksAWorkerOfAnother() {
    CountingParker parkerA = new CountingParker();
    CountingParker parkerB = new CountingParker();
    try (var a = pool(2, parkerA);
        var b = pool(2, parkerB)) {
      Quiescence.await(a);
      Quiescence.await(b);
      long unparksB = parkerB.unparks();
      CountDownLatch done = new CountDownLatch(BURST);
      a.execute(
          () -> {
            for (int i = 0; i < BURST; i++) {
              a.execute(done::countDown);
            }
          });
      Await.latch("the burst", done, a::stats);
      Quiescence.await(a);
      assertEquals(unparksB, parkerB.unparks());
      // And from a worker of one pool into the other, while the first is fully busy.
      CountDownLatch inB = new CountDownLatch(1);
      CountDownLatch hold = new CountDownLatch(1);
      a.execute(() -> Await.quietly(hold));
      a.execute(
          () -> {
            b.execute(inB::countDown);
            Await.quietly(hold);
          });
      Await.latch("a task published by a worker of the other pool", inB, b::stats);
      hold.countDown();
    }
  }

  private static void awaitParked(
      int workers, CountingParker parker, WorkStealingScheduler scheduler) {
    Await.until("all are in their parks", () -> parker.parked() == workers, scheduler::stats);
  }

  private static WorkStealingScheduler pool(int workers, CountingParker parker) {
    return pool(workers, parker, WakeRule.ONE_AT_A_TIME);
  }

  private static WorkStealingScheduler pool(int workers, CountingParker parker, WakeRule rule) {
    return pool(workers, parker, rule, MonotonicClock.SYSTEM);
  }

  private static WorkStealingScheduler pool(
      int workers, CountingParker parker, WakeRule rule, MonotonicClock clock) {
    return pool(workers, parker, rule, clock, workers); // nobody is on standby, wherever it runs
  }

  private static WorkStealingScheduler pool(
      int workers, CountingParker parker, WakeRule rule, MonotonicClock clock, int processors) {
    return TestPools.withoutSpares(workers)
        .tuning(
            SchedulerTuning.production()
                .withParker(parker)
                .withClock(clock)
                .withWakeRule(rule)
                .withProcessors(processors))
        .build();
  }
}
