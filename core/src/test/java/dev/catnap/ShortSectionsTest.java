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
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G9: a worker whose sections have all been short keeps its right to run, unless one lasts. */
@ExtendWith(NoThreadLeft.class)
class ShortSectionsTest {
  private static final SchedulerTuning PRODUCTION = SchedulerTuning.production();
  private static final Duration SLOT_TICK = Duration.ofNanos(PRODUCTION.slotTickNanos());
  private static final Duration STALL_TICK = Duration.ofNanos(PRODUCTION.stallTickNanos());

  /** More than may be lost on credit, and less than what is counted of one section. */
  private static final Duration TOO_LONG = Duration.ofMillis(8);

  /** Then nobody remembers a section that lasted. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(1);

  /** A section is short if it stands still meanwhile, however busy the machine is. */
  private final ManualClock clock = new ManualClock();

  @Test
  void aWorkerWhoseSectionsAreShortKeepsItsRight() throws Exception {
    try (var scheduler = pool(1, PRODUCTION)) {
      Future<?> sections =
          scheduler.submit(
              () -> {
                assertFalse(keepsRightInASection(scheduler), "nothing is known of its sections");
                becomeSure(scheduler);
              });
      sections.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** The latch makes its thread wait; the loop is what a read from a socket is to the JVM. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneThatLastsAfterManyShortOnesIsReplaced(boolean runs) throws Exception {
    try (var scheduler = pool(1, PRODUCTION)) {
      for (int round = 0; round < 10; round++) {
        CountDownLatch blocks = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        Future<?> section =
            scheduler.submit(
                () -> {
                  becomeSure(scheduler);
                  scheduler.execute(ran::countDown);
                  Sections.block(
                      scheduler,
                      () -> {
                        blocks.countDown();
                        await(ran, runs, scheduler);
                      });
                });
        Await.latch("the section", blocks, scheduler::dump);
        assertEquals(1, ran.getCount(), "it keeps its right");
        Await.until(
            "a task of the worker that blocks",
            () -> {
              clock.advance(SLOT_TICK);
              return ran.getCount() == 0;
            },
            scheduler::dump);
        section.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
        Quiescence.await(scheduler);
        assertEquals(0, scheduler.stats().relievedWorkers());
        clock.advance(FORGOTTEN);
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
    try (var scheduler = pool(1, PRODUCTION)) {
      Future<Boolean> kept =
          scheduler.submit(
              () -> {
                becomeSure(scheduler);
                Sections.block(scheduler, () -> clock.advance(TOO_LONG));
                return keepsRightInASection(scheduler);
              });
      assertFalse(kept.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
  }

  /** Else it would look again only after its slow tick. */
  @Test
  void oneThatKeepsItsRightHurriesTheSentinel() throws Exception {
    CountingParker parker = new CountingParker();
    try (var scheduler = pool(1, PRODUCTION.withParker(parker))) {
      CountDownLatch published = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      CountDownLatch ran = new CountDownLatch(1);
      Future<?> section =
          submitUncalled(
              scheduler,
              parker,
              () -> {
                becomeSure(scheduler);
                scheduler.execute(ran::countDown);
                published.countDown();
                Await.quietly(goOn);
                Sections.block(scheduler, () -> await(ran, false, scheduler));
              });
      Await.latch("a task waits", published, scheduler::dump);
      assertEquals(STALL_TICK, clock.awaitParked("-sentinel"), "everybody runs, and it rests");
      goOn.countDown();
      clock.awaitParkedFor(SLOT_TICK);
      clock.advance(SLOT_TICK);
      section.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Or each look of the sentinel would take a right from those who read in a loop. */
  @Test
  void inALongTaskARightIsKeptWhileEachSectionIsShort() throws Exception {
    CountingParker parker = new CountingParker();
    try (var scheduler = pool(1, PRODUCTION.withParker(parker))) {
      Future<?> task =
          submitUncalled(
              scheduler,
              parker,
              () -> {
                Watched self = (Watched) ((WorkerThread) Thread.currentThread()).worker();
                becomeSure(scheduler);
                scheduler.execute(() -> {});
                scheduler.execute(() -> {}); // not in the slot alone: work is visible
                assertEquals(STALL_TICK, clock.awaitParked("-sentinel"), "it rests");
                Sections.block(scheduler, () -> clock.awaitParkedFor(SLOT_TICK));
                Duration half = SLOT_TICK.dividedBy(2);
                clock.advance(half);
                Sections.block(
                    scheduler,
                    () -> {
                      long rounds = scheduler.stats().sentinelRounds();
                      clock.advance(half);
                      assertEquals(rounds + 1, scheduler.stats().sentinelRounds());
                      assertTrue(self.keepsRight() && self.right().isHeld(), "half a tick");
                      clock.advance(SLOT_TICK);
                      assertTrue(self.right().isTaken(), "one and a half");
                    });
              });
      task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** G5: what is injected waits for it as it does for a task that computes. */
  @Test
  void aSectionInWhichTheRightIsKeptIsTimeOfTheWorkersOwnTasks() throws Exception {
    try (var scheduler = pool(1, PRODUCTION)) {
      Relay relay =
          new Relay(
              scheduler,
              () -> {
                becomeSure(scheduler);
                Duration section = Duration.ofNanos(SectionForecast.SHORT_NANOS);
                Sections.block(scheduler, () -> clock.advance(section));
              });
      scheduler.execute(relay);
      Await.latch("tasks of its own, one after the other", relay.ready, scheduler::dump);
      AtomicInteger overtaken = new AtomicInteger();
      scheduler.execute(() -> overtaken.set(relay.end()));
      relay.goOn.countDown();
      Await.latch("the injected task", relay.over, scheduler::dump);
      assertTrue(overtaken.get() <= 4, overtaken + " tasks of 50 us, where a look comes after 200");
    }
  }

  /** Others have run meanwhile, on its right. */
  @Test
  void aSectionWhoseRightIsTakenIsNoTimeOfTheWorkersOwnTasks() throws Exception {
    try (var scheduler = pool(1, PRODUCTION)) {
      CountDownLatch spareRuns = new CountDownLatch(1);
      CountDownLatch sectionIsOver = new CountDownLatch(1);
      Relay relay = new Relay(scheduler, () -> {});
      scheduler.execute(
          () -> {
            becomeSure(scheduler);
            scheduler.execute(
                () -> {
                  spareRuns.countDown();
                  Await.quietly(sectionIsOver);
                });
            Sections.block(
                scheduler,
                () ->
                    Await.until(
                        "a spare",
                        () -> {
                          clock.advance(SLOT_TICK);
                          return spareRuns.getCount() == 0;
                        },
                        scheduler::dump));
            sectionIsOver.countDown();
            Await.until(
                "the other one steps down",
                () -> scheduler.stats().spareThreads() == 1,
                scheduler::dump);
            relay.since = 0;
            relay.run();
          });
      Await.latch("its task goes on", relay.ready, scheduler::dump);
      AtomicInteger first = new AtomicInteger();
      AtomicInteger second = new AtomicInteger();
      scheduler.execute(() -> first.set(relay.since));
      scheduler.execute(() -> second.set(relay.end()));
      relay.goOn.countDown();
      Await.latch("the injected tasks", relay.over, scheduler::dump);
      assertTrue(second.get() - first.get() > 1, first + ", " + second + ": no turn that lasts");
    }
  }

  /** Tasks of one worker, one after the other. */
  private static final class Relay implements Runnable {
    final CountDownLatch ready = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    final CountDownLatch over = new CountDownLatch(1);
    private final WorkStealingScheduler scheduler;
    private final Runnable work;
    private int since = -200; // some looks, so that the worker knows how many fit
    private boolean ends;

    Relay(WorkStealingScheduler scheduler, Runnable work) {
      this.scheduler = scheduler;
      this.work = work;
    }

    @Override
    public void run() {
      if (ends) {
        over.countDown();
        return;
      }
      work.run();
      if (since++ == 0) {
        ready.countDown();
        Await.quietly(goOn);
      }
      scheduler.execute(this);
    }

    /** By the worker. */
    int end() {
      ends = true;
      return since - 1;
    }
  }

  /** The sentinel tells them. */
  @Test
  void whileOneLastsOtherWorkersLeaveTheirRights() throws Exception {
    try (var scheduler = pool(2, PRODUCTION)) {
      CountDownLatch begun = new CountDownLatch(2);
      CountDownLatch sure = new CountDownLatch(2);
      CountDownLatch blocks = new CountDownLatch(1);
      CountDownLatch replaced = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      Future<?> lasts =
          scheduler.submit(
              () -> {
                meet(begun); // else a section finds that the other task waits
                becomeSure(scheduler);
                meet(sure);
                scheduler.execute(replaced::countDown);
                Sections.block(
                    scheduler,
                    () -> {
                      blocks.countDown();
                      Await.quietly(goOn);
                    });
              });
      Future<Boolean> kept =
          scheduler.submit(
              () -> {
                meet(begun);
                becomeSure(scheduler);
                meet(sure);
                spinUntil(replaced); // it does not wait: the sentinel would take its right as well
                return keepsRightInASection(scheduler);
              });
      Await.latch("the section that lasts", blocks, scheduler::dump);
      clock.advance(TOO_LONG);
      Await.until(
          "the sentinel takes its right",
          () -> {
            clock.advance(SLOT_TICK); // and no tick more: some time later they have forgotten it
            return scheduler.stats().relievedWorkers() == 1;
          },
          scheduler::dump);
      assertFalse(kept.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      goOn.countDown();
      lasts.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** G8: what it waits for inside may be in the queue of its own pool. */
  @Test
  void aJoinInsideAShortSectionIsReplacedAtOnce() throws Exception {
    try (var scheduler = pool(1, PRODUCTION);
        var other = WorkStealingScheduler.builder().parallelism(1).build()) {
      Future<Integer> sum =
          scheduler.submit(
              () -> {
                becomeSure(scheduler);
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
   * To the one worker, which sleeps. If it ran before the publish is over, that would call the
   * sentinel, for nothing; and it would linger, and not rest.
   */
  private static Future<?> submitUncalled(
      WorkStealingScheduler scheduler, CountingParker parker, Runnable task) {
    Await.until("the worker is parked", () -> parker.parked() == 1, scheduler::stats);
    parker.hold();
    Future<?> submitted = scheduler.submit(task);
    parker.letAllGo();
    return submitted;
  }

  /** On a worker: from now on it keeps its right in each section that is short. */
  private static void becomeSure(WorkStealingScheduler scheduler) {
    int sections = 0;
    while (!keepsRightInASection(scheduler)) { // those before may have lasted
      assertTrue(
          ++sections < 8 * SectionForecast.AVERAGED, "a worker in a section keeps its right");
    }
  }

  private static boolean keepsRightInASection(WorkStealingScheduler scheduler) {
    Watched self = (Watched) ((WorkerThread) Thread.currentThread()).worker();
    boolean[] kept = new boolean[1];
    Sections.block(scheduler, () -> kept[0] = self.keepsRight());
    return kept[0];
  }

  private static void meet(CountDownLatch all) {
    all.countDown();
    spinUntil(all);
  }

  private static void spinUntil(CountDownLatch latch) {
    long since = System.nanoTime();
    long beyondTheDeadline = TimeUnit.SECONDS.toNanos(2 * Await.DEADLINE_SECONDS);
    while (latch.getCount() != 0 && System.nanoTime() - since < beyondTheDeadline) {
      Thread.onSpinWait();
    }
  }

  private WorkStealingScheduler pool(int parallelism, SchedulerTuning tuning) {
    return WorkStealingScheduler.builder()
        .parallelism(parallelism)
        .tuning(tuning.withClock(clock))
        .build();
  }
}
