package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An interrupt of the caller is the caller's: it ends the run, is not lost, and costs no task. */
@SuppressWarnings("FutureReturnValueIgnored") // what tasks do is looked at
@ExtendWith(NoThreadLeft.class)
class CurrentThreadInterruptTest {

  private static <T> CompletableFuture<T> never() {
    return new CompletableFuture<>();
  }

  @Test
  void anInterruptWhileItWaitsEndsTheRun_atEveryDistanceFromFallingAsleep() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Thread caller = Thread.currentThread();
      AtomicInteger round = new AtomicInteger(-1);
      int n = TestScale.of(5_000);
      Thread interrupter =
          new Thread(
              () -> {
                for (int i = 0; i < n; i++) {
                  int now = i;
                  Await.until("round " + i, () -> round.get() == now, current::toString);
                  for (int spin = i % 500; spin > 0; spin--) {
                    Thread.onSpinWait();
                  }
                  caller.interrupt();
                }
              });
      interrupter.start();
      for (int i = 0; i < n; i++) {
        CompletableFuture<Integer> stage = never();
        round.set(i);
        assertThrows(InterruptedException.class, () -> current.runUntil(stage));
        assertFalse(Thread.interrupted(), "it was told by the exception");
      }
      interrupter.join();
      assertEquals(1, current.run(() -> 1), "goes on as if nothing had been");
    }
  }

  @Test
  void anInterruptThatATaskIgnoresEndsTheRun_andTheNextTaskDoesNotSeeIt() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      List<Boolean> seen = new ArrayList<>();
      CompletableFuture<Integer> stage = never();
      current.execute(() -> Thread.currentThread().interrupt());
      current.execute(() -> seen.add(Thread.currentThread().isInterrupted()));
      assertThrows(InterruptedException.class, () -> current.runUntil(stage));
      assertEquals(List.of(), seen, "what waits goes on waiting");
      current.execute(() -> stage.complete(1));
      assertEquals(1, current.runUntil(stage));
      assertEquals(List.of(false), seen);
    }
  }

  @Test
  void anInterruptReachesTheTaskThatBlocks_andIsThen_ofNobody() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Thread caller = Thread.currentThread();
      CountDownLatch blocks = new CountDownLatch(1);
      Thread interrupter =
          new Thread(
              () -> {
                Await.quietly(blocks);
                caller.interrupt();
              });
      interrupter.start();
      String result =
          current.run(
              () -> {
                blocks.countDown();
                try {
                  new CountDownLatch(1).await();
                  return "not interrupted";
                } catch (InterruptedException e) {
                  return "interrupted";
                }
              });
      assertEquals("interrupted", result);
      interrupter.join();
      assertFalse(Thread.interrupted());
    }
  }

  @Test
  void aMainThatWasInterruptedBeforeItBegan_neverRuns() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      AtomicInteger ran = new AtomicInteger();
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> current.run(ran::incrementAndGet));
      assertFalse(Thread.interrupted());
      assertEquals(1, current.run(() -> 1));
      assertEquals(0, ran.get());
    }
  }

  @Test
  void aRunThatIsOverLeavesTheInterruptToItsCaller() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Thread.currentThread().interrupt();
      assertEquals(1, current.runUntil(CompletableFuture.completedFuture(1)));
      assertTrue(Thread.interrupted());
      CompletableFuture<Integer> stage = never();
      current.execute(
          () -> {
            stage.complete(2);
            Thread.currentThread().interrupt();
          });
      assertEquals(2, current.runUntil(stage));
      assertTrue(Thread.interrupted());
    }
  }

  /** G6: it must not cost the others their run. */
  @Test
  void anInterruptThatATaskLeavesBehindDoesNotEndAClose() {
    var current = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 10; i++) {
      current.execute(
          () -> {
            assertFalse(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            ran.incrementAndGet();
          });
    }
    current.close();
    assertTrue(Thread.interrupted(), "kept for the caller");
    assertEquals(10, ran.get());
    assertTrue(current.scheduler().isTerminated());
  }

  @Test
  void anInterruptWhileACloseWaitsForATimerHandsThatBack() throws Exception {
    var current = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    var late = current.scheduler().schedule(ran::incrementAndGet, 1, TimeUnit.HOURS);
    Thread caller = Thread.currentThread();
    Thread interrupter =
        new Thread(
            () -> {
              Await.until(
                  "it waits",
                  () -> current.scheduler().stats().parkedWorkers() == 1,
                  current::toString);
              caller.interrupt();
            });
    interrupter.start();
    current.close();
    assertTrue(Thread.interrupted());
    interrupter.join();
    assertTrue(current.scheduler().isTerminated());
    assertFalse(late.isDone());
    assertEquals(0, ran.get());
  }

  /** F12: an interrupt for a run never hits what the thread does afterwards, and none spins. */
  @Test
  void shutdownNowInterruptsWhoRuns_andNobodyWhoHasLeft() throws Exception {
    int rounds = TestScale.of(2_000);
    for (int round = 0; round < rounds; round++) {
      var current = CurrentThreadScheduler.create();
      CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
      Thread stopper =
          new Thread(
              () -> {
                stage.complete(null);
                current.scheduler().shutdownNow();
              });
      stopper.start();
      boolean told = false;
      try {
        current.runUntil(stage);
        told = Thread.interrupted();
      } catch (InterruptedException
          | java.util.concurrent.CancellationException
          | java.util.concurrent.RejectedExecutionException e) {
        told = true;
        boolean ignored = Thread.interrupted();
      }
      stopper.join();
      assertFalse(Thread.interrupted(), "round " + round + ", " + told);
      current.close();
      assertTrue(current.scheduler().isTerminated());
    }
  }
}
