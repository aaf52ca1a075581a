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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * G5, F19: no queue starves another. One worker, whose time stands still, so that every order is
 * determined.
 */
@ExtendWith(NoThreadLeft.class)
class FairnessTest {
  private final SchedulerTuning tuning = SchedulerTuning.production();
  private final CountingParker parker = new CountingParker();
  private final ManualClock clock = new ManualClock();

  /** Twenty times what makes a task one that takes long. */
  private static final Duration LONG = Duration.ofMillis(2);

  /** A scheduler with one worker, whose queues the first task arranges. */
  private static final class Arranged implements AutoCloseable {
    final WorkStealingScheduler scheduler;

    final CountDownLatch done = new CountDownLatch(1);

    Arranged(ManualClock clock) {
      SchedulerTuning tuning = SchedulerTuning.production().withClock(clock);
      scheduler = TestPools.withoutSpares(1).tuning(tuning).build();
    }

    /** Runs {@code arrange} as the first task, so everything it publishes is local. */
    void run(Runnable arrange) {
      scheduler.execute(arrange);
      Await.latch("the end of the test's tasks", done, scheduler::stats);
    }

    void publish(Runnable task, Placement placement) {
      assertTrue(scheduler.adapter().publish(task, placement));
    }

    @Override
    public void close() {
      scheduler.close();
      assertEquals(0, scheduler.stats().uncaughtExceptions());
    }
  }

  @Test
  void aFullLocalQueueLetsAnInjectedTaskInWithinTheInterval() throws Exception {
    try (Arranged arranged = new Arranged(clock)) {
      AtomicInteger before = new AtomicInteger();
      AtomicBoolean injectedRan = new AtomicBoolean();
      arranged.run(
          () -> {
            executeFromOutside(
                arranged,
                () -> {
                  injectedRan.set(true);
                  arranged.done.countDown();
                });
            Runnable endless =
                new Runnable() {
                  @Override
                  public void run() {
                    if (!injectedRan.get()) {
                      before.incrementAndGet();
                      arranged.publish(this, Placement.QUEUED);
                    }
                  }
                };
            arranged.publish(endless, Placement.QUEUED);
          });
      assertTrue(
          before.get() <= tuning.injectorInterval(),
          () -> before + " local tasks before the injected one");
    }
  }

  /**
   * A bound in tasks is one in time. With one injected task in 61 of a millisecond each, two
   * thousand would take two minutes.
   */
  @Test
  void injectedTasksHaveAsMuchTimeAsLongTasksOfTheWorker() {
    try (Arranged arranged = new Arranged(clock)) {
      int n = 2_000;
      AtomicInteger injected = new AtomicInteger();
      AtomicInteger longTasks = new AtomicInteger();
      Runnable shortTask =
          () -> {
            clock.advance(Duration.ofNanos(10_000));
            injected.incrementAndGet();
          };
      Runnable longTask =
          new Runnable() {
            @Override
            public void run() {
              if (injected.get() == n) {
                arranged.done.countDown();
                return;
              }
              clock.advance(Duration.ofMillis(1));
              longTasks.incrementAndGet();
              arranged.publish(this, Placement.QUEUED);
            }
          };
      arranged.run(
          () -> {
            fromOutside(
                () -> {
                  for (int i = 0; i < n; i++) {
                    arranged.scheduler.execute(shortTask);
                  }
                });
            for (int i = 0; i < 4; i++) {
              arranged.publish(longTask, Placement.QUEUED);
            }
          });
      // Those before the first look, and two before each turn. Not one for each of the others.
      assertTrue(
          longTasks.get() <= 2 * tuning.injectorInterval(),
          () -> longTasks + " long tasks beside " + n + " injected ones");
    }
  }

  @Test
  void anEndlessPingPongInTheSlotLetsTheQueueInWithinTheBudget() {
    try (Arranged arranged = new Arranged(clock)) {
      AtomicInteger before = new AtomicInteger();
      AtomicBoolean queuedRan = new AtomicBoolean();
      arranged.run(
          () -> {
            arranged.publish(
                () -> {
                  queuedRan.set(true);
                  arranged.done.countDown();
                },
                Placement.QUEUED);
            Runnable pingPong =
                new Runnable() {
                  @Override
                  public void run() {
                    if (!queuedRan.get()) {
                      before.incrementAndGet();
                      arranged.publish(this, Placement.NEXT);
                    }
                  }
                };
            arranged.publish(pingPong, Placement.NEXT);
          });
      assertTrue(
          before.get() <= tuning.lifoBudget(), () -> before + " slot tasks before the queued one");
    }
  }

  @Test
  void aYieldGoesBehindAllThatWasQueuedInjectedTasksIncluded() {
    try (Arranged arranged = new Arranged(clock)) {
      List<String> order = new CopyOnWriteArrayList<>();
      arranged.run(
          () -> {
            executeFromOutside(arranged, () -> order.add("injected"));
            arranged.publish(() -> order.add("queued"), Placement.QUEUED);
            arranged.publish(() -> order.add("next"), Placement.NEXT);
            arranged.publish(
                () -> {
                  order.add("yielded");
                  arranged.done.countDown();
                },
                Placement.YIELDED);
          });
      assertEquals(List.of("next", "queued", "injected", "yielded"), order);
    }
  }

  @Test
  void aYieldLetsABatchOfInjectedTasksPassInTheirOrder() {
    try (Arranged arranged = new Arranged(clock)) {
      List<Integer> order = new CopyOnWriteArrayList<>();
      int n = 100;
      int yielded = -1;
      arranged.run(
          () -> {
            fromOutside(
                () -> {
                  for (int i = 0; i < n; i++) {
                    int id = i;
                    arranged.scheduler.execute(() -> order.add(id));
                  }
                  arranged.scheduler.execute(arranged.done::countDown);
                });
            arranged.publish(() -> order.add(yielded), Placement.YIELDED);
          });
      // A batch of 60, and then it is time for the look at the injector that comes with the
      // interval.
      assertEquals(tuning.injectorInterval(), order.indexOf(yielded));
      order.removeIf(id -> id == yielded);
      assertInOrder(n, order);
    }
  }

  /** The next look at the injector would come after two tasks: one of its own was long. */
  @Test
  void whatAYieldMovesBehindOthersIsNotOvertaken() {
    try (Arranged arranged = new Arranged(clock)) {
      List<String> order = new CopyOnWriteArrayList<>();
      Runnable yields =
          () -> {
            clock.advance(LONG);
            for (int i = 0; i < 20; i++) {
              arranged.publish(
                  () -> {
                    if (order.add("own") && order.size() == 1) {
                      executeFromOutside(arranged, () -> order.add("later"));
                    }
                  },
                  Placement.QUEUED);
            }
            executeFromOutside(arranged, () -> order.add("earlier"));
            arranged.publish(() -> {}, Placement.YIELDED);
            arranged.scheduler.background().execute(arranged.done::countDown);
          };
      // Not the first task after a search: how long its tasks take is measured from then on.
      arranged.run(() -> arranged.publish(yields, Placement.QUEUED));
      order.removeIf("own"::equals);
      assertEquals(List.of("earlier", "later"), order);
    }
  }

  /** They come from outside, and must not keep each other there. */
  @Test
  void tasksThatYieldHaveTheirTurnsBesideAQueueThatNeverRunsDry() {
    try (Arranged arranged = new Arranged(clock)) {
      int each = 8;
      int enough = 10_000;
      AtomicInteger queued = new AtomicInteger();
      AtomicInteger yielded = new AtomicInteger();
      arranged.run(
          () -> {
            fromOutside(
                () -> {
                  for (int i = 0; i < each; i++) {
                    arranged.scheduler.execute(
                        new Again(arranged, Placement.YIELDED, yielded, queued, enough));
                  }
                });
            for (int i = 0; i < each; i++) {
              arranged.publish(
                  new Again(arranged, Placement.QUEUED, queued, queued, enough), Placement.QUEUED);
            }
          });
      // All take turns as soon as the first has let the others in: half of that is for the begin.
      assertTrue(yielded.get() >= enough / 2, () -> yielded + " turns beside " + queued);
    }
  }

  /** Publishes itself again until a counter has reached its end. */
  private record Again(
      Arranged arranged, Placement placement, AtomicInteger own, AtomicInteger counter, int end)
      implements Runnable {
    @Override
    public void run() {
      own.incrementAndGet();
      if (counter.get() < end) {
        arranged.publish(this, placement);
      } else {
        arranged.done.countDown();
      }
    }
  }

  /** G1: a yield behind others is a publish like any, and no sentinel comes to its help. */
  @Test
  void aYieldBehindOthersIsPublished() throws Exception {
    assertPublishedBehindOthers(Placement.YIELDED);
  }

  /** G1: the same. */
  @Test
  void aResumedTaskBehindOthersIsPublished() throws Exception {
    assertPublishedBehindOthers(Placement.RESUMED);
  }

  private void assertPublishedBehindOthers(Placement placement) throws Exception {
    try (var scheduler = twoWorkersAndALateSentinel()) {
      CountDownLatch ran = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      Runnable publishes =
          () -> {
            awaitParked(1, scheduler);
            // In its way, and for the sentinel to see to: the sleeper neither wakes nor takes it.
            scheduler.adapter().publish(() -> {}, Placement.REQUEUED);
            scheduler.adapter().publish(ran::countDown, placement);
            Await.latch("the other worker runs it", ran, scheduler::stats);
            done.countDown();
          };
      scheduler.execute(publishes);
      Await.latch("the end of the task that publishes", done, scheduler::stats);
    }
  }

  /**
   * Two that hand a yield to and fro move one task from cache to cache, for nothing; however long
   * the task took that ends with this.
   */
  @ParameterizedTest
  @EnumSource(names = {"REQUEUED", "YIELDED"})
  void aTaskThatIsPutBackAtItsEndWakesNobody(Placement placement) throws Exception {
    try (var scheduler = twoWorkersAndALateSentinel()) {
      assertEquals(0, wakesOfOneAlone(scheduler, placement, LONG));
    }
  }

  /** Whoever resumes another is mostly about to wait, on the core with the data in its cache. */
  @Test
  void aResumedTaskAloneWakesNobody() throws Exception {
    try (var scheduler = twoWorkersAndALateSentinel()) {
      assertEquals(0, wakesOfOneAlone(scheduler, Placement.RESUMED, Duration.ZERO));
    }
  }

  /** Of a task that took so long, and publishes one when nothing is queued beside a sleeper. */
  private long wakesOfOneAlone(
      WorkStealingScheduler scheduler, Placement placement, Duration length) throws Exception {
    CountDownLatch submitted = new CountDownLatch(1);
    Future<Long> wakes =
        scheduler.submit(
            () -> {
              // Its wake is counted after it was made.
              Await.latch("the submission is over", submitted, scheduler::stats);
              awaitParked(1, scheduler);
              clock.advance(length);
              long before = scheduler.stats().wakes();
              scheduler.adapter().publish(() -> {}, placement);
              return scheduler.stats().wakes() - before;
            });
    submitted.countDown();
    return wakes.get(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  /** G9: a worker in a declared section does not come back soon, and says so. */
  @Test
  void aTaskResumedInADeclaredSectionIsPublished() throws Exception {
    try (var scheduler = twoWorkersAndALateSentinel()) {
      CountDownLatch ran = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      Runnable resumes =
          () -> {
            scheduler.adapter().publish(ran::countDown, Placement.RESUMED);
            Await.latch("another worker runs it", ran, scheduler::stats);
            done.countDown();
          };
      Runnable blocks =
          () -> {
            awaitParked(1, scheduler);
            try {
              scheduler.blocking(Executors.callable(resumes));
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          };
      // Calls the sentinel: from then on nobody takes from the slots of others.
      scheduler.execute(() -> scheduler.adapter().publish(blocks, Placement.REQUEUED));
      Await.latch("the end of the section", done, scheduler::stats);
    }
  }

  /**
   * Off duty; its first look at a slot exposes nothing, and its second comes too late for any test.
   * It has been started: who does that wakes it once more, and it might look twice.
   */
  private WorkStealingScheduler twoWorkersAndALateSentinel() {
    long never = TestPools.NEVER_NANOS;
    var scheduler =
        TestPools.withTheSentinel(2)
            .tuning(
                tuning
                    .withSentinel(never, never)
                    .withParker(parker)
                    .withClock(clock)
                    .withProcessors(2)) // nobody is on standby
            .build();
    scheduler.execute(() -> scheduler.adapter().publish(() -> {}, Placement.REQUEUED));
    Await.until("it has looked", () -> scheduler.stats().sentinelRounds() > 0, scheduler::stats);
    awaitParked(2, scheduler);
    assertEquals(Duration.ofNanos(never), clock.awaitParked("-sentinel"));
    clock.advance(Duration.ofNanos(never)); // it has nothing to do, and leaves
    return scheduler;
  }

  /**
   * In this order: one that was claimed is not counted as asleep any more, but may take its time to
   * leave its park, and would then find what is published here; one that is counted and parked has
   * its FinalCheck behind it.
   */
  private void awaitParked(int workers, WorkStealingScheduler scheduler) {
    Await.until(
        "others sleep",
        () -> scheduler.stats().parkedWorkers() == workers && parker.parkedNow() == workers,
        scheduler::stats);
  }

  @Test
  void aResumedTaskGoesBehindAllThatIsHere() {
    try (Arranged arranged = new Arranged(clock)) {
      List<String> order = new CopyOnWriteArrayList<>();
      arranged.run(
          () -> {
            arranged.publish(() -> order.add("queued"), Placement.QUEUED);
            arranged.publish(
                () -> {
                  order.add("resumed behind the queue");
                  arranged.publish(() -> order.add("next"), Placement.NEXT);
                  arranged.publish(
                      () -> {
                        order.add("resumed behind the slot");
                        arranged.done.countDown();
                      },
                      Placement.RESUMED);
                },
                Placement.RESUMED);
          });
      assertEquals(
          List.of("queued", "resumed behind the queue", "next", "resumed behind the slot"), order);
    }
  }

  /** Also when it is the queue's turn, after a series from the slot. */
  @Test
  void whatIsQueuedAfterAResumedTaskComesAfterIt() {
    try (Arranged arranged = new Arranged(clock)) {
      List<String> order = new CopyOnWriteArrayList<>();
      arranged.run(() -> resumeAfterASeries(arranged, tuning.lifoBudget(), order));
      assertEquals(List.of("resumed", "queued", "resumed later"), order);
    }
  }

  private static void resumeAfterASeries(Arranged arranged, int series, List<String> order) {
    if (series > 0) {
      arranged.publish(() -> resumeAfterASeries(arranged, series - 1, order), Placement.NEXT);
      return;
    }
    arranged.publish(() -> order.add("resumed"), Placement.RESUMED);
    arranged.publish(() -> order.add("queued"), Placement.QUEUED);
    arranged.publish(
        () -> {
          order.add("resumed later");
          arranged.done.countDown();
        },
        Placement.RESUMED);
  }

  @Test
  void tasksOfOneWorkerRunInTheOrderInWhichTheyWereSubmitted() {
    try (Arranged arranged = new Arranged(clock)) {
      List<Integer> order = new CopyOnWriteArrayList<>();
      int n = tuning.dequeCapacity() / 2;
      arranged.run(
          () -> {
            for (int i = 0; i < n; i++) {
              int id = i;
              arranged.scheduler.execute(() -> order.add(id));
            }
            arranged.scheduler.execute(arranged.done::countDown);
          });
      assertInOrder(n, order);
    }
  }

  @Test
  void injectedTasksRunInTheOrderInWhichTheyWereSubmitted() {
    try (Arranged arranged = new Arranged(clock)) {
      List<Integer> order = new CopyOnWriteArrayList<>();
      CountDownLatch hold = new CountDownLatch(1);
      arranged.scheduler.execute(() -> Await.quietly(hold));
      int n = 1_000; // several segments and batches
      for (int i = 0; i < n; i++) {
        int id = i;
        arranged.scheduler.execute(() -> order.add(id));
      }
      arranged.scheduler.execute(arranged.done::countDown);
      hold.countDown();
      Await.latch("all", arranged.done, arranged.scheduler::stats);
      assertInOrder(n, order);
    }
  }

  private static void executeFromOutside(Arranged arranged, Runnable task) {
    fromOutside(() -> arranged.scheduler.execute(task));
  }

  private static void fromOutside(Runnable action) {
    Thread outsider = new Thread(action);
    outsider.start();
    try {
      outsider.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertInOrder(int n, List<Integer> order) {
    assertEquals(n, order.size());
    for (int i = 0; i < n; i++) {
      assertEquals(i, order.get(i));
    }
  }
}
