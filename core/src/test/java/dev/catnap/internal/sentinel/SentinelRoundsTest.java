package dev.catnap.internal.sentinel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.sentinel.FakePool.FakeWorker;
import dev.catnap.spi.MonotonicClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the sentinel does in one round, on pools written down by hand (G1, G4, G9). */
class SentinelRoundsTest {
  private static final long SLOT_TICK = 100;
  private static final long CALM_TICK = 8 * SLOT_TICK;
  private static final long STALL_TICK = 1_000;
  private static final int FEW_TASKS = 10;
  private static final long FEW_TASKS_TICK = FEW_TASKS * Sentinel.FINE_TASK_NANOS;

  private final FakePool pool = new FakePool(2);
  private final FakeWorker first = pool.worker(0);
  private final FakeWorker second = pool.worker(1);
  private final List<Throwable> failures = new ArrayList<>();

  /** Its thread is never run: the test makes the rounds. */
  private final Sentinel sentinel = sentinel(SLOT_TICK);

  private Sentinel sentinel(long slotTick) {
    return new Sentinel(
        pool, slotTick, 10 * slotTick, MonotonicClock.SYSTEM, body -> true, failures::add);
  }

  @Test
  void withoutASlotInUseItGoesOffDuty() {
    assertTrue(sentinel.guardSlot());
    assertTrue(sentinel.isOnDuty());
    assertEquals(0, sentinel.round(0));
    assertFalse(sentinel.isOnDuty());
  }

  @Test
  void whileSlotsAreUsedItStays_alsoWhenTheyAreEmptyAtTheMomentOfTheLook() {
    sentinel.guardSlot();
    first.push();
    assertEquals(SLOT_TICK, sentinel.round(0));
    first.slotEmpty = true;
    first.begun++;
    first.slotted++;
    assertEquals(CALM_TICK, sentinel.round(SLOT_TICK));
    assertEquals(0, sentinel.round(SLOT_TICK + CALM_TICK), "nothing came since");
  }

  /** What lies in a slot may be there to stay. */
  @Test
  void afterALookAtAFilledSlotTheNextOneIsSoon_howeverFastItsWorkerGetsOn() {
    sentinel.guardSlot();
    first.push();
    for (int i = 0; i < 3; i++) {
      assertEquals(SLOT_TICK, sentinel.round(i * SLOT_TICK));
      first.begun += FEW_TASKS;
      first.slotted++;
    }
  }

  /** It may be a long one, and somebody must notice. */
  @Test
  void whileASectionKeepsItsRightTheNextLookIsSoon() {
    sentinel.guardSlot();
    first.slotted++;
    first.keepsRight = true;
    assertEquals(SLOT_TICK, sentinel.round(0));
    first.slotted++;
    first.keepsRight = false;
    assertEquals(CALM_TICK, sentinel.round(SLOT_TICK));
  }

  /** A wake for each request to a service, and three looks, cost more than to go on looking. */
  @Test
  void ifItIsCalledSoonAgain_itStaysForOneLookMore() {
    Deque<Runnable> whileParked = new ArrayDeque<>();
    AtomicReference<Runnable> body = new AtomicReference<>();
    List<Long> parks = new ArrayList<>();
    AtomicReference<Sentinel> made = new AtomicReference<>();
    made.set(
        new Sentinel(
            pool,
            SLOT_TICK,
            STALL_TICK,
            new MonotonicClock() {
              @Override
              public long nanoTime() {
                return 0;
              }

              @Override
              public void parkNanos(Object blocker, long nanos) {
                parks.add(nanos);
                Runnable next = whileParked.poll();
                if (next == null) {
                  made.get().close();
                } else {
                  next.run();
                }
              }
            },
            b -> {
              body.set(b);
              return true;
            },
            failures::add));
    whileParked.add(() -> made.get().guardSlot()); // it lingers
    whileParked.add(() -> {}); // until the next look
    assertTrue(made.get().guardSlot());
    body.get().run();
    assertEquals(List.of(STALL_TICK, CALM_TICK, STALL_TICK), parks);
  }

  @Test
  void aFreshTaskIsLeftToItsWorker_oneThatStaysIsExposedAndPublished() {
    sentinel.guardSlot();
    sentinel.round(0);
    sentinel.guardSlot();
    first.begun++;
    first.push();
    sentinel.round(SLOT_TICK);
    assertFalse(first.exposed);
    assertEquals(0, pool.publishes);
    sentinel.round(2 * SLOT_TICK); // the same task still runs
    assertTrue(first.exposed);
    assertEquals(1, pool.publishes);
    first.begun++;
    first.slotEmpty = true;
    sentinel.round(3 * SLOT_TICK);
    assertFalse(first.exposed, "it came back");
  }

  @Test
  void aWorkerThatBeginsFewTasksIsTold_andPublishesItself() {
    Sentinel s = sentinel(FEW_TASKS_TICK);
    s.guardSlot();
    s.round(0);
    for (int round = 1; round < 4; round++) {
      first.begun += FEW_TASKS - 1;
      second.begun += FEW_TASKS;
      first.push();
      second.push();
      s.round(round * FEW_TASKS_TICK);
      assertTrue(first.beginsFew);
      assertFalse(second.beginsFew);
      assertFalse(first.exposed);
    }
    assertEquals(0, pool.publishes);
    first.begun += FEW_TASKS;
    s.round(4 * FEW_TASKS_TICK);
    assertFalse(first.beginsFew, "many again");
  }

  /** It was called just after its last round. */
  @Test
  void howManyTasksItBeganInNoTimeTellsNothing() {
    Sentinel s = sentinel(FEW_TASKS_TICK);
    s.guardSlot();
    s.round(0);
    first.push();
    s.round(FEW_TASKS_TICK);
    assertTrue(first.beginsFew);
    first.begun++;
    first.push();
    s.round(FEW_TASKS_TICK + 1);
    assertTrue(first.beginsFew);
  }

  /** Nobody has looked meanwhile. */
  @Test
  void howManyTasksItBeganOffDutyTellsNothing() {
    Sentinel s = sentinel(FEW_TASKS_TICK);
    s.guardSlot();
    s.round(0);
    s.forget();
    first.push();
    s.round(FEW_TASKS_TICK);
    assertFalse(first.beginsFew);
  }

  @Test
  void eachExposedSlotIsAPublish() {
    sentinel.guardSlot();
    first.push();
    second.push();
    sentinel.round(0);
    pool.publishes = 0;
    sentinel.round(SLOT_TICK);
    assertEquals(2, pool.publishes);
  }

  @Test
  void theSlotOfASleeperIsNotLookedAt() {
    sentinel.guardSlot();
    first.awake = false;
    first.slotted++;
    assertEquals(0, sentinel.round(0));
  }

  /** A silent push that comes after the round's look and before the sentinel is off duty. */
  @Test
  void aPushDuringItsLastRoundKeepsItOnDuty() {
    var late =
        new FakePool(1) {
          @Override
          public boolean everybodyRuns() {
            worker(0).push();
            return false;
          }
        };
    Sentinel s =
        new Sentinel(
            late, SLOT_TICK, STALL_TICK, MonotonicClock.SYSTEM, body -> true, failures::add);
    s.guardSlot();
    assertEquals(0, s.round(0));
    assertTrue(s.isOnDuty());
  }

  @Test
  void everybodyRunsAndTasksWait_itStaysAtTheSlowTick() {
    sentinel.guardSlot();
    saturate();
    assertEquals(STALL_TICK, sentinel.round(0));
    assertTrue(sentinel.isOnDuty());
    pool.workVisible = false;
    assertEquals(0, sentinel.round(STALL_TICK));
    assertFalse(sentinel.isOnDuty());
  }

  /** A worker that goes to sleep leaves slots to the sentinel, which must not look late. */
  @Test
  void whileItWaitsForTheSlowTick_aWorkerThatGoesToSleepHurriesItOnce() {
    sentinel.guardSlot();
    assertFalse(sentinel.hurry());
    saturate();
    assertEquals(STALL_TICK, sentinel.round(0));
    assertTrue(sentinel.hurry());
    assertFalse(sentinel.hurry());
    pool.everybodyRuns = false;
    first.push();
    assertEquals(SLOT_TICK, sentinel.round(STALL_TICK));
    assertFalse(sentinel.hurry(), "it looks often enough");
  }

  @Test
  void queuesAreGuardedOnlyWhenNobodyIsLeftToTakeFromThem() {
    sentinel.guardQueues();
    assertFalse(sentinel.isOnDuty(), "somebody searches or sleeps");
    pool.everybodyRuns = true;
    sentinel.guardQueuesIfWorkIsVisible();
    assertFalse(sentinel.isOnDuty(), "nothing waits");
    sentinel.guardQueues();
    assertTrue(sentinel.isOnDuty());
  }

  @Test
  void aWorkerThatWaitsInOneTaskForATickIsRelieved_onceOnly() {
    sentinel.guardSlot();
    saturate();
    first.waiting = true;
    sentinel.round(0);
    second.begun++;
    sentinel.round(STALL_TICK - 1);
    assertEquals(0, pool.relieved);
    second.begun++;
    sentinel.round(STALL_TICK);
    assertTrue(first.right().isTaken());
    assertTrue(second.right().isHeld());
    sentinel.round(3 * STALL_TICK);
    assertEquals(1, pool.relieved);
  }

  @Test
  void aWorkerInASectionWithItsRightIsRelievedAfterOneFastTick() {
    sentinel.guardSlot();
    saturate();
    first.keepsRight = true; // and does not wait, as far as the JVM knows
    sentinel.round(0);
    first.nanosInSection = SLOT_TICK - 1;
    sentinel.round(SLOT_TICK - 1);
    assertEquals(0, pool.relieved);
    first.nanosInSection = SLOT_TICK;
    sentinel.round(SLOT_TICK);
    assertTrue(first.right().isTaken());
    assertTrue(second.right().isHeld());
  }

  /** However long it has been in its task: it goes on, as one that computes does. */
  @Test
  void aWorkerThatGoesFromOneShortSectionToTheNextIsNotRelieved() {
    sentinel.guardSlot();
    saturate();
    first.keepsRight = true;
    for (int i = 0; i < 5; i++) {
      first.nanosInSection = i % 2 == 0 ? 0 : SLOT_TICK - 1;
      sentinel.round(i * SLOT_TICK);
    }
    assertEquals(0, pool.relieved);
    first.nanosInSection = SLOT_TICK;
    sentinel.round(5 * SLOT_TICK);
    assertEquals(1, pool.relieved);
  }

  /** And if nobody begins a task, it is one of those that may be relieved as a hog. */
  @Test
  void aWorkerInShortSectionsIsAHogLikeAnyOther() {
    sentinel.guardSlot();
    saturate();
    first.keepsRight = true;
    sentinel.round(0);
    for (int ticks = 1; ticks < 4; ticks++) {
      sentinel.round(ticks * STALL_TICK);
    }
    assertEquals(0, pool.relieved);
    sentinel.round(4 * STALL_TICK);
    assertEquals(1, pool.relieved);
  }

  @Test
  void whileARightIsKeptItStaysAtTheFastTick() {
    sentinel.guardSlot();
    saturate();
    second.keepsRight = true;
    assertEquals(SLOT_TICK, sentinel.round(0));
    assertFalse(sentinel.hurry(), "it looks often enough");
    second.keepsRight = false;
    assertEquals(STALL_TICK, sentinel.round(SLOT_TICK));
    assertTrue(sentinel.hurry());
  }

  @Test
  void allThatWaitAreRelievedInTheSameRound() {
    sentinel.guardSlot();
    saturate();
    first.waiting = true;
    second.waiting = true;
    sentinel.round(0);
    sentinel.round(STALL_TICK);
    assertEquals(2, pool.relieved);
  }

  @Test
  void oneThatWaitsInATaskThatItHasJustBegunIsLetAlone() {
    sentinel.guardSlot();
    saturate();
    first.waiting = true;
    for (int i = 0; i < 100; i++) {
      first.begun++;
      sentinel.round(i * STALL_TICK);
    }
    assertEquals(0, pool.relieved);
  }

  @Test
  void nobodyIsRelievedWhileNothingWaitsOrSomebodyCouldTakeIt() {
    first.waiting = true;
    second.waiting = true;
    sentinel.guardSlot();
    pool.everybodyRuns = true;
    sentinel.round(0);
    sentinel.round(100 * STALL_TICK);
    pool.everybodyRuns = false;
    pool.workVisible = true;
    sentinel.round(200 * STALL_TICK);
    assertEquals(0, pool.relieved);
  }

  /** What it saw before it left is as good as what it sees on duty: the bound of G9 stays. */
  @Test
  void calledWhileItLingers_itComparesWithItsLastRound() {
    sentinel.guardSlot();
    saturate();
    first.waiting = true;
    pool.workVisible = false;
    assertEquals(0, sentinel.round(0));
    pool.workVisible = true;
    sentinel.guardQueues();
    assertTrue(sentinel.isOnDuty());
    sentinel.round(STALL_TICK);
    assertEquals(1, pool.relieved);
  }

  /** A worker may have slept since, and may be about to begin what it was woken for. */
  @Test
  void calledWhenItHasLingered_itKnowsNothingYet() {
    sentinel.guardSlot();
    saturate();
    first.waiting = true;
    pool.workVisible = false;
    sentinel.round(0);
    sentinel.forget();
    pool.workVisible = true;
    sentinel.guardQueues();
    sentinel.round(100 * STALL_TICK);
    assertEquals(0, pool.relieved);
    sentinel.round(101 * STALL_TICK);
    assertEquals(1, pool.relieved);
  }

  /** CPU hogs: one at a time, each twice as long after the last, since processors are few. */
  @Test
  void hogsAreRelievedOneByOneAtDoublingIntervals() {
    sentinel.guardSlot();
    saturate();
    List<Long> relievedAt = new ArrayList<>();
    long before = 0;
    for (long tick = 0; tick <= 40; tick++) {
      sentinel.round(tick * STALL_TICK);
      if (pool.relieved > before) {
        before = pool.relieved;
        relievedAt.add(tick);
      }
    }
    assertEquals(List.of(4L, 12L), relievedAt);
  }

  /** Out of its CPU quota, or at a safepoint: the sentinel is the first to run again. */
  @Test
  void aPauseOfTheWholeProcessMakesNobodyAHog() {
    sentinel.guardSlot();
    saturate();
    for (long tick = 0; tick <= 4; tick++) {
      sentinel.round(tick * STALL_TICK);
    }
    assertEquals(1, pool.relieved);
    sentinel.round(100 * STALL_TICK);
    assertEquals(1, pool.relieved, "the spare had no time to begin a task");
    first.begun++;
    sentinel.round(101 * STALL_TICK);
    sentinel.round(201 * STALL_TICK);
    assertEquals(1, pool.relieved, "nor had the others");
    sentinel.round(301 * STALL_TICK);
    assertEquals(2, pool.relieved, "it still counts the rounds");
  }

  @Test
  void aHogIsLetAloneWhileOthersMakeProgress() {
    sentinel.guardSlot();
    saturate();
    for (int i = 0; i < 100; i++) {
      second.begun++;
      sentinel.round(i * STALL_TICK);
    }
    assertEquals(0, pool.relieved);
  }

  @Test
  void withoutItsThreadItIsNotOnDuty_andTheFailureIsToldOnce() {
    Sentinel s =
        new Sentinel(
            pool,
            SLOT_TICK,
            STALL_TICK,
            MonotonicClock.SYSTEM,
            body -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            failures::add);
    assertFalse(s.guardSlot());
    assertFalse(s.guardSlot());
    assertFalse(s.isOnDuty());
    assertEquals(1, failures.size());
  }

  @Test
  void whileItsThreadIsBeingStartedNobodyReliesOnIt() {
    boolean[] duringStart = new boolean[2];
    Sentinel[] s = new Sentinel[1];
    s[0] =
        new Sentinel(
            pool,
            SLOT_TICK,
            STALL_TICK,
            MonotonicClock.SYSTEM,
            body -> {
              duringStart[0] = s[0].isOnDuty();
              duringStart[1] = s[0].guardSlot();
              return true;
            },
            failures::add);
    assertTrue(s[0].guardSlot());
    assertFalse(duringStart[0]);
    assertFalse(duringStart[1]);
  }

  @Test
  void afterCloseItCannotBeCalled() {
    assertTrue(sentinel.guardSlot());
    sentinel.close();
    assertFalse(sentinel.isOnDuty());
    assertFalse(sentinel.guardSlot());
  }

  @Test
  void whileTasksWaitForThoseOnStandbyItStaysAtTheFastTick() {
    standby();
    assertTrue(sentinel.guardStandby());
    assertEquals(SLOT_TICK, sentinel.round(0));
    assertTrue(sentinel.isOnDuty());
    pool.workVisible = false;
    assertEquals(0, sentinel.round(SLOT_TICK));
    assertFalse(sentinel.isOnDuty());
  }

  /** A publish reads ON, and leaves a sleeper asleep: the look after OFF finds its task. */
  @Test
  void aPublishForThoseOnStandbyDuringItsLastRoundKeepsItOnDuty() {
    var late =
        new FakePool(1) {
          private boolean looked;

          @Override
          public boolean isWorkVisible() {
            boolean first = !looked;
            looked = true;
            return !first;
          }
        };
    late.standby = true;
    Sentinel s =
        new Sentinel(
            late, SLOT_TICK, STALL_TICK, MonotonicClock.SYSTEM, body -> true, failures::add);
    s.guardStandby();
    assertEquals(0, s.round(0));
    assertTrue(s.isOnDuty());
  }

  /** G1: by a task that joins, which takes its forks back, or of those that are addressed to it. */
  @Test
  void aSlotOfOneThatBeginsOtherTasksIsExposed() {
    sentinel.guardSlot();
    first.push();
    sentinel.round(0);
    for (int tick = 1; tick <= 2; tick++) {
      first.begun++;
      sentinel.round(tick * SLOT_TICK);
    }
    assertTrue(first.exposed);
    assertTrue(pool.publishes > 0, "nobody was woken for it");
  }

  /** Its first task reads ON, and pushes in silence: the look after OFF finds that slot as well. */
  @Test
  void aWorkerThatComesDuringItsLastRoundIsLookedAt() {
    var growing =
        new FakePool(2) {
          private int known = 1;

          @Override
          public int size() {
            return known;
          }

          @Override
          public boolean everybodyRuns() {
            if (known == 1) {
              known = 2;
              workers[1].push();
            }
            return false;
          }
        };
    Sentinel s =
        new Sentinel(
            growing, SLOT_TICK, STALL_TICK, MonotonicClock.SYSTEM, body -> true, failures::add);
    s.guardSlot();
    assertEquals(0, s.round(0));
    assertTrue(s.isOnDuty());
  }

  @Test
  void asLongAsTheyGetOnNobodyIsCalledUp() {
    standby();
    sentinel.guardStandby();
    for (int tick = 0; tick < 10; tick++) {
      sentinel.round(tick * SLOT_TICK);
      first.begun++;
    }
    assertEquals(List.of(), pool.calledUp, "one begins tasks, the other is in a long one");
  }

  @Test
  void whoWaitsInATaskIsReplacedByOneOnStandby() {
    standby();
    sentinel.guardStandby();
    sentinel.round(0);
    first.begun++;
    second.waiting = true;
    sentinel.round(SLOT_TICK);
    assertEquals(List.of(1), pool.calledUp);
  }

  @Test
  void whoLetsTasksWaitBehindItsOwnIsReplacedByOneOnStandby() {
    standby();
    sentinel.guardStandby();
    sentinel.round(0);
    first.begun++;
    second.queued = true;
    sentinel.round(SLOT_TICK);
    assertEquals(List.of(1), pool.calledUp);
  }

  @Test
  void ifNobodyGetsOn_twiceAsManyAreAwake() {
    standby();
    sentinel.guardStandby();
    sentinel.round(0);
    assertEquals(List.of(), pool.calledUp, "nothing is known yet");
    sentinel.round(SLOT_TICK);
    assertEquals(List.of(2), pool.calledUp);
    assertEquals(0, pool.relieved, "there are workers who have not been asked");
  }

  @Test
  void withoutWorkersOnStandbyNobodyIsCalledUp() {
    sentinel.guardSlot();
    saturate();
    sentinel.round(0);
    sentinel.round(STALL_TICK);
    assertEquals(List.of(), pool.calledUp);
  }

  private void standby() {
    pool.standby = true;
    pool.workVisible = true;
  }

  private void saturate() {
    pool.everybodyRuns = true;
    pool.workVisible = true;
  }
}
