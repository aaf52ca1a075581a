package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that are confined to one worker run there, and nowhere else. */
@ExtendWith(NoThreadLeft.class)
class ConfinedTest {
  private static final int TASKS = TestScale.of(20_000);

  /** What only tasks of one worker touch, without any synchronisation. */
  private static final class Confined {
    private final List<Thread> threads = new ArrayList<>();
    private final int[] lastOf = new int[2];
    private int tasks;

    void add(int producer, int number) {
      Thread self = Thread.currentThread();
      if (threads.isEmpty() || threads.get(threads.size() - 1) != self) {
        threads.add(self);
      }
      assertEquals(lastOf[producer] + 1, number, "in the order of their producer");
      lastOf[producer] = number;
      tasks++;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theyNeverMoveAndKeepTheirOrderBesideTasksThatAreStolen(int parallelism) throws Exception {
    List<Confined> confined = new ArrayList<>();
    List<Throwable> uncaught = new java.util.concurrent.CopyOnWriteArrayList<>();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(parallelism)
            .uncaughtExceptionHandler((t, e) -> uncaught.add(e))
            .build()) {
      for (int w = 0; w < parallelism; w++) {
        confined.add(new Confined());
      }
      CountDownLatch ran = new CountDownLatch(2 * TASKS);
      List<Thread> producers = new ArrayList<>();
      for (int p = 0; p < 2; p++) {
        int producer = p;
        producers.add(
            new Thread(() -> produce(scheduler, confined, producer, ran), "producer " + producer));
      }
      producers.forEach(Thread::start);
      for (Thread producer : producers) {
        producer.join();
      }
      Await.latch("all confined tasks", ran, () -> scheduler.stats() + " " + uncaught);
      Quiescence.await(scheduler);
    }
    assertEquals(List.of(), uncaught);
    assertEquals(2 * TASKS, confined.stream().mapToInt(c -> c.tasks).sum());
    confined.forEach(c -> assertEquals(1, c.threads.size(), "threads of one worker"));
    assertEquals(
        parallelism, confined.stream().map(c -> c.threads.get(0)).distinct().count(), "threads");
  }

  private static void produce(
      WorkStealingScheduler scheduler, List<Confined> confined, int producer, CountDownLatch ran) {
    int[] numbers = new int[confined.size()];
    for (int i = 0; i < TASKS; i++) {
      int worker = i % confined.size();
      int number = ++numbers[worker];
      Confined target = confined.get(worker);
      scheduler
          .confinedTo(worker)
          .execute(
              () -> {
                ran.countDown();
                target.add(producer, number);
              });
      if (i % 4 == 0) {
        scheduler.execute(() -> scheduler.execute(() -> {}));
      }
    }
  }

  @Test // G1, G3
  void oneWakesItsOwnWorkerAndNobodyElse() {
    CountingParker parker = new CountingParker();
    SchedulerTuning tuning = SchedulerTuning.production().withParker(parker);
    try (var scheduler = TestPools.withoutSpares(4).tuning(tuning).build()) {
      for (int round = 0; round < 200; round++) {
        int worker = round % 4;
        awaitAllParked(parker, scheduler);
        long before = scheduler.stats().wakes();
        AtomicReference<String> name = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler
            .confinedTo(worker)
            .execute(
                () -> {
                  name.set(Thread.currentThread().getName());
                  ran.countDown();
                });
        Await.latch("a confined task in a pool that sleeps", ran, scheduler::stats);
        assertEquals(scheduler.name() + "-worker-" + worker, name.get());
        awaitAllParked(parker, scheduler);
        assertEquals(1, scheduler.stats().wakes() - before, "wakes of one publish");
      }
      assertEquals(0, scheduler.stats().futileWakes());
      assertEquals(200, scheduler.stats().published());
    }
  }

  /** One that is merely on its way there sees what comes, and is not woken. */
  private static void awaitAllParked(CountingParker parker, WorkStealingScheduler scheduler) {
    Await.until("all are parked", () -> parker.parked() == 4, scheduler::stats);
  }

  @Test // the exemption of G9
  void theyWaitForTheirOwnWorkerWhileItBlocksAndOthersRun() throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(1).maxThreads(2).build()) {
      CountDownLatch blocks = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      AtomicReference<Thread> owner = new AtomicReference<>();
      scheduler
          .confinedTo(0)
          .execute(
              () -> {
                owner.set(Thread.currentThread());
                block(scheduler, blocks, release);
              });
      Await.latch("the section", blocks, scheduler::stats);
      AtomicReference<Thread> ranOn = new AtomicReference<>();
      CountDownLatch ran = new CountDownLatch(1);
      scheduler
          .confinedTo(0)
          .execute(
              () -> {
                ranOn.set(Thread.currentThread());
                ran.countDown();
              });
      for (int i = 0; i < 1_000; i++) {
        scheduler.submit(() -> {}).get();
      }
      assertEquals(1, ran.getCount(), "no other worker may take it");
      release.countDown();
      Await.latch("the confined task after the section", ran, scheduler::stats);
      assertEquals(owner.get(), ranOn.get());
      Quiescence.await(scheduler);
    }
  }

  /** Worker 0 blocks, is replaced, and comes back as one too many. */
  @ParameterizedTest
  @ValueSource(longs = {0, 60_000}) // its thread ends; it parks as a spare
  void aWorkerThatHasBecomeASpareRunsThemWithARightTakenBack(long keepAliveMillis)
      throws Exception {
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .maxThreads(2)
            .keepAlive(Duration.ofMillis(keepAliveMillis))
            .build()) {
      int rounds = TestScale.of(100);
      for (int round = 0; round < rounds; round++) {
        makeWorkerZeroASpare(scheduler, keepAliveMillis == 0 && round == 0);
        AtomicReference<String> name = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler
            .confinedTo(0)
            .execute(
                () -> {
                  name.set(Thread.currentThread().getName());
                  ran.countDown();
                });
        Await.latch("a task for a spare", ran, () -> scheduler.dump());
        assertEquals(scheduler.name() + "-worker-0", name.get());
        Await.until(
            "one worker sleeps, the other is a spare or has ended",
            () -> {
              SchedulerStats s = scheduler.stats();
              return s.parkedWorkers() == 1 && s.searchingWorkers() == 0 && s.queued() == 0;
            },
            scheduler::dump);
      }
    }
  }

  private static void makeWorkerZeroASpare(WorkStealingScheduler scheduler, boolean retires) {
    String zero = scheduler.name() + "-worker-0";
    for (boolean done = false; !done; ) {
      CountDownLatch blocks = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      AtomicBoolean onZero = new AtomicBoolean();
      scheduler.execute(
          () -> {
            onZero.set(Thread.currentThread().getName().equals(zero));
            block(scheduler, blocks, release);
            over.countDown();
          });
      Await.latch("a section", blocks, scheduler::dump);
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch letGo = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            held.countDown();
            Await.quietly(letGo);
          });
      Await.latch("the replacement runs", held, scheduler::dump);
      release.countDown();
      Await.latch("the section is over", over, scheduler::dump);
      done = onZero.get();
      if (done) {
        Await.until(
            "worker 0 makes room for its replacement",
            () ->
                retires ? scheduler.stats().threads() == 1 : scheduler.stats().spareThreads() == 1,
            scheduler::dump);
      }
      letGo.countDown();
      Await.until("rest", () -> scheduler.stats().parkedWorkers() == 1, scheduler::dump);
    }
  }

  @Test // G5
  void neitherTheyNorInjectedTasksWaitForMoreThanABoundOfTheOther() {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      Executor confined = scheduler.confinedTo(0);
      // One look there in injectorInterval tasks, at each of the two in turn.
      int most = 2 * SchedulerTuning.production().injectorInterval() + 1;
      assertTrue(turnsUntil(scheduler, confined, scheduler) <= most, "an injected task");
      assertTrue(turnsUntil(scheduler, scheduler, confined) <= most, "a confined task");
    }
  }

  @Test // G5
  void aFullInjectorLetsAConfinedTaskInWithinTwoBatches() {
    // Without a sentinel: it would have a spare run the tasks while they are being published.
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .tuning(SchedulerTuning.production().withSentinel(0, 0))
            .build()) {
      CountDownLatch busy = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            busy.countDown();
            Await.quietly(release);
          });
      Await.latch("a worker that takes nothing", busy, scheduler::stats);
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger before = new AtomicInteger(-1);
      for (int i = 0; i < 10_000; i++) {
        scheduler.execute(ran::incrementAndGet);
      }
      scheduler.confinedTo(0).execute(() -> before.set(ran.get()));
      release.countDown();
      Await.until("the confined task", () -> before.get() >= 0, scheduler::stats);
      Quiescence.await(scheduler);
      int most = 2 * SchedulerTuning.production().injectorInterval();
      assertTrue(before.get() <= most, () -> before + " of " + ran + " ran before");
    }
  }

  /** How often a task that publishes itself again by {@code busy} runs until one of the other. */
  private static int turnsUntil(WorkStealingScheduler scheduler, Executor busy, Executor waits) {
    AtomicInteger turns = new AtomicInteger();
    AtomicInteger waited = new AtomicInteger(-1);
    CountDownLatch isBusy = new CountDownLatch(1);
    CountDownLatch published = new CountDownLatch(1);
    busy.execute(
        new Runnable() {
          @Override
          public void run() {
            if (turns.incrementAndGet() == 1_000) {
              isBusy.countDown();
              Await.quietly(published); // so that no turn is counted before the publish
            }
            if (waited.get() < 0) {
              busy.execute(this);
            }
          }
        });
    Await.latch("a thousand turns", isBusy, scheduler::stats);
    waits.execute(() -> waited.set(turns.get() - 1_000));
    published.countDown();
    Await.until("the other", () -> waited.get() >= 0, scheduler::stats);
    Quiescence.await(scheduler);
    return waited.get();
  }

  @Test // G6
  void closeRunsWhatWasAcceptedAlsoBehindAWorkerThatStillRuns() {
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch started = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    var scheduler = WorkStealingScheduler.builder().parallelism(2).build();
    for (int w = 0; w < 2; w++) {
      int other = 1 - w;
      scheduler
          .confinedTo(w)
          .execute(
              () -> {
                started.countDown();
                Await.quietly(goOn);
                // A continuation for a worker that may be resting meanwhile.
                assertTrue(
                    scheduler
                        .adapter()
                        .publishContinuationTo(
                            other,
                            () ->
                                scheduler
                                    .adapter()
                                    .publishContinuationTo(1 - other, ran::incrementAndGet)));
              });
      for (int i = 0; i < 1_000; i++) {
        scheduler.confinedTo(w).execute(ran::incrementAndGet);
      }
    }
    Await.latch("both workers run", started, scheduler::stats);
    scheduler.shutdown();
    assertThrows(RejectedExecutionException.class, () -> scheduler.confinedTo(0).execute(() -> {}));
    goOn.countDown();
    scheduler.close();
    assertEquals(2_002, ran.get());
    assertFalse(scheduler.adapter().publishContinuationTo(0, ran::incrementAndGet), "it has ended");
    assertEquals(scheduler.stats().published(), scheduler.stats().executed());
  }

  @Test // F14
  void shutdownNowGivesThemBack() {
    var scheduler = WorkStealingScheduler.builder().parallelism(1).build();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          started.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            return; // that is what ends it
          }
        });
    Await.latch("the worker is busy", started, scheduler::stats);
    Runnable one = () -> {};
    Runnable two = () -> {};
    scheduler.confinedTo(0).execute(one);
    scheduler.confinedTo(0).execute(two);
    assertEquals(List.of(one, two), scheduler.shutdownNow());
    scheduler.close();
  }

  @Test
  void aWorkerThatDoesNotExistIsNamed() {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(2).build()) {
      for (int wrong : Set.of(-1, 2)) {
        var e = assertThrows(IllegalArgumentException.class, () -> scheduler.confinedTo(wrong));
        assertEquals("worker must be 0 to 1: " + wrong, e.getMessage());
      }
      assertThrows(NullPointerException.class, () -> scheduler.confinedTo(0).execute(null));
    }
  }

  private static void block(
      WorkStealingScheduler scheduler, CountDownLatch blocks, CountDownLatch release) {
    Sections.block(
        scheduler,
        () -> {
          blocks.countDown();
          Await.quietly(release);
        });
  }
}
