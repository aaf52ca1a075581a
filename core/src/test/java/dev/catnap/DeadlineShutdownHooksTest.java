package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.ShutdownReport.Activity;
import dev.catnap.ShutdownReport.Outcome;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.RecordingHooks;
import dev.catnap.testing.RecordingHooks.Event;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * G6 within a time, beside code of the application's that is no task: hooks, thread factories,
 * handlers. None of it may cost the caller its deadline.
 */
@ExtendWith(NoThreadLeft.class)
class DeadlineShutdownHooksTest {
  private static final Duration LONG = Duration.ofSeconds(Await.DEADLINE_SECONDS);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final RecordingHooks hooks = new RecordingHooks();
  private final CountDownLatch release = new CountDownLatch(1);

  private WorkStealingScheduler.Builder builder(int workers) {
    return WorkStealingScheduler.builder()
        .name("ending")
        .parallelism(workers)
        .maxThreads(workers)
        .hooks(hooks);
  }

  @ParameterizedTest
  @EnumSource(Event.class)
  void aHookThatIgnoresInterruptsIsReported_andTheDeadlineKept(Event event) throws Exception {
    CountDownLatch inHook = new CountDownLatch(1);
    hooks.on(event, () -> ignoreInterrupts(inHook));
    var scheduler = builder(1).build();
    try {
      if (event == Event.UNPARK) {
        Quiescence.await(scheduler);
        scheduler.execute(() -> {});
      }
      if (event == Event.STOP) { // that one is called when the end has begun
        scheduler.shutdown();
      }
      Await.latch("the hook", inHook, scheduler::stats);
      for (Duration time : List.of(Duration.ZERO, SHORT)) {
        ShutdownReport report = closeElsewhere(scheduler, time, time);
        assertEquals(Outcome.STILL_RUNNING, report.outcome());
        assertEquals(1, report.running().size(), report::toString);
        var stuck = report.running().get(0);
        assertEquals("ending-worker-0", stuck.name());
        assertEquals(Activity.HOOK, stuck.activity());
        assertTrue(report.toString().contains("ending-worker-0 in a hook"), report::toString);
        assertTrue(report.toString().contains("ignoreInterrupts"), report::toString);
        assertFalse(scheduler.isTerminated());
      }
    } finally {
      release.countDown();
    }
    assertEquals(Outcome.DRAINED, closeElsewhere(scheduler, LONG, Duration.ZERO).outcome());
  }

  /** Its worker has another thread meanwhile, or none, and does not know it any more. */
  @Test
  void aSpareThatHangsInItsLastHookIsReportedToo() throws Exception {
    CountDownLatch inHook = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    AtomicReference<Thread> leaving = new AtomicReference<>();
    hooks.on(
        Event.STOP,
        () -> {
          if (first.compareAndSet(true, false)) {
            leaving.set(Thread.currentThread());
            ignoreInterrupts(inHook);
          }
        });
    var scheduler = builder(1).maxThreads(2).keepAlive(Duration.ZERO).build();
    try {
      blockOnce(scheduler);
      Await.latch("a spare retires", inHook, scheduler::stats);
      blockOnce(scheduler); // the retired worker gets another thread
      assertEquals(0, scheduler.shutdownNow().size());
      Await.until("the others are over", () -> scheduler.stats().threads() == 1, scheduler::dump);
      ShutdownReport report = closeElsewhere(scheduler, Duration.ZERO, SHORT);
      assertEquals(Outcome.STILL_RUNNING, report.outcome());
      assertEquals(
          List.of(leaving.get().getName()),
          report.running().stream().map(ShutdownReport.RunningThread::name).toList(),
          report::toString);
      assertTrue(leaving.get().isInterrupted(), "what runs is interrupted");
    } finally {
      release.countDown();
    }
    assertEquals(Outcome.DRAINED, closeElsewhere(scheduler, LONG, Duration.ZERO).outcome());
  }

  private static void blockOnce(WorkStealingScheduler scheduler) throws Exception {
    int ran =
        scheduler
            .submit(
                () ->
                    scheduler.blocking(
                        () ->
                            scheduler
                                .submit(() -> 1)
                                .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS)))
            .get();
    assertEquals(1, ran);
  }

  @ParameterizedTest // F20
  @EnumSource(Event.class)
  void aHookCannotWaitForTheEnd_isToldSo_andNothingHasChanged(Event event) throws Exception {
    AtomicReference<WorkStealingScheduler> built = new AtomicReference<>();
    CountDownLatch called = new CountDownLatch(1);
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    hooks.on(
        event,
        () -> {
          Await.until("built", () -> built.get() != null, hooks::toString);
          boolean before = built.get().isShutdown();
          try {
            built.get().close(Duration.ofSeconds(1), Duration.ofSeconds(1));
          } catch (IllegalStateException e) {
            assertEquals(before, built.get().isShutdown());
            thrown.add(e);
          }
          called.countDown();
        });
    var scheduler = builder(1).build();
    built.set(scheduler);
    if (event == Event.UNPARK) {
      Quiescence.await(scheduler);
      scheduler.execute(() -> {});
    }
    if (event == Event.STOP) {
      scheduler.shutdown();
    }
    Await.latch("the hook has tried", called, scheduler::stats);
    assertFalse(thrown.isEmpty(), "it has been refused");
    assertTrue(thrown.peek().getMessage().contains("ending"), thrown::toString);
    assertEquals(Outcome.DRAINED, closeElsewhere(scheduler, LONG, LONG).outcome());
  }

  /**
   * A short hook of a thread that ends is nothing that the caller wants to hear of; 50 ms is short.
   * What the gate has of it: {@code DeadlineShutdownStepsTest}.
   */
  @Test
  @Tag("timing")
  void aHookThatEndsAtOnceIsNotReported() {
    for (int i = 0; i < 50; i++) {
      WorkStealingScheduler scheduler = builder(2).build();
      ShutdownReport report = scheduler.close(Duration.ZERO, Duration.ZERO);
      assertTrue(report.outcome() != Outcome.STILL_RUNNING, report::toString);
    }
    hooks.assertWellFormed();
  }

  /** Of none of them is known what it does, but that they keep the scheduler from its end. */
  @Test
  void threadsThatDoNotBeginAreReported_andTheDeadlineKept() throws Exception {
    var scheduler = builder(2).workerThreadFactory(LateThread.factory(release, null)).build();
    try {
      ShutdownReport report = closeElsewhere(scheduler, Duration.ZERO, Duration.ZERO);
      assertEquals(Outcome.STILL_RUNNING, report.outcome());
      assertEquals(
          List.of(Activity.OTHER, Activity.OTHER),
          report.running().stream().map(ShutdownReport.RunningThread::activity).toList());
    } finally {
      release.countDown();
    }
    assertEquals(Outcome.DRAINED, closeElsewhere(scheduler, LONG, Duration.ZERO).outcome());
  }

  /**
   * All is over; only the application's own code goes on, after the last of ours. A second for each
   * of them would be more than any test waits for.
   */
  @Test
  void threadsThatLingerAfterTheirEndAreWaitedForAMomentInAll_notEach() throws Exception {
    var scheduler =
        builder(2 * (int) Await.DEADLINE_SECONDS)
            .workerThreadFactory(LateThread.factory(null, release))
            .build();
    try {
      assertEquals(Outcome.DRAINED, closeElsewhere(scheduler, LONG, LONG).outcome());
    } finally {
      release.countDown();
    }
  }

  /** F20: the end would wait for the sentinel, and that for the end. */
  @Test
  void aHandlerOnTheSentinelMayClose_butNotWithinATime() {
    AtomicReference<WorkStealingScheduler> built = new AtomicReference<>();
    AtomicReference<Thread> handledBy = new AtomicReference<>();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicInteger threads = new AtomicInteger();
    WorkerThreadFactory platform = WorkerThreadFactory.platform(true);
    var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .maxThreads(2)
            .workerThreadFactory(
                body -> {
                  if (threads.getAndIncrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread (from the test)");
                  }
                  return platform.newThread(body);
                })
            .uncaughtExceptionHandler(
                (thread, e) -> {
                  try {
                    built.get().close(LONG, LONG);
                  } catch (IllegalStateException refused) {
                    thrown.set(refused);
                  }
                  built.get().close();
                  handledBy.set(thread);
                })
            .build();
    built.set(scheduler);
    try {
      scheduler.execute(() -> Await.quietly(release));
      scheduler.execute(() -> {}); // waits behind a worker that does not come back
      Await.until("a spare cannot be started", () -> handledBy.get() != null, scheduler::dump);
    } finally {
      release.countDown();
    }
    assertTrue(handledBy.get().getName().endsWith("-sentinel"), handledBy::toString);
    assertNotNull(thrown.get());
    Await.until("the end", scheduler::isTerminated, scheduler::dump);
  }

  /** Waits before it begins, and after its end. */
  private static final class LateThread extends Thread implements WorkerThread {
    private final WorkerBody body;
    private final @Nullable CountDownLatch before;
    private final @Nullable CountDownLatch after;

    private LateThread(
        WorkerBody body, @Nullable CountDownLatch before, @Nullable CountDownLatch after) {
      super(null, null, body.threadName(), 0, false);
      this.body = body;
      this.before = before;
      this.after = after;
    }

    static WorkerThreadFactory factory(
        @Nullable CountDownLatch before, @Nullable CountDownLatch after) {
      return body -> new LateThread(body, before, after);
    }

    @Override
    public WorkerBody worker() {
      return body;
    }

    @Override
    public void run() {
      await(before);
      body.run();
      await(after);
    }

    private static void await(@Nullable CountDownLatch latch) {
      boolean waits = latch != null;
      while (waits) {
        try {
          latch.await();
          waits = false;
        } catch (InterruptedException e) {
          waits = true; // by the end of the scheduler, which this one ignores
        }
      }
    }
  }

  private ShutdownReport closeElsewhere(
      WorkStealingScheduler scheduler, Duration drain, Duration interrupt) throws Exception {
    FutureTask<ShutdownReport> close = new FutureTask<>(() -> scheduler.close(drain, interrupt));
    new Thread(close, "closes").start();
    return close.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private void ignoreInterrupts(CountDownLatch begun) {
    begun.countDown();
    while (release.getCount() != 0) {
      Thread.onSpinWait();
    }
  }
}
