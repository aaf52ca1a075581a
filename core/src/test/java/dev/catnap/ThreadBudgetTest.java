package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G9 where several pools share their threads: never more, and a thread that comes back is used. */
@ExtendWith(NoThreadLeft.class)
class ThreadBudgetTest {

  @Test
  void poolsTogetherNeverHaveMoreThreadsThanTheBudget() {
    ThreadBudget budget = ThreadBudget.of(6);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (var a = pool("a", 2, budget).build();
        var b = pool("b", 2, budget).build()) {
      assertEquals(4, budget.inUse());
      for (int round = 0; round < 20; round++) {
        CountDownLatch begun = new CountDownLatch(6);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(20);
        Runnable section =
            () -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              begun.countDown();
              Await.quietly(release);
              running.decrementAndGet();
              over.countDown();
            };
        for (int i = 0; i < 10; i++) {
          a.execute(() -> block(a, section));
          b.execute(() -> block(b, section));
        }
        Await.latch("as many sections as threads", begun, () -> a.stats() + " " + b.stats());
        assertEquals(6, a.stats().threads() + b.stats().threads());
        assertEquals(6, a.stats().budgetThreads());
        assertEquals(0, b.stats().budgetFree());
        assertTrue(a.dump().contains("6 of 6 threads in use"), a::dump);
        release.countDown();
        Await.latch("all sections", over, () -> a.stats() + " " + b.stats());
      }
      Await.until(
          "the spares have given back", () -> budget.inUse() == 4, () -> a.stats() + " " + budget);
    }
    assertEquals(6, most.get(), "tasks at once");
    assertEquals(0, budget.inUse(), "closed pools have given back");
  }

  /**
   * No publish in the pool that waits, no end of a section there: the thread comes because another
   * pool's spare retires.
   */
  @Test
  void aThreadThatAnotherPoolGivesBackIsUsedAtOnce() {
    ThreadBudget budget = ThreadBudget.of(3);
    int rounds = TestScale.of(200);
    try (var a = pool("a", 1, budget).build();
        var b = pool("b", 1, budget).build()) {
      for (int round = 0; round < rounds; round++) {
        CountDownLatch endOfB = holdTheLastThread(b);
        CountDownLatch childOfA = new CountDownLatch(1);
        CountDownLatch overInA = new CountDownLatch(1);
        a.execute(
            () -> {
              a.execute(childOfA::countDown);
              block(a, () -> Await.quietly(childOfA));
              overInA.countDown();
            });
        Await.until("a's worker blocks", () -> a.stats().blockedWorkers() == 1, a::stats);
        assertEquals(1, a.stats().threads());
        endOfB.countDown();
        Await.latch("a's section", overInA, () -> a.stats() + " " + b.stats() + " " + budget);
        Await.until("a gives back", () -> budget.inUse() == 2, () -> a.stats() + " " + b.stats());
      }
    }
  }

  /** The same when the other pool is closed; and its threads serve more than one that waits. */
  @Test
  void aPoolThatIsClosedGivesItsThreadsToOthers() {
    ThreadBudget budget = ThreadBudget.of(4);
    var b = pool("b", 2, budget).build();
    try (var a = pool("a", 1, budget).build();
        var c = pool("c", 1, budget).build()) {
      CountDownLatch over = new CountDownLatch(2);
      CountDownLatch childOfA = new CountDownLatch(1);
      CountDownLatch childOfC = new CountDownLatch(1);
      blockUntilAChildRan(a, childOfA, over);
      blockUntilAChildRan(c, childOfC, over);
      Await.until("a's worker blocks", () -> a.stats().blockedWorkers() == 1, a::stats);
      Await.until("c's worker blocks", () -> c.stats().blockedWorkers() == 1, c::stats);
      assertEquals(2, childOfA.getCount() + childOfC.getCount(), "no thread is left for them");
      b.close();
      Await.latch("both sections", over, () -> a.stats() + " " + c.stats() + " " + budget);
    }
    assertEquals(0, budget.inUse());
  }

  /** A pool that grows beyond what the budget has left gets the rest later. */
  @Test
  void aPoolThatGrowsGetsThreadsWhenTheyComeBack() {
    ThreadBudget budget = ThreadBudget.of(4);
    try (var a = pool("a", 1, budget).build()) {
      var b = pool("b", 2, budget).build();
      a.setParallelism(3);
      assertEquals(2, a.stats().threads());
      assertEquals(0, a.stats().budgetFree());
      b.close();
      Await.until("a has its three", () -> a.stats().threads() == 3, a::stats);
      Quiescence.await(a);
    }
  }

  /** A pool that is closed while it waits for a thread is not called any more (G6). */
  @Test
  void aPoolThatEndsWhileItWaitsIsForgotten() {
    ThreadBudget budget = ThreadBudget.of(3);
    AtomicInteger reports = new AtomicInteger();
    try (var b = pool("b", 1, budget).build()) {
      CountDownLatch endOfB = holdTheLastThread(b);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      var a =
          pool("a", 1, budget)
              .uncaughtExceptionHandler((thread, thrown) -> reports.incrementAndGet())
              .build();
      a.execute(
          () ->
              block(
                  a,
                  () -> {
                    begun.countDown();
                    Await.quietly(release);
                  }));
      Await.latch("a's worker blocks, and no spare can be had", begun, a::stats);
      release.countDown();
      a.close();
      endOfB.countDown();
      Await.until("b's spare retires", () -> budget.inUse() == 1, () -> b.stats() + " " + budget);
    }
    assertEquals(0, reports.get(), "nobody tried to start a thread for the closed pool");
  }

  @Test
  void aBudgetThatDoesNotSufficeMakesBuildFailAndStaysAsItWas() {
    assertNames("0", () -> ThreadBudget.of(0));
    ThreadBudget budget = ThreadBudget.of(4);
    assertNames("4: 5", () -> pool("big", 5, budget).build());
    try (var a = pool("a", 3, budget).build()) {
      var e = assertThrows(IllegalStateException.class, () -> pool("late", 2, budget).build());
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("late needs 2") && message.contains("3 of 4"), message);
      assertEquals(3, budget.inUse());
      try (var small = pool("small", 1, budget).build()) {
        assertEquals(4, budget.inUse(), () -> small + " takes the last");
      }
      Await.until("all given back", () -> budget.inUse() == 3, a::stats);
    }
  }

  /** Where each worker has a pool of its own: those before the one that is refused end again. */
  @Test
  void aBudgetThatDoesNotSufficeForAThreadPerCoreLeavesNoThread() {
    ThreadBudget budget = ThreadBudget.of(4);
    try (var a = pool("a", 2, budget).build()) {
      var e =
          assertThrows(
              IllegalStateException.class,
              () -> pool("cores", 3, budget).flavor(Flavor.THREAD_PER_CORE).build());
      assertTrue(String.valueOf(e.getMessage()).contains("4 of 4"), e::getMessage);
      Await.until("all given back", () -> budget.inUse() == 2, a::stats);
    }
    try (var cores = pool("cores", 3, budget).flavor(Flavor.THREAD_PER_CORE).build()) {
      assertEquals(3, budget.inUse(), cores::toString);
    }
    assertEquals(0, budget.inUse());
  }

  /** F8: a thread that cannot be started goes back, also when it is a spare. */
  @Test
  void threadsThatCannotBeStartedAreGivenBack() throws Exception {
    ThreadBudget budget = ThreadBudget.of(4);
    WorkerThreadFactory real = WorkerThreadFactory.platform(true);
    for (int failing = 0; failing < 3; failing++) {
      int index = failing;
      assertThrows(
          IllegalStateException.class,
          () ->
              pool("luckless", 3, budget)
                  .workerThreadFactory(body -> unlessIndex(index, body, real))
                  .build());
      Await.until("all given back", () -> budget.inUse() == 0, () -> budget);
    }
    AtomicInteger reports = new AtomicInteger();
    try (var a =
        pool("a", 1, budget)
            .uncaughtExceptionHandler((thread, thrown) -> reports.incrementAndGet())
            .workerThreadFactory(body -> unlessIndex(1, body, real))
            .build()) {
      Future<Integer> threads =
          a.submit(
              () -> {
                a.execute(() -> {}); // or nobody needs a spare
                return a.blocking(budget::inUse);
              });
      assertEquals(1, threads.get(), "the spare that could not be started uses none");
      assertEquals(1, reports.get());
    }
  }

  private static Thread unlessIndex(
      int index, dev.catnap.spi.WorkerBody body, WorkerThreadFactory real) {
    if (body.index() == index) {
      throw new OutOfMemoryError("unable to create native thread (from the test)");
    }
    return real.newThread(body);
  }

  private static void assertNames(String value, Runnable call) {
    var e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(String.valueOf(e.getMessage()).contains(value), e::getMessage);
  }

  /** Without a sentinel, so that threads come for what is told here, and for nothing else. */
  private static WorkStealingScheduler.Builder pool(
      String name, int parallelism, ThreadBudget budget) {
    return WorkStealingScheduler.builder()
        .name(name)
        .parallelism(parallelism)
        .keepAlive(Duration.ZERO)
        .tuning(SchedulerTuning.production().withSentinel(0, 0))
        .threadBudget(budget);
  }

  /** When it returns, the spare of a section has the last thread of the budget, until the latch. */
  private static CountDownLatch holdTheLastThread(WorkStealingScheduler pool) {
    CountDownLatch spareRuns = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    pool.execute(() -> block(pool, () -> Await.quietly(end)));
    Await.until("the section", () -> pool.stats().blockedWorkers() == 1, pool::stats);
    pool.execute(spareRuns::countDown);
    Await.latch("the spare runs a task", spareRuns, pool::stats);
    return end;
  }

  private static void blockUntilAChildRan(
      WorkStealingScheduler pool, CountDownLatch child, CountDownLatch over) {
    pool.execute(
        () -> {
          pool.execute(child::countDown);
          block(pool, () -> Await.quietly(child));
          over.countDown();
        });
  }

  private static void block(WorkStealingScheduler pool, Runnable section) {
    try {
      pool.blocking(
          () -> {
            section.run();
            return 0;
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
