package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G6 of a scheduler on its caller's thread: it ends whoever runs it, and if nobody does. */
@SuppressWarnings("FutureReturnValueIgnored") // what tasks do is looked at
@ExtendWith(NoThreadLeft.class)
class CurrentThreadCloseTest {

  @Test
  void closeRunsOnItsCallerWhatIsLeft_delayedTasksToo_andRefusesNewOnes() {
    var current = WorkStealingScheduler.builder().name("gone").buildForCurrentThread();
    AtomicInteger ran = new AtomicInteger();
    Thread self = Thread.currentThread();
    current.execute(
        () -> {
          assertEquals(self, Thread.currentThread());
          ran.incrementAndGet();
          assertThrows(RejectedExecutionException.class, () -> current.execute(() -> {}));
          assertTrue(
              current
                  .scheduler()
                  .adapter()
                  .publishContinuation(ran::incrementAndGet, Placement.QUEUED));
        });
    current.scheduler().schedule(ran::incrementAndGet, 20, TimeUnit.MILLISECONDS);
    var periodic = current.scheduler().scheduleAtFixedRate(() -> {}, 0, 1, TimeUnit.MILLISECONDS);
    current.close();
    assertEquals(3, ran.get());
    assertTrue(periodic.isCancelled());
    assertTrue(current.scheduler().isTerminated());
    current.close();
    for (var attempt :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> current.execute(() -> {}),
            () -> current.run(() -> 1),
            () -> current.runUntil(CompletableFuture.completedFuture(1)),
            () -> current.scheduler().schedule(() -> 1, 1, TimeUnit.SECONDS))) {
      var e = assertThrows(RejectedExecutionException.class, attempt);
      assertTrue(String.valueOf(e.getMessage()).contains("gone"), e::toString);
    }
    assertEquals(0, current.scheduler().stats().threads());
    assertEquals(0, current.scheduler().stats().uncaughtExceptions());
  }

  /** F14: as an interrupted close, it hands back what is left. */
  @Test
  void anInterruptedRunThatIsToEndTheSchedulerRunsNothingMore() {
    var current = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    var later = current.scheduler().schedule(ran::incrementAndGet, 1, TimeUnit.HOURS);
    current.execute(
        () -> {
          current.execute(ran::incrementAndGet);
          current.close();
          Thread.currentThread().interrupt();
        });
    assertThrows(
        InterruptedException.class, () -> current.runUntil(new CompletableFuture<Integer>()));
    assertFalse(Thread.currentThread().isInterrupted(), "the exception has said it");
    assertEquals(0, ran.get());
    assertTrue(current.scheduler().isTerminated());
    assertFalse(later.isDone(), "handed back, to nobody");
  }

  @Test
  void anEmptySchedulerIsTerminatedByShutdownAlone_thatWithTasksByWhoRunsThem() throws Exception {
    var empty = CurrentThreadScheduler.create();
    empty.scheduler().shutdown();
    assertTrue(empty.scheduler().awaitTermination(1, TimeUnit.NANOSECONDS));

    var full = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    full.execute(ran::incrementAndGet);
    full.scheduler().shutdown();
    assertFalse(full.scheduler().isTerminated());
    assertEquals(0, ran.get(), "not on the thread that only shuts down");
    full.close();
    assertEquals(1, ran.get());
    assertTrue(full.scheduler().isTerminated());
  }

  @Test
  void theLastCancelledTimerEndsAClosedScheduler() {
    var current = CurrentThreadScheduler.create();
    var timer = current.scheduler().schedule(() -> {}, 1, TimeUnit.HOURS);
    current.scheduler().shutdown();
    assertFalse(current.scheduler().isTerminated());
    timer.cancel(false);
    assertTrue(current.scheduler().isTerminated());
  }

  @Test
  void shutdownNowHandsBackExactlyWhatDidNotRun_whenNobodyRuns() throws Exception {
    var current = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    current.run(
        () -> {
          current.execute(ran::incrementAndGet); // stays in the worker's own queue
          return 1;
        });
    Runnable task = ran::incrementAndGet;
    current.execute(task);
    var delayed = current.scheduler().schedule(() -> 1, 1, TimeUnit.HOURS);
    List<Runnable> left = current.scheduler().shutdownNow();
    assertEquals(3, left.size());
    assertTrue(left.contains(task) && left.contains(delayed));
    assertTrue(current.scheduler().isTerminated());
    current.close();
    assertEquals(0, ran.get());
  }

  /** The caller of such a close runs nothing: nobody could interrupt it at the deadline. */
  @Test
  void anEndWithinATimeHandsBackWhatNobodyRuns() {
    var current = CurrentThreadScheduler.create();
    Runnable task = () -> {};
    current.execute(task);
    var report = current.scheduler().close(Duration.ofMillis(1), Duration.ofMinutes(1));
    assertEquals(List.of(task), report.takenBack());
    assertEquals(ShutdownReport.Outcome.INTERRUPTED, report.outcome());
    assertTrue(current.scheduler().isTerminated());
    var empty = CurrentThreadScheduler.create();
    assertEquals(
        ShutdownReport.Outcome.DRAINED,
        empty.scheduler().close(Duration.ofMinutes(1), Duration.ZERO).outcome());
  }

  @Test
  void anEndWithinATimeWaitsForWhoRuns() throws Exception {
    var current = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<@Nullable Void> never = new CompletableFuture<>();
    current.execute(
        () -> {
          begun.countDown();
          Await.until("it closes", current.scheduler()::isShutdown, current::toString);
        });
    current.execute(ran::incrementAndGet);
    FutureTask<@Nullable Void> run = new FutureTask<>(() -> current.runUntil(never));
    Thread runner = new Thread(run);
    runner.start();
    Await.quietly(begun);
    var report =
        current.scheduler().close(Duration.ofSeconds(Await.DEADLINE_SECONDS), Duration.ZERO);
    assertEquals(ShutdownReport.Outcome.DRAINED, report.outcome());
    assertEquals(1, ran.get());
    runner.join();
  }

  @Test
  void aTaskMayCloseItsOwnScheduler_andItsRunDoesTheRest() throws Exception {
    var current = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    int result =
        current.run(
            () -> {
              current.execute(ran::incrementAndGet);
              current.scheduler().schedule(ran::incrementAndGet, 10, TimeUnit.MILLISECONDS);
              current.close(); // F20: does not wait for itself
              return ran.get();
            });
    assertEquals(0, result);
    assertEquals(2, ran.get());
    assertTrue(current.scheduler().isTerminated());
  }

  @Test
  void aTaskMayStopItsOwnScheduler_andLeavesNoInterrupt() throws Exception {
    var current = CurrentThreadScheduler.create();
    AtomicInteger ran = new AtomicInteger();
    List<Runnable> left =
        current.run(
            () -> {
              current.execute(ran::incrementAndGet);
              return current.scheduler().shutdownNow();
            });
    assertEquals(1, left.size());
    assertFalse(Thread.interrupted());
    assertTrue(current.scheduler().isTerminated());
    assertEquals(0, ran.get());
  }

  /** The stage can only be completed by somebody else now, or by nobody. */
  @Test
  void closeWhileAnotherThreadRuns_endsThatRunWhenNothingIsLeft() throws Exception {
    int rounds = TestScale.of(500);
    for (int round = 0; round < rounds; round++) {
      var current = CurrentThreadScheduler.create();
      CompletableFuture<Integer> never = new CompletableFuture<>();
      AtomicBoolean ran = new AtomicBoolean();
      CountDownLatch begun = new CountDownLatch(1);
      FutureTask<Integer> run =
          new FutureTask<>(
              () -> {
                begun.countDown();
                return current.runUntil(never);
              });
      Thread runner = new Thread(run);
      current.execute(() -> ran.set(true));
      runner.start();
      if (round % 2 == 0) {
        Await.quietly(begun);
      }
      current.close();
      assertTrue(ran.get());
      assertTrue(current.scheduler().isTerminated());
      Throwable end = assertThrows(ExecutionException.class, run::get).getCause();
      assertTrue(
          end instanceof CancellationException || end instanceof RejectedExecutionException,
          () -> String.valueOf(end));
      runner.join();
    }
  }

  /** F13: accepted is run. The submitters race with the close, and with the run before it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSubmitThatRacesWithCloseRunsOrIsRefused(boolean somebodyRuns) throws Exception {
    int rounds = TestScale.of(200);
    for (int round = 0; round < rounds; round++) {
      var current = CurrentThreadScheduler.create();
      AtomicInteger accepted = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
      FutureTask<@Nullable Void> run = new FutureTask<>(() -> current.runUntil(stage));
      Thread runner = new Thread(run);
      Thread submitter =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 100_000; i++) {
                    current.execute(ran::incrementAndGet);
                    accepted.incrementAndGet();
                  }
                } catch (RejectedExecutionException e) {
                  return; // closed: the expected end
                }
              });
      if (somebodyRuns) {
        runner.start();
      }
      submitter.start();
      int headStart = round % 50;
      Await.until("the race is on", () -> accepted.get() > headStart, current::toString);
      stage.complete(null);
      current.close();
      assertTrue(current.scheduler().isTerminated());
      submitter.join();
      if (somebodyRuns) {
        runner.join();
      }
      assertEquals(accepted.get(), ran.get(), "accepted and run");
    }
  }

  /** F14: whoever is the last sees to the end, however the leaving of a run and the end race. */
  @Test
  void shutdownNowThatRacesWithTheEndOfARun_terminates() throws Exception {
    int rounds = TestScale.of(3_000);
    for (int round = 0; round < rounds; round++) {
      var current = CurrentThreadScheduler.create();
      AtomicInteger accepted = new AtomicInteger(1);
      AtomicInteger ran = new AtomicInteger();
      CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
      FutureTask<@Nullable Void> run = new FutureTask<>(() -> current.runUntil(stage));
      Thread runner = new Thread(run);
      current.execute(
          () -> {
            if (current.scheduler().adapter().publish(ran::incrementAndGet, Placement.NEXT)) {
              accepted.incrementAndGet();
            }
            ran.incrementAndGet();
            stage.complete(null);
          });
      runner.start();
      for (int spin = (round % 100) * 50; spin > 0; spin--) {
        Thread.onSpinWait();
      }
      List<Runnable> left = current.scheduler().shutdownNow();
      runner.join();
      assertTrue(current.scheduler().isTerminated(), current::toString);
      assertEquals(accepted.get(), ran.get() + left.size(), () -> ran + " ran, left " + left);
    }
  }
}
