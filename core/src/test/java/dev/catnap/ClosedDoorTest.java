package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.blocking.SectionForecast;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * G1, G9: a worker in a declared section keeps no task in its slot from others. No time passes for
 * the sentinel, so it gets nothing out.
 */
@ExtendWith(NoThreadLeft.class)
class ClosedDoorTest {
  private static final int PARALLELISM = 2;

  private static WorkStealingScheduler pool() {
    return TestPools.withSentinelThere(
        WorkStealingScheduler.builder()
            .parallelism(PARALLELISM)
            .tuning(
                SchedulerTuning.production()
                    .withClock(new ManualClock())
                    .withProcessors(PARALLELISM)) // nobody on standby
            .build());
  }

  /** The test is on one worker. The other one sleeps; or is in a task that ends with it. */
  private static void run(WorkStealingScheduler scheduler, boolean othersSleep, Runnable test)
      throws Exception {
    Quiescence.await(scheduler);
    CountDownLatch over = new CountDownLatch(1);
    try {
      if (!othersSleep) {
        CountDownLatch begun = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              begun.countDown();
              while (over.getCount() != 0) {
                Thread.onSpinWait();
              }
            });
        Await.latch("a task that keeps the other worker", begun, scheduler::stats);
      }
      Future<?> done = scheduler.submit(test);
      done.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    } finally {
      over.countDown();
    }
    Quiescence.await(scheduler);
  }

  /** Into the slot of the caller: the sentinel comes for that, so nobody else is told. */
  private static CountDownLatch publishNext(
      WorkStealingScheduler scheduler, AtomicReference<Thread> ranOn) {
    CountDownLatch ran = new CountDownLatch(1);
    scheduler
        .adapter()
        .publish(
            () -> {
              ranOn.set(Thread.currentThread());
              ran.countDown();
            },
            Placement.NEXT);
    return ran;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsInTheSlotWhenASectionBeginsIsSeenAtOnce(boolean othersSleep) throws Exception {
    try (var scheduler = pool()) {
      run(
          scheduler,
          othersSleep,
          () -> {
            AtomicReference<Thread> ranOn = new AtomicReference<>();
            CountDownLatch ran = publishNext(scheduler, ranOn);
            Sections.block(
                scheduler, () -> Await.latch("the task in the slot", ran, scheduler::dump));
            assertNotSame(Thread.currentThread(), ranOn.get());
          });
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsPublishedNextInASectionIsSeenAtOnce(boolean othersSleep) throws Exception {
    try (var scheduler = pool()) {
      run(
          scheduler,
          othersSleep,
          () ->
              Sections.block(
                  scheduler,
                  () -> {
                    AtomicReference<Thread> ranOn = new AtomicReference<>();
                    CountDownLatch ran = publishNext(scheduler, ranOn);
                    Await.latch("the next task", ran, scheduler::dump);
                    assertNotSame(Thread.currentThread(), ranOn.get());
                  }));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasKeptForTheEndIsSeenIfTheSectionGoesOn(boolean othersSleep) throws Exception {
    try (var scheduler = pool()) {
      SchedulerAdapter adapter = scheduler.adapter();
      run(
          scheduler,
          othersSleep,
          () -> {
            assertTrue(adapter.beginBlocking(() -> true));
            AtomicReference<Thread> ranOn = new AtomicReference<>();
            CountDownLatch ran = publishNext(scheduler, ranOn);
            adapter.blockingGoesOn();
            Await.latch("the task in the slot", ran, scheduler::dump);
            assertNotSame(Thread.currentThread(), ranOn.get());
            adapter.endBlocking();
          });
    }
  }

  /** Called for a declared task, beside a right that nobody needed before. */
  @Test
  void oneWithoutARightDemandsOneForWhatItHadInItsSlot() throws Exception {
    try (var scheduler = pool()) {
      CountDownLatch done = new CountDownLatch(1);
      run(
          scheduler,
          false,
          () ->
              Sections.block(
                  scheduler,
                  () -> {
                    assertTrue(
                        scheduler
                            .adapter()
                            .publishDeclared(
                                () -> {
                                  CountDownLatch ran =
                                      publishNext(scheduler, new AtomicReference<>());
                                  Sections.block(
                                      scheduler,
                                      () -> Await.latch("its next", ran, scheduler::dump));
                                  done.countDown();
                                },
                                Placement.QUEUED));
                    Await.latch("the declared task", done, scheduler::dump);
                  }));
    }
  }

  /** It comes back at once, and runs it with its data in the cache; nobody is woken (G3). */
  @Test
  void atTheEndOfASectionTheNextTaskStays() throws Exception {
    try (var scheduler = pool()) {
      SchedulerAdapter adapter = scheduler.adapter();
      AtomicReference<Thread> ranOn = new AtomicReference<>();
      AtomicReference<Thread> publishedOn = new AtomicReference<>();
      Quiescence.await(scheduler);
      long wakes = scheduler.stats().wakes();
      run(
          scheduler,
          true,
          () -> {
            publishedOn.set(Thread.currentThread());
            assertTrue(adapter.beginBlocking(() -> true));
            publishNext(scheduler, ranOn);
            adapter.endBlocking();
          });
      assertSame(publishedOn.get(), ranOn.get());
      assertEquals(1, scheduler.stats().wakes() - wakes, "for the task from outside");
    }
  }

  /** The bet: its door is closed for some microseconds, and the sentinel sees to it if not. */
  @Test
  void whoIsSureOfAShortSectionKeepsItsSlot() throws Exception {
    try (var scheduler = pool()) {
      AtomicReference<Thread> ranOn = new AtomicReference<>();
      AtomicReference<Thread> publishedOn = new AtomicReference<>();
      Quiescence.await(scheduler);
      long wakes = scheduler.stats().wakes();
      run(
          scheduler,
          true,
          () -> {
            for (int i = 0; i < SectionForecast.AVERAGED; i++) {
              Sections.block(scheduler, () -> {});
            }
            publishedOn.set(Thread.currentThread());
            publishNext(scheduler, ranOn);
            Sections.block(scheduler, () -> {});
          });
      assertSame(publishedOn.get(), ranOn.get());
      assertEquals(1, scheduler.stats().wakes() - wakes, "for the task from outside");
    }
  }
}
