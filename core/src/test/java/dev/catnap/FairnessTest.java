package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
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

/** G5, F19: no queue starves another. One worker, so that every order is determined. */
@ExtendWith(NoThreadLeft.class)
class FairnessTest {
  private final SchedulerTuning tuning = SchedulerTuning.production();
  private final CountingParker parker = new CountingParker();

  /** A scheduler with one worker, whose queues the first task arranges. */
  private static final class Arranged implements AutoCloseable {
    final WorkStealingScheduler scheduler = TestPools.withoutSpares(1).build();

    final CountDownLatch done = new CountDownLatch(1);

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
    try (Arranged arranged = new Arranged()) {
      AtomicInteger before = new AtomicInteger();
      AtomicBoolean injectedRan = new AtomicBoolean();
      arranged.run(
          () -> {
            Thread outsider =
                new Thread(
                    () ->
                        arranged.scheduler.execute(
                            () -> {
                              injectedRan.set(true);
                              arranged.done.countDown();
                            }));
            outsider.start();
            join(outsider);
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

  @Test
  void anEndlessPingPongInTheSlotLetsTheQueueInWithinTheBudget() {
    try (Arranged arranged = new Arranged()) {
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
    try (Arranged arranged = new Arranged()) {
      List<String> order = new CopyOnWriteArrayList<>();
      arranged.run(
          () -> {
            Thread outsider =
                new Thread(() -> arranged.scheduler.execute(() -> order.add("injected")));
            outsider.start();
            join(outsider);
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
    try (Arranged arranged = new Arranged()) {
      List<Integer> order = new CopyOnWriteArrayList<>();
      int n = 100;
      int yielded = -1;
      arranged.run(
          () -> {
            Thread outsider =
                new Thread(
                    () -> {
                      for (int i = 0; i < n; i++) {
                        int id = i;
                        arranged.scheduler.execute(() -> order.add(id));
                      }
                      arranged.scheduler.execute(arranged.done::countDown);
                    });
            outsider.start();
            join(outsider);
            arranged.publish(() -> order.add(yielded), Placement.YIELDED);
          });
      // A batch of 60, and then it is time for the look at the injector that comes with the
      // interval.
      assertEquals(tuning.injectorInterval(), order.indexOf(yielded));
      order.removeIf(id -> id == yielded);
      assertInOrder(n, order);
    }
  }

  /** They come from outside, and must not keep each other there. */
  @Test
  void tasksThatYieldHaveTheirTurnsBesideAQueueThatNeverRunsDry() {
    try (Arranged arranged = new Arranged()) {
      int each = 8;
      int enough = 10_000;
      AtomicInteger queued = new AtomicInteger();
      AtomicInteger yielded = new AtomicInteger();
      arranged.run(
          () -> {
            Thread outsider =
                new Thread(
                    () -> {
                      for (int i = 0; i < each; i++) {
                        arranged.scheduler.execute(
                            new Again(arranged, Placement.YIELDED, yielded, queued, enough));
                      }
                    });
            outsider.start();
            join(outsider);
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
            scheduler.adapter().publish(() -> {}, Placement.NEXT); // in its way
            scheduler.adapter().publish(ran::countDown, placement);
            Await.latch("the other worker runs it", ran, scheduler::stats);
            done.countDown();
          };
      // A push into a slot calls the sentinel, and from then on nobody takes from the slots of
      // others.
      scheduler.execute(() -> scheduler.adapter().publish(publishes, Placement.NEXT));
      Await.latch("the end of the task that publishes", done, scheduler::stats);
    }
  }

  /** Two that hand a yield to and fro move one task from cache to cache, for nothing. */
  @Test
  void aYieldThatGivesWayToNobodyWakesNobody() throws Exception {
    assertEquals(0, wakesOfOneAlone(Placement.YIELDED));
  }

  /** Whoever resumes another is mostly about to wait, on the core with the data in its cache. */
  @Test
  void aResumedTaskAloneWakesNobody() throws Exception {
    assertEquals(0, wakesOfOneAlone(Placement.RESUMED));
  }

  private long wakesOfOneAlone(Placement placement) throws Exception {
    CountDownLatch submitted = new CountDownLatch(1);
    try (var scheduler = twoWorkersAndALateSentinel()) {
      Future<Long> wakes =
          scheduler.submit(
              () -> {
                // Its wake is counted after it was made.
                Await.latch("the submission is over", submitted, scheduler::stats);
                awaitParked(1, scheduler);
                long before = scheduler.stats().wakes();
                scheduler.adapter().publish(() -> {}, placement);
                return scheduler.stats().wakes() - before;
              });
      submitted.countDown();
      return wakes.get(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** G9: a worker in a declared section does not come back soon, and says so. */
  @Test
  void aTaskResumedInADeclaredSectionIsPublished() throws Exception {
    try (var scheduler = twoWorkersAndALateSentinel()) {
      CountDownLatch ran = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      Runnable resumes =
          () -> {
            awaitParked(2, scheduler); // the other worker, and the one that is here instead
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
      scheduler.execute(() -> scheduler.adapter().publish(blocks, Placement.NEXT));
      Await.latch("the end of the section", done, scheduler::stats);
    }
  }

  /** Whose first look at a slot exposes nothing, and whose second comes too late for any test. */
  private WorkStealingScheduler twoWorkersAndALateSentinel() {
    return TestPools.withDeclaredSparesOnly(2)
        .tuning(
            tuning.withSentinel(TestPools.NEVER_NANOS, TestPools.NEVER_NANOS).withParker(parker))
        .build();
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
    try (Arranged arranged = new Arranged()) {
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
    try (Arranged arranged = new Arranged()) {
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
    try (Arranged arranged = new Arranged()) {
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
    try (Arranged arranged = new Arranged()) {
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

  private static void join(Thread t) {
    try {
      t.join();
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
