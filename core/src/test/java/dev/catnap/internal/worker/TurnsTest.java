package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.spi.SchedulerTuning;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** G5: the bounds in tasks are bounds in time as well. */
class TurnsTest {
  private static final int INTERVAL = SchedulerTuning.production().injectorInterval();
  private static final long LONG_TASK = 2_000_000;

  private long now = 1_000_000_000;
  private final Turns turns = new Turns(SchedulerTuning.production(), false, () -> now);

  @BeforeEach
  void start() {
    turns.resume(true);
  }

  /** Own tasks of so many nanoseconds each, until it is time to look at the injector. */
  private int ownTasksUntilALook(long nanos) {
    for (int n = 1; ; n++) {
      now += nanos;
      if (turns.next() && !turns.isBackgroundsTurn() && turns.isInjectorsTurn()) {
        return n;
      }
    }
  }

  @Test
  void shortTasksLeaveTheIntervalAsItIs_andOneTaskIsATurn() {
    for (int i = 0; i < 5; i++) {
      assertEquals(INTERVAL, ownTasksUntilALook(1_000));
    }
  }

  /** Two tasks before the last look. */
  private void runLongTasks() {
    ownTasksUntilALook(LONG_TASK);
    turns.nothingIsInjected();
    assertEquals(2, ownTasksUntilALook(LONG_TASK));
  }

  @Test
  void longTasksShortenIt() {
    assertEquals(INTERVAL, ownTasksUntilALook(LONG_TASK));
    turns.nothingIsInjected();
    assertEquals(2, ownTasksUntilALook(LONG_TASK));
  }

  @Test
  void shortTasksMakeItLongAgain() {
    runLongTasks();
    turns.nothingIsInjected();
    assertEquals(2, ownTasksUntilALook(1_000));
    assertEquals(INTERVAL, ownTasksUntilALook(1_000));
  }

  @Test
  void theWorkerLooksAfterAsManyTasksAsFit() {
    ownTasksUntilALook(10_000);
    turns.nothingIsInjected();
    for (int i = 0; i < 5; i++) {
      assertEquals(Turns.LOOK_NANOS / 10_000, ownTasksUntilALook(10_000));
    }
  }

  @Test
  void afterLongTasksOthersHaveATurnOfTheSameTime() {
    runLongTasks();
    int injected = 1; // that look was the first
    long end = now + 2 * LONG_TASK;
    while (now < end) {
      now += 10_000;
      boolean theirs = turns.next() && turns.isInjectorsTurn();
      assertEquals(now < end, theirs, "after " + injected);
      injected++;
    }
    assertEquals(401, injected, "4 ms of tasks of 10 us, and the look that finds it over");
    assertEquals(2, ownTasksUntilALook(LONG_TASK));
  }

  @Test
  void aTurnEndsWhenNothingIsLeft() {
    runLongTasks();
    turns.nothingIsInjected();
    assertFalse(turns.next(), "its own again");
  }

  @Test
  void whoWasNotRunForLongDoesNotOweAllThatTime() {
    now += 60_000_000_000L;
    ownTasksUntilALook(1);
    now += Turns.LONGEST_TURN_NANOS;
    assertTrue(turns.next());
    assertFalse(turns.isInjectorsTurn());
  }

  /** Asleep, as a spare, without its right in a section, or between two threads that run it. */
  @Test
  void timeInWhichItIsPausedIsNoTimeOfItsOwnTasks() {
    turns.pause();
    now += 60_000_000_000L;
    turns.resume(true);
    assertEquals(INTERVAL, ownTasksUntilALook(1_000));
    assertEquals(INTERVAL, ownTasksUntilALook(1_000), "no turn that lasts");
  }

  /** A search that ends with a batch. */
  @Test
  void whatItTakesFromTheInjectorEndsThePause() {
    turns.next();
    turns.pause();
    now += 60_000_000_000L;
    turns.lookedAtInjector(0);
    now += LONG_TASK;
    turns.resume(true); // not: it is running already
    assertEquals(INTERVAL, ownTasksUntilALook(1_000), "as long as before the pause");
    turns.lookedAtInjector(0); // that turn was long
    assertTrue(ownTasksUntilALook(1_000) < INTERVAL);
  }

  /** What was injected in order is not overtaken by what was injected later. */
  @Test
  void aBatchIsGoneBeforeTheNextLook() {
    runLongTasks();
    turns.lookedAtInjector(40);
    assertEquals(41, ownTasksUntilALook(LONG_TASK));
  }

  /** G11: however often batches put off the look at the injector. */
  @Test
  void timersOfAWorkerThatIsAloneHaveATurnOfTheirOwn() {
    Turns alone = new Turns(SchedulerTuning.production(), true, () -> now);
    assertInTurnBesideBatches(alone, alone::isTimersTurn, INTERVAL);
  }

  /** The same for the background. */
  @Test
  void theBackgroundHasATurnOfItsOwn() {
    assertInTurnBesideBatches(
        turns, turns::isBackgroundsTurn, Turns.BACKGROUND_INTERVAL * INTERVAL);
  }

  /** Else its 30 ms in 500 tasks of 10 us are six sevenths of the worker. */
  @Test
  void longTasksInTheBackgroundLeaveTheOthersSixteenTimesAsLong() {
    assertOthersHaveAfterABackgroundTask(16 * 30, 30);
    assertOthersHaveAfterABackgroundTask(16 * 30, 30); // each time
  }

  @Test
  void theBackgroundDoesNotWaitLongerThanASecond() {
    assertOthersHaveAfterABackgroundTask(1_000, 100_000);
  }

  /** What came after the look at an empty background is not its fault. */
  @Test
  void aTurnWithoutATaskInTheBackgroundDelaysNone() {
    runUntilBackgroundsTurn();
    now += TimeUnit.SECONDS.toNanos(1); // a task of others
    long bound = 10_000L * Turns.BACKGROUND_INTERVAL * INTERVAL;
    assertTrue(runUntilBackgroundsTurn() <= bound);
  }

  /** In milliseconds; of tasks of 10 us, so that some 5 ms lie between two looks. */
  private void assertOthersHaveAfterABackgroundTask(long expected, long took) {
    runUntilBackgroundsTurn();
    turns.tookFromBackground();
    now += TimeUnit.MILLISECONDS.toNanos(took);
    long others = TimeUnit.NANOSECONDS.toMillis(runUntilBackgroundsTurn());
    assertTrue(expected <= others && others < expected + 10, () -> others + " ms");
  }

  private long runUntilBackgroundsTurn() {
    long start = now;
    while (!(turns.next() && turns.isBackgroundsTurn())) {
      now += 10_000;
    }
    return now - start;
  }

  /** Short tasks, a batch of 30 at a time. */
  private void assertInTurnBesideBatches(Turns turns, BooleanSupplier turn, int bound) {
    turns.resume(true);
    int since = 0;
    for (int n = 1; n <= 10 * bound; n++) {
      now += 1_000;
      since++;
      if (turns.next() && turn.getAsBoolean()) {
        since = 0;
      }
      assertTrue(since < bound, "after " + n);
      if (n % 30 == 0) {
        turns.lookedAtInjector(29);
      }
    }
  }

  /** G11: the interval in tasks is one in time for them as well. */
  @Test
  void timersOfAWorkerThatIsAloneDoNotWaitForSixtyLongTasks() {
    Turns alone = new Turns(SchedulerTuning.production(), true, () -> now);
    alone.resume(true);
    int sinceTimers = 0;
    for (int n = 1; n <= 10 * INTERVAL; n++) {
      now += LONG_TASK;
      sinceTimers++;
      if (alone.next()) {
        if (alone.isTimersTurn()) {
          sinceTimers = 0;
        }
        if (alone.isInjectorsTurn()) {
          alone.nothingIsInjected();
        }
      }
      assertTrue(n <= 2 * INTERVAL || sinceTimers <= 2, "after " + n);
    }
  }

  /** A model checker repeats runs. */
  @Test
  void withoutASentinelNothingDependsOnTime() {
    Turns untimed =
        new Turns(
            SchedulerTuning.production().withSentinel(0, 0),
            false,
            () -> {
              throw new AssertionError("it asked for the time");
            });
    untimed.resume(true);
    for (int look = 0; look < 2; look++) {
      for (int n = 1; n < INTERVAL; n++) {
        assertFalse(untimed.next());
      }
      assertTrue(untimed.next());
      assertTrue(untimed.isInjectorsTurn());
    }
  }

  @Test
  void aTaskIsLongThatHasRunForLong_orComesAfterSuchTasks() {
    assertFalse(turns.isInLongTask());
    now += Turns.LONG_TASK_NANOS + 1;
    assertTrue(turns.isInLongTask());
    turns.pause();
    assertFalse(turns.isInLongTask(), "it searches, sleeps, or blocks");
    turns.resume(true);
    assertFalse(turns.isInLongTask());
    for (int i = 0; i < 10; i++) {
      turns.next();
      now += 1_000;
      assertFalse(turns.isInLongTask());
    }
    now += 10 * Turns.LONG_TASK_NANOS;
    assertTrue(turns.isInLongTask());
  }

  /** Up to there it is worth a worker of its own what one makes ready. */
  @Test
  void tasksAreCoarseByTheirAverage() {
    runTasks(10, Sentinel.FINE_TASK_NANOS);
    assertFalse(turns.isCoarse());
    now += 1;
    assertTrue(turns.isCoarse());
    turns.pause();
    assertFalse(turns.isCoarse(), "it searches, sleeps, or blocks");
  }

  /** A coroutine that starts another one first thing. */
  @Test
  void theFirstTaskAfterASearchIsAsThoseBefore() {
    runTasks(2, 2 * Sentinel.FINE_TASK_NANOS);
    search();
    assertTrue(turns.isCoarse());
    turns.next();
    assertFalse(turns.isCoarse(), "one task has been run, in no time");
    search();
    assertFalse(turns.isCoarse());
  }

  /** What takes long is the search. */
  @Test
  void aSearchInVainTellsNothing() {
    runTasks(2, 2 * Sentinel.FINE_TASK_NANOS);
    search();
    search();
    assertTrue(turns.isCoarse());
  }

  /** The thread has begun, or a search has ended, without a task: it looks for one, in vain. */
  @Test
  void aLookInVainIsNoTask() {
    turns.pause();
    turns.resume(false);
    now += 2 * Sentinel.FINE_TASK_NANOS;
    turns.next();
    search();
    assertFalse(turns.isCoarse());
  }

  @Test
  void sixteenTasksAreRunSoonAfterAPause() {
    turns.pause();
    turns.resume(true);
    for (int i = 0; i < 16; i++) {
      boolean ignored = turns.next();
      assertTrue(turns.isSoonAfterPause());
    }
    boolean ignored = turns.next();
    assertFalse(turns.isSoonAfterPause());
    turns.resume(true); // it has not paused
    assertFalse(turns.isSoonAfterPause());
  }

  @Test
  void theFirstTaskAfterALookIsAsThoseBefore() {
    ownTasksUntilALook(2 * Sentinel.FINE_TASK_NANOS);
    assertTrue(turns.isCoarse());
  }

  private void runTasks(int n, long nanos) {
    for (int i = 0; i < n; i++) {
      now += nanos;
      turns.next();
    }
  }

  private void search() {
    turns.pause();
    now += LONG_TASK;
    turns.resume(true);
  }
}
