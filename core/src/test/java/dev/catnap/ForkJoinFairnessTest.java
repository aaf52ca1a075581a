package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G5 with forks: what is forked over and over again does not starve the rest. */
@ExtendWith(NoThreadLeft.class)
class ForkJoinFairnessTest {

  private static WorkStealingScheduler single() {
    return WorkStealingScheduler.builder().parallelism(1).maxThreads(1).build();
  }

  @Test
  void anOrdinaryTaskIsNotStarvedByForksThatNeverEnd() {
    try (var scheduler = single()) {
      CountDownLatch over = new CountDownLatch(1);
      AtomicInteger between = new AtomicInteger();
      scheduler.execute(
          () -> {
            AtomicBoolean ran = new AtomicBoolean();
            scheduler.<Integer>scope(
                scope -> {
                  scheduler.execute(() -> ran.set(true)); // into the worker's own queue
                  forkUntil(scope, ran, between);
                  return 0;
                });
            over.countDown();
          });
      Await.latch("the scope", over, scheduler::stats);
      assertTrue(between.get() <= 62, () -> "forks before the task: " + between);
    }
  }

  @Test
  void anInjectedTaskIsNotStarvedByForksThatNeverEnd() {
    try (var scheduler = single()) {
      CountDownLatch over = new CountDownLatch(1);
      AtomicBoolean ran = new AtomicBoolean();
      CountDownLatch forks = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            scheduler.<Integer>scope(
                scope -> {
                  scope.fork(
                      () -> {
                        forks.countDown();
                        forkUntil(scope, ran, new AtomicInteger());
                      });
                  return 0;
                });
            over.countDown();
          });
      Await.latch("it forks", forks, scheduler::stats);
      scheduler.execute(() -> ran.set(true));
      Await.latch("the scope", over, scheduler::stats);
    }
  }

  private static void forkUntil(ForkScope scope, AtomicBoolean ran, AtomicInteger forks) {
    if (!ran.get()) {
      forks.incrementAndGet();
      scope.fork(() -> forkUntil(scope, ran, forks));
    }
  }
}
