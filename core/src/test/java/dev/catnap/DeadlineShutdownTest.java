package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.ShutdownReport.Outcome;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G6 within a time: refuse, drain, interrupt, report. */
@SuppressWarnings("FutureReturnValueIgnored") // latches and counts tell more
@ExtendWith(NoThreadLeft.class)
class DeadlineShutdownTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration LONG = Duration.ofSeconds(Await.DEADLINE_SECONDS);
  private static final Duration SHORT = Duration.ofMillis(20);

  private static WorkStealingScheduler pool(int parallelism) {
    return WorkStealingScheduler.builder().name("ending").parallelism(parallelism).build();
  }

  @Test
  void whatIsOverInTimeIsNotInterrupted() {
    for (Duration drain : List.of(LONG, FOREVER)) {
      var scheduler = pool(2);
      AtomicInteger ran = new AtomicInteger();
      for (int i = 0; i < 1_000; i++) {
        scheduler.execute(ran::incrementAndGet);
      }
      var soon = scheduler.schedule(ran::incrementAndGet, 20, TimeUnit.MILLISECONDS);
      ShutdownReport report = scheduler.close(drain, Duration.ZERO);
      assertEquals(Outcome.DRAINED, report.outcome());
      assertEquals(1_001, ran.get());
      assertTrue(soon.isDone());
      assertEquals(List.of(), report.takenBack());
      assertEquals(List.of(), report.running());
      assertEquals(Duration.ZERO, report.interruptTook());
      assertTrue(scheduler.isTerminated());
      assertTrue(report.toString().contains("ending drained"), report::toString);
    }
  }

  /** Nobody waits for a delayed task that comes too late: it is reported at once. */
  @Test
  void delayedTasksBeyondTheTimeToDrainAreTakenBackAndNotWaitedFor() {
    var scheduler = pool(1);
    var late = scheduler.schedule(() -> 1, 1, TimeUnit.DAYS);
    var periodic = scheduler.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.DAYS);
    AtomicInteger ran = new AtomicInteger();
    scheduler.schedule(ran::incrementAndGet, 10, TimeUnit.MILLISECONDS);
    ShutdownReport report = scheduler.close(LONG, LONG);
    assertEquals(Outcome.DRAINED, report.outcome());
    assertEquals(List.<Runnable>of((Runnable) late), report.takenBack());
    assertFalse(late.isDone(), "it is in the list, for the caller to run or to cancel");
    assertTrue(periodic.isCancelled());
    assertEquals(1, ran.get());
    assertTrue(report.drainTook().compareTo(LONG) < 0, report::toString);
  }

  @Test
  void whatDoesNotEndByItselfIsInterruptedAndWhatHasNotBegunIsTakenBack() {
    var scheduler = // no spare relieves the worker that waits
        WorkStealingScheduler.builder().name("ending").parallelism(1).maxThreads(1).build();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    scheduler.execute(() -> untilInterrupted(begun, interrupted));
    Await.latch("the task", begun, scheduler::stats);
    Runnable waits = () -> {};
    scheduler.execute(waits);
    ShutdownReport report = scheduler.close(SHORT, FOREVER);
    assertEquals(Outcome.INTERRUPTED, report.outcome());
    assertEquals(0, interrupted.getCount());
    assertEquals(List.of(waits), report.takenBack());
    assertEquals(List.of(), report.running());
    assertTrue(report.drainTook().compareTo(SHORT) >= 0, report::toString);
    assertTrue(scheduler.isTerminated());
    assertTrue(report.toString().contains("1 tasks taken back"), report::toString);
  }

  @Test
  void whoDoesNotReactIsReportedWithItsStack() {
    var scheduler = pool(2);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    scheduler.execute(() -> ignoreInterrupts(begun, release));
    Await.latch("the task", begun, scheduler::stats);
    ShutdownReport report = scheduler.close(SHORT, SHORT);
    assertEquals(Outcome.STILL_RUNNING, report.outcome());
    assertEquals(1, report.running().size(), report::toString);
    var stuck = report.running().get(0);
    assertTrue(stuck.name().startsWith("ending-worker-"), report::toString);
    assertTrue(
        stuck.stack().stream().anyMatch(f -> f.getMethodName().equals("ignoreInterrupts")),
        report::toString);
    assertTrue(report.toString().contains("ignoreInterrupts"), report::toString);
    assertTrue(report.interruptTook().compareTo(SHORT) >= 0, report::toString);
    assertFalse(scheduler.isTerminated());

    release.countDown();
    ShutdownReport second = scheduler.close(LONG, Duration.ZERO); // twice
    assertEquals(Outcome.DRAINED, second.outcome());
    assertEquals(List.of(), second.takenBack());
    assertEquals(Outcome.DRAINED, scheduler.close(Duration.ZERO, Duration.ZERO).outcome());
  }

  /**
   * An idle pool's workers are not taken for tasks that run; they have a second to end. What the
   * gate has of it: {@code LiveThreadsTest}, {@code DeadlineShutdownStepsTest}.
   */
  @Test
  @Tag("timing")
  void anIdlePoolHasAMomentToEnd() {
    for (int i = 0; i < 50; i++) {
      var idle = pool(2);
      var late = idle.schedule(() -> 1, 1, TimeUnit.HOURS);
      ShutdownReport report = idle.close(Duration.ZERO, Duration.ZERO);
      assertTrue(report.outcome() != Outcome.STILL_RUNNING, report::toString);
      assertEquals(List.<Runnable>of((Runnable) late), report.takenBack());
      assertTrue(idle.isTerminated());
    }
  }

  /** Zero and zero. */
  @Test
  void zeroSkipsTheWaiting() {
    var busy = pool(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    busy.execute(() -> ignoreInterrupts(begun, release));
    Await.latch("the task", begun, busy::stats);
    assertEquals(Outcome.STILL_RUNNING, busy.close(Duration.ZERO, Duration.ZERO).outcome());
    release.countDown();
    busy.close();
  }

  @Test
  void badTimesAreRefusedAndNothingHasChanged() throws Exception {
    try (var scheduler = pool(1)) {
      Duration negative = Duration.ofSeconds(-2);
      for (var call :
          List.<org.junit.jupiter.api.function.Executable>of(
              () -> scheduler.close(negative, LONG), () -> scheduler.close(LONG, negative))) {
        var e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains("PT-2S"), e::getMessage);
      }
      assertEquals(1, scheduler.submit(() -> 1).get());
    }
    var common = WorkStealingScheduler.common();
    assertThrows(UnsupportedOperationException.class, () -> common.close(LONG, LONG));
    assertFalse(common.isShutdown());
  }

  /** F20: it would wait for its own task. */
  @Test
  void onAWorkerItIsRefusedAndNothingHasChanged() throws Exception {
    try (var scheduler = pool(1)) {
      var attempt = scheduler.submit(() -> scheduler.close(LONG, LONG));
      var e = assertThrows(ExecutionException.class, attempt::get);
      assertTrue(e.getCause() instanceof IllegalStateException, e::toString);
      assertTrue(String.valueOf(e.getCause().getMessage()).contains("ending"), e::toString);
      assertEquals(1, scheduler.submit(() -> 1).get());
    }
  }

  @Test
  void anInterruptOfTheCallerEndsThePhaseAndIsKept() {
    var scheduler = pool(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    scheduler.execute(() -> untilInterrupted(begun, interrupted));
    Await.latch("the task", begun, scheduler::stats);
    Thread.currentThread().interrupt();
    ShutdownReport report = scheduler.close(FOREVER, FOREVER);
    assertTrue(Thread.interrupted());
    assertEquals(Outcome.INTERRUPTED, report.outcome());
  }

  /** Each task ran or is in exactly one list, whoever else closes (F13, F14). */
  @Test
  void concurrentClosesAccountForEveryTask() throws Exception {
    int rounds = TestScale.of(100);
    for (int round = 0; round < rounds; round++) {
      var scheduler = pool(2);
      AtomicInteger accepted = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      CountDownLatch go = new CountDownLatch(1);
      AtomicReference<ShutdownReport> report = new AtomicReference<>();
      List<Runnable> takenBack = new ArrayList<>();
      List<Thread> threads =
          List.of(
              new Thread(() -> submitUntilRefused(scheduler, accepted, ran)),
              new Thread(
                  () -> {
                    Await.quietly(go);
                    report.set(scheduler.close(Duration.ZERO, LONG));
                  }),
              new Thread(
                  () -> {
                    Await.quietly(go);
                    scheduler.close();
                  }),
              new Thread(
                  () -> {
                    Await.quietly(go);
                    takenBack.addAll(scheduler.shutdownNow());
                  }));
      threads.forEach(Thread::start);
      int headStart = round % 20;
      Await.until("the race is on", () -> ran.get() > headStart, scheduler::stats);
      go.countDown();
      for (Thread t : threads) {
        t.join();
      }
      ShutdownReport r = report.get();
      assertTrue(scheduler.isTerminated());
      assertEquals(accepted.get(), ran.get() + takenBack.size() + r.takenBack().size());
    }
  }

  private static void submitUntilRefused(
      WorkStealingScheduler scheduler, AtomicInteger accepted, AtomicInteger ran) {
    try {
      for (int i = 0; i < 1_000_000; i++) { // they fit into memory, whoever is late
        scheduler.execute(ran::incrementAndGet);
        accepted.incrementAndGet();
      }
    } catch (RejectedExecutionException e) {
      return; // closed: the expected end
    }
  }

  private static void untilInterrupted(CountDownLatch begun, CountDownLatch interrupted) {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.countDown();
    }
  }

  private static void ignoreInterrupts(CountDownLatch begun, CountDownLatch release) {
    begun.countDown();
    while (release.getCount() != 0) {
      Thread.onSpinWait();
    }
  }
}
