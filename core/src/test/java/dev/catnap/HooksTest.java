package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.RecordingHooks;
import dev.catnap.testing.RecordingHooks.Event;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When hooks are called, and that nothing they do harms the scheduler. */
@ExtendWith(NoThreadLeft.class)
class HooksTest {
  private final RecordingHooks hooks = new RecordingHooks();

  private WorkStealingScheduler.Builder builder(int workers) {
    return WorkStealingScheduler.builder().parallelism(workers).hooks(hooks);
  }

  /** Without a spare that takes over on a busy machine. */
  private WorkStealingScheduler.Builder exactly(int workers) {
    return builder(workers).maxThreads(workers);
  }

  // ---- when

  @Test
  void everyThreadStartsParksAndUnparksInTurnsAndStops() {
    try (var scheduler = exactly(3).build()) {
      for (int round = 0; round < 100; round++) {
        CountDownLatch done = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
          scheduler.execute(done::countDown);
        }
        Await.latch("the tasks", done, scheduler::stats);
        Quiescence.await(scheduler);
      }
    }
    assertEquals(3, hooks.threads().size(), "one per worker, and no helper: " + hooks);
    hooks.assertWellFormed();
    assertEquals(3, hooks.count(Event.START));
    assertEquals(3, hooks.count(Event.STOP));
    assertTrue(hooks.count(Event.UNPARK) >= 100, () -> "once at least for each burst: " + hooks);
  }

  /** G3, G4: hooks make no wake, and one idle time is one park, however short. */
  @Test
  void oneTaskIsOneUnparkAndOneOfEachHook() {
    CountingParker parker = new CountingParker();
    try (var scheduler =
        exactly(4).tuning(SchedulerTuning.production().withParker(parker)).build()) {
      awaitAllParked(parker, scheduler);
      assertEquals(4, hooks.count(Event.PARK));
      assertEquals(0, hooks.count(Event.UNPARK));
      for (int i = 1; i <= 300; i++) {
        CountDownLatch done = new CountDownLatch(1);
        scheduler.execute(done::countDown);
        Await.latch("the task", done, scheduler::stats);
        awaitAllParked(parker, scheduler);
        assertEquals(i, parker.unparks(), "unparks of threads");
        assertEquals(i, hooks.count(Event.UNPARK), "onUnpark");
        assertEquals(4 + i, hooks.count(Event.PARK), "onPark");
      }
      assertEquals(0, parker.timedParks());
    }
  }

  /** One that is merely on its way there sees what comes, and is not woken. */
  private static void awaitAllParked(CountingParker parker, WorkStealingScheduler scheduler) {
    Await.until("all are parked", () -> parker.parked() == 4, scheduler::stats);
  }

  @Test
  void theTaskComesAfterOnUnpark() {
    AtomicBoolean unparked = new AtomicBoolean();
    AtomicInteger early = new AtomicInteger();
    hooks.on(Event.UNPARK, () -> unparked.set(true));
    hooks.on(Event.PARK, () -> unparked.set(false));
    try (var scheduler = exactly(1).build()) {
      for (int i = 0; i < 100; i++) {
        Quiescence.await(scheduler);
        CountDownLatch done = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              early.addAndGet(unparked.get() ? 0 : 1);
              done.countDown();
            });
        Await.latch("the task", done, scheduler::stats);
      }
    }
    assertEquals(0, early.get());
  }

  /** A spare waits parked, and when its keep-alive is over its thread stops. */
  @Test
  void aSpareParksAndStops() throws Exception {
    try (var scheduler = builder(1).maxThreads(2).keepAlive(Duration.ZERO).build()) {
      for (int round = 1; round <= 3; round++) {
        int ran = scheduler.submit(() -> scheduler.blocking(() -> runElsewhere(scheduler))).get();
        assertEquals(1, ran);
        int stopped = round;
        Await.until(
            "one of the two has retired",
            () -> hooks.count(Event.STOP) >= stopped,
            () -> hooks + ", " + scheduler.stats());
      }
    }
    hooks.assertWellFormed();
    assertTrue(hooks.count(Event.START) >= 4, () -> "a thread for each section: " + hooks);
  }

  /** It sleeps, but not between two tasks. */
  @Test
  void aWorkerThatWaitsInAJoinDoesNotSayThatItParks() {
    CountDownLatch rightBegan = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (var scheduler =
        builder(2).maxThreads(2).tuning(SchedulerTuning.production().withSentinel(0, 0)).build()) {
      Quiescence.await(scheduler);
      scheduler.execute(
          () ->
              scheduler.join(
                  () -> Await.quietly(rightBegan),
                  () -> {
                    rightBegan.countDown();
                    Await.quietly(release);
                  }));
      Await.until(
          "one runs the right branch, and the other sleeps until that is done",
          () -> rightBegan.getCount() == 0 && scheduler.stats().parkedWorkers() == 1,
          scheduler::stats);
      assertEquals(2, hooks.count(Event.PARK));
      assertEquals(2, hooks.count(Event.UNPARK));
      release.countDown();
    }
    hooks.assertWellFormed();
  }

  @Test
  void aSpareThatWaitsIsParked() throws Exception {
    try (var scheduler =
        builder(1).maxThreads(2).tuning(SchedulerTuning.production().withSentinel(0, 0)).build()) {
      for (int round = 0; round < 20; round++) {
        int ran = scheduler.submit(() -> scheduler.blocking(() -> runElsewhere(scheduler))).get();
        assertEquals(1, ran);
        Await.until(
            "one sleeps, one is a spare, and both have said so",
            () ->
                scheduler.stats().parkedWorkers() == 1
                    && scheduler.stats().spareThreads() == 1
                    && hooks.count(Event.PARK) - hooks.count(Event.UNPARK) == 2,
            () -> hooks + ", " + scheduler.stats());
      }
    }
    hooks.assertWellFormed();
  }

  private static int runElsewhere(WorkStealingScheduler scheduler) throws Exception {
    return scheduler.submit(() -> 1).get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  /** G6. */
  @Test
  void theSchedulerIsTerminatedAfterTheLastThreadHasSaidThatItStops() {
    AtomicReference<WorkStealingScheduler> built = new AtomicReference<>();
    AtomicInteger tooEarly = new AtomicInteger();
    AtomicBoolean refused = new AtomicBoolean();
    hooks.on(
        Event.STOP,
        () -> {
          tooEarly.addAndGet(built.get().isTerminated() ? 1 : 0);
          try {
            built.get().execute(() -> {});
          } catch (RejectedExecutionException e) {
            refused.set(true);
          }
        });
    try (var scheduler = exactly(2).build()) {
      built.set(scheduler);
    }
    assertEquals(2, hooks.count(Event.STOP));
    assertEquals(0, tooEarly.get());
    assertTrue(refused.get(), "a task from a thread that stops is refused like any");
  }

  // ---- what they may do

  /** G7. */
  @ParameterizedTest
  @EnumSource(Event.class)
  void whatAHookThrowsGoesToTheHandlerAndChangesNothing(Event event) {
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    List<Throwable> all =
        List.of(new IllegalStateException("thrown by a hook"), new OutOfMemoryError("of a hook"));
    AtomicInteger calls = new AtomicInteger();
    hooks.on(event, () -> RecordingHooks.sneak(all.get(calls.getAndIncrement() % all.size())));
    AtomicInteger runs = new AtomicInteger();
    try (var scheduler = builder(2).uncaughtExceptionHandler((t, e) -> thrown.add(e)).build()) {
      for (int i = 0; i < 50; i++) {
        scheduler.execute(runs::incrementAndGet);
        Quiescence.await(scheduler);
      }
      assertEquals(50, runs.get());
      assertEquals(0, scheduler.stats().uncaughtExceptions(), "it counts tasks");
    }
    assertEquals(hooks.count(event), thrown.size());
    assertTrue(all.containsAll(thrown), thrown::toString);
    hooks.assertWellFormed();
  }

  /** G1, G2: what onPark and onUnpark submit runs, before the worker parks. */
  @ParameterizedTest
  @EnumSource(
      value = Event.class,
      names = {"START", "PARK", "UNPARK"})
  void whatAHookSubmitsRuns(Event event) {
    AtomicReference<WorkStealingScheduler> built = new AtomicReference<>();
    AtomicInteger submitted = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch ready = new CountDownLatch(1);
    hooks.on(
        event,
        () -> {
          Await.quietly(ready);
          for (int i = 0; i < 3 && submitted.get() < 300; i++) {
            built.get().execute(runs::incrementAndGet); // refused while the scheduler closes
            submitted.incrementAndGet();
          }
        });
    try (var scheduler = builder(2).build()) {
      built.set(scheduler);
      ready.countDown();
      for (int i = 0; i < 100; i++) {
        scheduler.execute(() -> {});
        Quiescence.await(scheduler);
      }
    }
    assertTrue(submitted.get() > 0);
    assertEquals(submitted.get(), runs.get());
  }

  /**
   * G1: a worker in a hook is not counted as one that searches. The publish would rely on it, and
   * the other worker would sleep on.
   */
  @ParameterizedTest
  @EnumSource(
      value = Event.class,
      names = {"PARK", "UNPARK"})
  void aHookThatBlocksStrandsNoTask(Event event) {
    CountDownLatch inHook = new CountDownLatch(1);
    CountDownLatch ran = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean();
    hooks.on(
        event,
        () -> {
          if (armed.compareAndSet(true, false)) {
            inHook.countDown();
            Await.quietly(ran);
          }
        });
    // Without a sentinel: nothing but the protocol gets the task out.
    try (var scheduler =
        builder(2).maxThreads(2).tuning(SchedulerTuning.production().withSentinel(0, 0)).build()) {
      Quiescence.await(scheduler);
      armed.set(true);
      scheduler.execute(() -> {});
      Await.latch("a worker is in the hook", inHook, scheduler::stats);
      scheduler.execute(ran::countDown);
      Await.latch("the other worker took the task", ran, scheduler::stats);
    }
  }

  /** G9: in a hook as in a task. */
  @Test
  void aHookMayDeclareABlockingSection() {
    AtomicReference<WorkStealingScheduler> built = new AtomicReference<>();
    CountDownLatch inHook = new CountDownLatch(1);
    CountDownLatch ran = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean(true);
    hooks.on(
        Event.UNPARK,
        () -> {
          if (armed.compareAndSet(true, false)) {
            RecordingHooks.call(
                () ->
                    built
                        .get()
                        .blocking(
                            () -> {
                              inHook.countDown();
                              Await.quietly(ran);
                              return 0;
                            }));
          }
        });
    try (var scheduler = builder(1).build()) {
      built.set(scheduler);
      Quiescence.await(scheduler);
      scheduler.execute(() -> {});
      Await.latch("the only worker blocks in its hook", inHook, scheduler::stats);
      scheduler.execute(ran::countDown);
      Await.latch("a spare took the task", ran, scheduler::stats);
    }
    hooks.assertWellFormed();
  }

  /** G6: from any of them, without waiting for the thread that calls. */
  @ParameterizedTest
  @EnumSource(Event.class)
  void aHookMayClose(Event event) throws Exception {
    endsFromAHook(event, WorkStealingScheduler::close);
  }

  /** G6. */
  @ParameterizedTest
  @EnumSource(Event.class)
  void aHookMayShutDownNow(Event event) throws Exception {
    endsFromAHook(event, WorkStealingScheduler::shutdownNow);
  }

  private interface End {
    void of(WorkStealingScheduler scheduler);
  }

  private void endsFromAHook(Event event, End end) throws InterruptedException {
    AtomicReference<WorkStealingScheduler> built = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(1);
    hooks.on(
        event,
        () -> {
          // Not an interruptible wait: the other worker may be shutting down.
          Await.until("built", () -> built.get() != null && ready.getCount() == 0, hooks::toString);
          end.of(built.get());
        });
    var scheduler = builder(2).build(); // the hook closes it
    built.set(scheduler);
    if (event == Event.UNPARK) { // called for those that were idle
      Quiescence.await(scheduler);
    }
    AtomicInteger runs = new AtomicInteger();
    scheduler.execute(runs::incrementAndGet);
    ready.countDown();
    if (event == Event.STOP) {
      scheduler.shutdown();
    }
    assertTrue(
        scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS),
        () -> "closed in " + event + ": " + scheduler.stats());
    assertTrue(runs.get() <= 1);
    hooks.assertWellFormed();
  }

  // ---- what they leave behind

  /** G7: onThreadStart makes the thread what it is; the others leave nothing. */
  @Test
  void whatOnThreadStartSetsStaysAndWhatTheOthersLeaveIsGone() throws Exception {
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    AtomicReference<WorkStealingScheduler> built = new AtomicReference<>();
    hooks.on(
        Event.START,
        () -> {
          Thread.currentThread().setPriority(3);
          Thread.currentThread().interrupt();
        });
    for (Event event : List.of(Event.PARK, Event.UNPARK)) {
      hooks.on(
          event,
          () -> {
            Thread.currentThread().setPriority(7);
            Thread.currentThread().setName("renamed by a hook");
            Thread.currentThread().interrupt();
            WorkStealingScheduler scheduler = built.get();
            if (scheduler != null && scheduler.adapter().beginBlocking()) {
              assertEquals(1, scheduler.stats().blockedWorkers()); // and does not end it
            }
          });
    }
    // Without a sentinel each section gives the right away, however short those before it were.
    try (var scheduler =
        exactly(1)
            .name("contained")
            .tuning(SchedulerTuning.production().withSentinel(0, 0))
            .uncaughtExceptionHandler((t, e) -> thrown.add(e))
            .build()) {
      Quiescence.await(scheduler);
      built.set(scheduler);
      for (int i = 0; i < 10; i++) {
        Thread t = scheduler.submit(Thread::currentThread).get();
        assertEquals(
            "3, false, true",
            scheduler
                .submit(
                    () ->
                        Thread.currentThread().getPriority()
                            + ", "
                            + Thread.currentThread().isInterrupted()
                            + ", "
                            + Thread.currentThread().getName().startsWith("contained-worker-"))
                .get(),
            t.toString());
        Await.until(
            "the section is ended",
            () -> scheduler.stats().blockedWorkers() == 0,
            scheduler::stats);
      }
      built.set(null);
    }
    assertFalse(hooks.threads().isEmpty());
    assertEquals(List.of(), List.copyOf(thrown), "by a hook");
  }
}
