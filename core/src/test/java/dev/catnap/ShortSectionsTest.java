package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.blocking.SectionForecast;
import dev.catnap.internal.sentinel.Watched;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G9: a worker whose sections have all been short keeps its right to run, unless one lasts. */
@ExtendWith(NoThreadLeft.class)
class ShortSectionsTest {
  /** So long that the sentinel does nothing while a test waits. */
  private static final long NEVER = TimeUnit.MINUTES.toNanos(1);

  @Test
  void aWorkerWhoseSectionsAreShortKeepsItsRight() throws Exception {
    try (var scheduler = pool(1, SchedulerTuning.production().withSentinel(NEVER, NEVER))) {
      Future<?> kept = scheduler.submit(() -> awaitRightIsKept(scheduler));
      kept.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** The latch makes its thread wait; the loop is what a read from a socket is to the JVM. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneThatLastsAfterManyShortOnesIsReplaced(boolean runs) {
    try (var scheduler = pool(1, SchedulerTuning.production())) {
      for (int round = 0; round < 10; round++) {
        CountDownLatch ran = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              awaitRightIsKept(scheduler);
              scheduler.execute(ran::countDown);
              Sections.block(scheduler, () -> await(ran, runs, scheduler));
              over.countDown();
            });
        Await.latch("the section that waits for a task of its worker", over, scheduler::stats);
        Quiescence.await(scheduler);
        assertEquals(0, scheduler.stats().relievedWorkers());
      }
    }
  }

  private static void await(CountDownLatch ran, boolean runs, WorkStealingScheduler scheduler) {
    if (!runs) {
      Await.latch("a task of the blocked worker", ran, scheduler::stats);
      return;
    }
    spinUntil(ran);
  }

  @Test
  void afterOneThatLastedTheNextLeavesItsRightAtOnce() throws Exception {
    try (var scheduler = pool(1, SchedulerTuning.production().withSentinel(NEVER, NEVER))) {
      Future<Boolean> kept =
          scheduler.submit(
              () -> {
                awaitRightIsKept(scheduler);
                Sections.block(scheduler, () -> spin(2 * SectionForecast.SHORT_NANOS));
                return keepsRightInASection(scheduler);
              });
      assertFalse(kept.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
  }

  /** Else it would look again only after its slow tick, which is an hour here, so to speak. */
  @Test
  void oneThatKeepsItsRightHurriesTheSentinel() {
    SchedulerTuning production = SchedulerTuning.production();
    CountingParker parker = new CountingParker();
    SchedulerTuning tuning =
        production.withSentinel(production.slotTickNanos(), NEVER).withParker(parker);
    try (var scheduler = pool(1, tuning)) {
      Quiescence.await(scheduler);
      // If the worker ran before the publish is over, that would call the sentinel, for nothing;
      // and it would linger as long as it rests.
      parker.hold();
      CountDownLatch ran = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            awaitRightIsKept(scheduler);
            scheduler.execute(ran::countDown);
            Await.until(
                "everybody runs, and it rests",
                () -> scheduler.stats().sentinelRounds() > 0,
                scheduler::stats);
            awaitRightIsKept(scheduler);
            Sections.block(scheduler, () -> await(ran, false, scheduler));
            over.countDown();
          });
      parker.letAllGo();
      Await.latch("the section that waits for a task of its worker", over, scheduler::stats);
    }
  }

  /**
   * The sentinel tells them. They forget it after some time, so a round in which a thread was late
   * proves nothing.
   */
  @Test
  void whileOneLastsOtherWorkersLeaveTheirRights() throws Exception {
    try (var scheduler = pool(2, SchedulerTuning.production())) {
      long soon = 10 * SchedulerTuning.production().slotTickNanos();
      boolean proven = false;
      for (int round = 0; round < 1_000 && !proven; round++) {
        proven = otherLeavesItsRight(scheduler, soon);
        Quiescence.await(scheduler);
      }
      assertTrue(proven, "no round in time");
    }
  }

  private static boolean otherLeavesItsRight(WorkStealingScheduler scheduler, long soon)
      throws Exception {
    CountDownLatch firstIsSure = new CountDownLatch(1);
    CountDownLatch secondIsSure = new CountDownLatch(1);
    CountDownLatch replaced = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicLong sectionBegan = new AtomicLong();
    scheduler.execute(
        () -> {
          awaitRightIsKept(scheduler);
          firstIsSure.countDown();
          spinUntil(secondIsSure);
          scheduler.execute(replaced::countDown);
          sectionBegan.set(System.nanoTime());
          Sections.block(scheduler, () -> Await.quietly(goOn));
        });
    Future<Boolean> inTime =
        scheduler.submit(
            () -> {
              spinUntil(firstIsSure);
              awaitRightIsKept(scheduler);
              secondIsSure.countDown();
              spinUntil(replaced);
              boolean kept = keepsRightInASection(scheduler);
              boolean late = System.nanoTime() - sectionBegan.get() > soon;
              assertTrue(late || !kept, "it keeps its right while another's section lasts");
              return !late;
            });
    try {
      return inTime.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    } finally {
      goOn.countDown();
    }
  }

  /** G8: what it waits for inside may be in the queue of its own pool. */
  @Test
  void aJoinInsideAShortSectionIsReplacedAtOnce() throws Exception {
    try (var scheduler = pool(1, SchedulerTuning.production().withSentinel(NEVER, NEVER));
        var other = WorkStealingScheduler.builder().parallelism(1).build()) {
      Future<Integer> sum =
          scheduler.submit(
              () -> {
                awaitRightIsKept(scheduler);
                var both =
                    scheduler.blocking(
                        () -> other.join(() -> scheduler.submit(() -> 1).get(), () -> 2));
                return both.left() + both.right();
              });
      assertEquals(3, sum.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      Quiescence.await(scheduler);
      assertEquals(0, scheduler.stats().blockedWorkers());
    }
  }

  /**
   * Not after the first row: on a busy machine a section is interrupted now and then, and lasts.
   */
  private static void awaitRightIsKept(WorkStealingScheduler scheduler) {
    Await.until(
        "a worker in a section keeps its right",
        () -> keepsRightInASection(scheduler),
        scheduler::stats);
  }

  private static boolean keepsRightInASection(WorkStealingScheduler scheduler) {
    Watched self = (Watched) ((WorkerThread) Thread.currentThread()).worker();
    boolean[] kept = new boolean[1];
    Sections.block(scheduler, () -> kept[0] = self.keepsRight());
    return kept[0];
  }

  private static void spinUntil(CountDownLatch latch) {
    long since = System.nanoTime();
    while (latch.getCount() != 0 && System.nanoTime() - since < NEVER) {
      Thread.onSpinWait();
    }
  }

  private static void spin(long nanos) {
    long since = System.nanoTime();
    while (System.nanoTime() - since <= nanos) {
      Thread.onSpinWait();
    }
  }

  private static WorkStealingScheduler pool(int parallelism, SchedulerTuning tuning) {
    return WorkStealingScheduler.builder().parallelism(parallelism).tuning(tuning).build();
  }
}
