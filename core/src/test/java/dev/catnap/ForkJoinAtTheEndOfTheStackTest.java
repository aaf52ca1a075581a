package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.stack.Headroom;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker that waits for a stolen branch where its stack has no room to run other tasks on. */
@ExtendWith(NoThreadLeft.class)
class ForkJoinAtTheEndOfTheStackTest {
  private final CountingParker parker = new CountingParker();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicReference<Thread> waiting = new AtomicReference<>();

  /** Where the last join was accepted that was to be at the end. */
  private volatile boolean hasHeadroom;

  private WorkStealingScheduler scheduler(int maxThreads) {
    return WorkStealingScheduler.builder()
        .name("deep")
        .parallelism(2)
        .maxThreads(maxThreads)
        .tuning(SchedulerTuning.production().withParker(parker))
        .build();
  }

  /**
   * Where there is no room for the protocol any more, nor for the loader of classes or the linker
   * of lambdas: what the body needs is to be there before. If it is refused there, one frame less
   * deep, and so on: where joins are hot, with recursions through them compiled into one, they ask
   * for more where they are entered, and throw before anything has begun.
   *
   * @return false: refused here as well
   */
  private boolean atTheEnd(Runnable join, CountDownLatch stolen) {
    boolean headroom = Headroom.isThere();
    if (headroom && atTheEnd(join, stolen)) {
      return true;
    }
    hasHeadroom = headroom;
    try {
      join.run();
      return true;
    } catch (StackOverflowError e) {
      if (stolen.getCount() == 0) {
        throw e;
      }
      return false;
    }
  }

  private static void spinUntilOpen(CountDownLatch latch) {
    while (latch.getCount() != 0) {
      Thread.onSpinWait();
    }
  }

  /** Joins there; the right branch has been stolen when the left one is over. */
  private void join(
      WorkStealingScheduler scheduler, boolean deep, CountDownLatch stolen, Runnable rest) {
    Runnable left = () -> spinUntilOpen(stolen);
    Runnable right =
        () -> {
          stolen.countDown();
          rest.run();
        };
    Runnable join = () -> scheduler.join(left, right);
    if (deep) {
      assertTrue(atTheEnd(join, stolen), "refused at any depth");
    } else {
      join.run();
    }
  }

  /** The right branch goes on until {@link #release}; returns when it has begun. */
  private Future<Boolean> waitAtTheEnd(WorkStealingScheduler scheduler) throws Exception {
    joinManyTimes(scheduler, 20);
    Future<Boolean> joined =
        scheduler.submit(
            () -> {
              waiting.set(Thread.currentThread());
              join(scheduler, true, begun, () -> Await.quietly(release));
              return Thread.interrupted();
            });
    Await.latch("the right branch", begun, scheduler::dump);
    return joined;
  }

  /** First where there is room for all that is to be there. */
  private void joinManyTimes(WorkStealingScheduler scheduler, int rounds) throws Exception {
    joinManyTimes(scheduler, false, 100);
    joinManyTimes(scheduler, true, rounds);
  }

  private void joinManyTimes(WorkStealingScheduler scheduler, boolean deep, int rounds)
      throws Exception {
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < rounds; i++) {
      int pause = 16 * (i % 64);
      CountDownLatch stolen = new CountDownLatch(1);
      Runnable rest =
          () -> {
            for (int spin = 0; spin < pause; spin++) {
              Thread.onSpinWait();
            }
            ran.incrementAndGet();
          };
      scheduler
          .submit(() -> join(scheduler, deep, stolen, rest))
          .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
    assertEquals(rounds, ran.get());
  }

  private static boolean isListedAsWaiting(WorkStealingScheduler scheduler) {
    return scheduler.dump().lines().anyMatch(l -> l.contains(": waiting, "));
  }

  /** As one does that has no headroom; if it was refused there, as any. */
  private void awaitParked(WorkStealingScheduler scheduler) {
    Await.until(
        "it parks",
        () ->
            waiting.get().getState() == Thread.State.WAITING
                && (hasHeadroom || isListedAsWaiting(scheduler)),
        scheduler::dump);
  }

  /** G4: it parks without a timeout, and the end of the branch wakes it. */
  @Test
  void itParksWithoutATimeout() throws Exception {
    try (var scheduler = scheduler(2)) {
      var joined = waitAtTheEnd(scheduler);
      awaitParked(scheduler);
      assertEquals(0, parker.timedParks());
      assertFalse(joined.isDone());
      release.countDown();
      assertFalse(joined.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      Quiescence.await(scheduler);
    }
  }

  /** F12: it is for the task, which sees it after its join. */
  @Test
  void anInterruptIsKeptForTheTask() throws Exception {
    try (var scheduler = scheduler(2)) {
      var joined = waitAtTheEnd(scheduler);
      awaitParked(scheduler);
      long parks = parker.parks();
      waiting.get().interrupt();
      Await.until("it parks again", () -> parker.parks() > parks, scheduler::dump);
      assertFalse(joined.isDone());
      release.countDown();
      assertTrue(joined.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
  }

  /** G9: it keeps its right, so a spare comes by way of the sentinel, as for any that blocks. */
  @Test
  void tasksRunBesideIt() throws Exception {
    try (var scheduler = scheduler(4)) {
      var joined = waitAtTheEnd(scheduler); // and the other worker blocks in the right branch
      awaitParked(scheduler);
      for (int i = 0; i < 100; i++) {
        int n = i;
        assertEquals(n, scheduler.submit(() -> n).get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      }
      release.countDown();
      assertFalse(joined.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
  }

  /** F2: the end of the branch at every distance from the park. */
  @Test
  void itIsNeverLeftParked() throws Exception {
    try (var scheduler = scheduler(2)) {
      joinManyTimes(scheduler, TestScale.of(300));
      Quiescence.await(scheduler);
    }
  }
}
