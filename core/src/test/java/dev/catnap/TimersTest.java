package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.MonotonicClock;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G11: timers. */
@ExtendWith(NoThreadLeft.class)
@SuppressWarnings("FutureReturnValueIgnored") // latches tell more
class TimersTest {

  @Test
  void noTimerFiresBeforeItsDeadline() {
    try (var scheduler = TestPools.withoutSpares(2).build()) {
      int n = 5_000;
      CountDownLatch fired = new CountDownLatch(n);
      AtomicInteger early = new AtomicInteger();
      for (int i = 0; i < n; i++) {
        long delay = TimeUnit.MICROSECONDS.toNanos((i * 7_919L) % 100_000);
        long armed = System.nanoTime();
        scheduler.schedule(
            () -> {
              if (System.nanoTime() - armed < delay) {
                early.incrementAndGet();
              }
              fired.countDown();
            },
            delay,
            TimeUnit.NANOSECONDS);
      }
      Await.latch("every timer", fired, scheduler::stats);
      assertEquals(0, early.get());
      assertEquals(0, scheduler.stats().armedTimers());
    }
  }

  /** F9: it does not run again, and whoever waits for it is told. */
  @ParameterizedTest
  @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class})
  void aPeriodicTaskThatCannotBeArmedAgainFails(Class<? extends Error> type) throws Exception {
    Error none = type.getConstructor().newInstance();
    AtomicBoolean fails = new AtomicBoolean();
    MonotonicClock clock =
        new MonotonicClock() {
          @Override
          public long nanoTime() {
            if (Thread.currentThread() instanceof WorkerThread
                && fails.compareAndSet(true, false)) {
              throw none;
            }
            return System.nanoTime();
          }

          @Override
          public void parkNanos(Object blocker, long nanos) {
            MonotonicClock.SYSTEM.parkNanos(blocker, nanos);
          }
        };
    SchedulerTuning tuning = SchedulerTuning.production().withClock(clock);
    try (var scheduler = TestPools.withoutSpares(1).tuning(tuning).build()) {
      var periodic =
          scheduler.scheduleWithFixedDelay(() -> fails.set(true), 1, 1, TimeUnit.MILLISECONDS);
      var told =
          assertThrows(
              ExecutionException.class,
              () -> periodic.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      assertSame(none, told.getCause());
      assertEquals(0, scheduler.stats().armedTimers());
    }
  }

  /** As of a ScheduledThreadPoolExecutor. */
  @Test
  void aFixedRateMakesUpForWhatWasLate_aFixedDelayDoesNot() {
    ManualClock clock = new ManualClock();
    SchedulerTuning tuning = SchedulerTuning.production().withClock(clock);
    try (var scheduler = TestPools.withoutSpares(1).tuning(tuning).build()) {
      AtomicInteger atRate = new AtomicInteger();
      AtomicInteger withDelay = new AtomicInteger();
      scheduler.scheduleAtFixedRate(atRate::incrementAndGet, 10, 10, TimeUnit.MILLISECONDS);
      scheduler.scheduleWithFixedDelay(withDelay::incrementAndGet, 10, 10, TimeUnit.MILLISECONDS);
      clock.advance(Duration.ofMillis(35));
      Await.until(
          "both wait for their next time",
          () ->
              withDelay.get() > 0
                  && atRate.get() > 2
                  && scheduler.stats().armedTimers() == 2
                  && scheduler.stats().parkedWorkers() == 1,
          scheduler::stats);
      assertEquals(3, atRate.get(), "of 10, 20 and 30 ms");
      assertEquals(1, withDelay.get());
    }
  }

  @Test
  void anEarlierTimerArmedLaterFiresFirst() throws Exception {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      ScheduledFuture<?> late = scheduler.schedule(() -> 0, 1, TimeUnit.HOURS);
      try {
        for (int i = 0; i < 20; i++) { // the first may come before the timer thread looks at all
          ScheduledFuture<Integer> early = scheduler.schedule(() -> 7, 1, TimeUnit.MILLISECONDS);
          assertEquals(7, early.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
        }
        assertFalse(late.isDone());
        assertTrue(late.getDelay(TimeUnit.MINUTES) > 50);
        assertTrue(late.cancel(false));
      } catch (TimeoutException e) {
        scheduler.shutdownNow(); // a timer that is never due would hold close up for ever
        throw e;
      }
    }
  }

  /**
   * Whoever fires them: the timer thread into the injector, or the worker into its own queue. Half
   * of the rounds come due while the worker is in a task. One moment of this, as a script: {@code
   * TimerOrderTest}.
   */
  @Test
  void timersRunInTheOrderOfTheirDeadlines_onOneWorker() {
    int n = 1_000;
    List<Integer> inOrder = IntStream.range(0, n).boxed().toList();
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      for (int round = 0; round < 40; round++) {
        List<Integer> ran = new ArrayList<>(); // of the worker alone, until the last has run
        CountDownLatch armed = new CountDownLatch(1);
        CountDownLatch last = new CountDownLatch(n);
        if (round % 2 == 0) {
          scheduler.execute(
              () -> {
                Await.latch("arming", armed, scheduler::stats);
                long start = System.nanoTime();
                while (System.nanoTime() - start < 2_000_000) { // until they are due
                  Thread.onSpinWait();
                }
              });
        }
        for (int i = 0; i < n; i++) {
          int number = i;
          scheduler.schedule(
              () -> {
                ran.add(number);
                last.countDown();
              },
              1,
              TimeUnit.MILLISECONDS);
        }
        armed.countDown();
        Await.latch("every timer", last, scheduler::stats);
        assertEquals(inOrder, ran);
      }
    }
  }

  /**
   * Each is armed by another thread; where several workers run, that is in another place each time.
   */
  @Test
  void timersRunInTheOrderOfTheirDeadlines_whereOneWorkerIsLeft() throws Exception {
    int n = 40;
    ManualClock clock = new ManualClock();
    SchedulerTuning tuning = SchedulerTuning.production().withClock(clock);
    try (var scheduler = TestPools.withoutSpares(4).tuning(tuning).build()) {
      scheduler.setParallelism(1);
      List<Integer> ran = new ArrayList<>(); // of the worker alone, until the last has run
      CountDownLatch last = new CountDownLatch(n);
      for (int i = 0; i < n; i++) {
        int number = i;
        Runnable task =
            () -> {
              ran.add(number);
              last.countDown();
            };
        Thread armer =
            new Thread(() -> scheduler.schedule(task, number + 1, TimeUnit.MILLISECONDS), "armer");
        armer.start();
        armer.join();
      }
      assertEquals(Duration.ofMillis(1), clock.awaitParked("-timer"));
      clock.advance(Duration.ofMillis(n));
      Await.latch("every timer", last, scheduler::stats);
      assertEquals(IntStream.range(0, n).boxed().toList(), ran);
    }
  }

  @Test
  void aMillionArmedAndCancelledTimersLeaveNothing() {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      int n = 1_000_000;
      List<ScheduledFuture<?>> timers = new ArrayList<>(n);
      for (int i = 0; i < n; i++) {
        timers.add(scheduler.schedule(() -> {}, 1_000 + (i * 31L) % 1_000, TimeUnit.SECONDS));
      }
      assertEquals(n, scheduler.stats().armedTimers());
      timers.forEach(t -> assertTrue(t.cancel(false)));
      assertEquals(0, scheduler.stats().armedTimers());
      Quiescence.await(scheduler);
      assertEquals(0, scheduler.stats().executed(), "cancelled timers run nothing");
    }
  }

  @Test
  void aTimerFiresInABusyPool() {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      CountDownLatch fired = new CountDownLatch(1);
      scheduler.schedule(fired::countDown, 5, TimeUnit.MILLISECONDS);
      scheduler.execute(thatGoesOnUntil(fired, scheduler));
      Await.latch("the timer beside a task that submits itself for ever", fired, scheduler::stats);
    }
  }

  private static Runnable thatGoesOnUntil(CountDownLatch end, WorkStealingScheduler scheduler) {
    return new Runnable() {
      @Override
      public void run() {
        if (end.getCount() > 0) {
          scheduler.execute(this);
        }
      }
    };
  }

  /**
   * The clock stands still, so that the timer thread never comes: it leaves them a millisecond.
   * Those that others have armed may be in the care of the worker that cannot help.
   */
  @Test
  void aWorkerFiresWhatIsDueBetweenTwoOfManyTasks() {
    ManualClock clock = new ManualClock();
    SchedulerTuning tuning = SchedulerTuning.production().withClock(clock);
    CountDownLatch end = new CountDownLatch(1);
    try (var scheduler = TestPools.withoutSpares(2).tuning(tuning).build()) {
      try {
        CountDownLatch otherIsBusy = new CountDownLatch(1);
        scheduler.submit(
            () -> {
              otherIsBusy.countDown();
              end.await(); // however long: it must not look for timers
              return null;
            });
        Await.latch("the other worker cannot help", otherIsBusy, scheduler::stats);
        Duration delay = Duration.ofMillis(1);
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch fired = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              scheduler.execute(thatGoesOnUntil(end, scheduler));
              scheduler.execute(thatGoesOnUntil(end, scheduler));
              scheduler.schedule(fired::countDown, delay.toNanos(), TimeUnit.NANOSECONDS);
              busy.countDown();
            });
        Await.latch("a queue that never runs dry", busy, scheduler::stats);
        CountDownLatch firedOfOthers = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
          Thread other =
              new Thread(
                  () ->
                      scheduler.schedule(
                          firedOfOthers::countDown, delay.toNanos(), TimeUnit.NANOSECONDS));
          other.start();
          Await.until("it is armed", () -> !other.isAlive(), scheduler::stats);
        }
        clock.advance(delay);
        Await.latch("its own timer", fired, scheduler::stats);
        clock.advance(Duration.ofNanos(600_000));
        Await.latch("the timers of others", firedOfOthers, scheduler::stats);
      } finally {
        end.countDown();
      }
    }
  }

  @Test
  void periodicTasksKeepTheirDistance() throws Exception {
    try (var scheduler = TestPools.withoutSpares(2).build()) {
      long start = System.nanoTime();
      CountDownLatch fixedRate = new CountDownLatch(20);
      AtomicLong early = new AtomicLong();
      AtomicLong runs = new AtomicLong();
      var rate =
          scheduler.scheduleAtFixedRate(
              () -> {
                long due = runs.getAndIncrement() * 2_000_000;
                if (System.nanoTime() - start < due) {
                  early.incrementAndGet();
                }
                fixedRate.countDown();
              },
              0,
              2,
              TimeUnit.MILLISECONDS);
      CountDownLatch fixedDelay = new CountDownLatch(20);
      AtomicLong lastEnd = new AtomicLong(System.nanoTime() - 10_000_000);
      var delay =
          scheduler.scheduleWithFixedDelay(
              () -> {
                if (System.nanoTime() - lastEnd.get() < 2_000_000) {
                  early.incrementAndGet();
                }
                fixedDelay.countDown();
                lastEnd.set(System.nanoTime());
              },
              0,
              2,
              TimeUnit.MILLISECONDS);
      Await.latch("fixed rate", fixedRate, scheduler::stats);
      Await.latch("fixed delay", fixedDelay, scheduler::stats);
      assertTrue(rate.cancel(false));
      assertTrue(delay.cancel(false));
      assertEquals(0, early.get());
      Await.until("both are gone", () -> scheduler.stats().armedTimers() == 0, scheduler::stats);
    }
  }

  @Test
  void aPeriodicTaskThatThrowsEndsAndTellsItsFuture() throws Exception {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      AtomicInteger runs = new AtomicInteger();
      var future =
          scheduler.scheduleAtFixedRate(
              () -> {
                if (runs.incrementAndGet() == 3) {
                  throw new IllegalStateException("third time");
                }
              },
              0,
              1,
              TimeUnit.MILLISECONDS);
      var e =
          org.junit.jupiter.api.Assertions.assertThrows(
              java.util.concurrent.ExecutionException.class, future::get);
      assertEquals("third time", e.getCause().getMessage());
      assertEquals(3, runs.get());
    }
  }

  @Test
  void theLongestDelayNeitherOverflowsNorFires() {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      var never = scheduler.schedule(() -> {}, Long.MAX_VALUE, TimeUnit.DAYS);
      var atOnce = scheduler.schedule(() -> {}, Long.MIN_VALUE, TimeUnit.DAYS);
      Await.until("the one in the past", atOnce::isDone, scheduler::stats);
      assertFalse(never.isDone());
      never.cancel(true);
    }
  }
}
