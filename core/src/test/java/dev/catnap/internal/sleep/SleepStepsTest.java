package dev.catnap.internal.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Parker;
import dev.catnap.spi.WakeRule;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Each step of the protocol by itself, on one thread: what other threads would do at a step is
 * called from there. The interleavings of several are the model checkers' part.
 */
class SleepStepsTest {
  private final Pool pool = new Pool(2, 2, WakeRule.ONE_AT_A_TIME);

  /** G3: the JEC spares a worker the way through the latch, and the publisher a claim. */
  @Test
  void aPublishBetweenAnnounceAndRegisterCallsTheSleepOff() {
    Sleeper worker = pool.awake();
    for (int round = 0; round < 3; round++) { // from the second on, the JEC is odd before Announce
      pool.sleep.startSearch();
      pool.sleep.announce(worker);
      pool.sleep.publish();
      assertFalse(pool.sleep.register(worker), "registered in round " + round);
      pool.sleep.endSearch();
    }
    pool.assertCounts(0, 0);
  }

  @Test
  void aPublishBeforeAnnounceDoesNotCallTheSleepOff() {
    Sleeper worker = pool.awake();
    pool.sleep.publish();
    pool.sleep.startSearch();
    pool.sleep.announce(worker);
    assertTrue(pool.sleep.register(worker), "the remembered JEC is that of after the announcement");
  }

  /** So that publishers do not write the shared word while nobody is about to sleep. */
  @Test
  void onlyTheFirstPublishAfterAnAnnouncementMovesTheJec() {
    pool.sleep.publish();
    String after = pool.sleep.toString();
    pool.sleep.publish();
    assertEquals(after, pool.sleep.toString());
  }

  @Test
  void theJecRollsOverAtItsWidth() {
    CounterWord word = new CounterWord(2, 2);
    assertEquals(3, CounterWord.jec(word.markActive()));
    assertEquals(0, word.announce());
    assertEquals(1, CounterWord.jec(word.markActive()));
  }

  /** G3. */
  @Test
  void nobodyIsWokenWhileSomebodySearches() {
    pool.asleep();
    pool.awake();
    pool.sleep.startSearch();
    assertEquals(0, pool.sleep.publish());
    assertEquals(0, pool.unparks);
  }

  /** G3: those that search may be on their way from a wake, without a processor. */
  @Test
  void oneMoreIsWokenWhereTasksFromOutsidePileUp() {
    Pool three = new Pool(3, 2, WakeRule.ONE_AT_A_TIME);
    three.asleep();
    three.asleep();
    three.awake();
    three.sleep.startSearch();
    assertEquals(0, three.sleep.publishFromOutside());
    three.backlogged = true;
    assertEquals(1, three.sleep.publishFromOutside());
    assertEquals(1, three.unparks);
    three.assertCounts(1, 2);
  }

  /** G3: what a worker publishes it takes itself, if nobody else does. */
  @Test
  void nobodyMoreIsWokenByAWorkerThoughTasksFromOutsidePileUp() {
    pool.asleep();
    pool.awake();
    pool.sleep.startSearch();
    pool.backlogged = true;
    assertEquals(0, pool.sleep.publish());
    assertEquals(0, pool.unparks);
  }

  /** Nobody sleeps: the queue is not asked, which would take its lines from the workers. */
  @Test
  void aPublishFromOutsideLooksAtTheQueueOnlyIfThereIsSomebodyToWake() {
    pool.awake();
    pool.sleep.startSearch();
    assertEquals(0, pool.sleep.publishFromOutside());
    assertEquals(0, pool.questions);
    pool.sleep.endSearch();
    pool.asleep();
    assertEquals(1, pool.sleep.publishFromOutside());
    assertEquals(0, pool.questions);
  }

  /** Who searches reads the caches of all others: the rest goes straight on to sleep. */
  @Test
  void noMoreThanTheLimitGoThroughTheRoundsAtOnce() {
    pool.sleep.setSearchLimit(1);
    assertTrue(pool.sleep.startSearch());
    assertFalse(pool.sleep.startSearch());
    pool.sleep.endSearch();
    pool.sleep.endSearch();
    assertTrue(pool.sleep.startSearch());
  }

  /** G1: a worker that runs does not count, whatever their number. */
  @Test
  void aSleeperIsWokenThoughAnotherWorkerRuns() {
    pool.awake();
    pool.asleep();
    assertEquals(1, pool.sleep.publish());
    assertEquals(1, pool.unparks);
    pool.assertCounts(0, 1);
  }

  /** G1: between the claim of a waker and its decrement, a count of searchers is one too low. */
  @Test
  void aWakeUnderWayDoesNotHideASleeper() {
    Sleeper claimed = pool.aboutToSleep();
    assertTrue(claimed.latch.commit());
    pool.asleep();
    assertTrue(claimed.latch.claim());
    pool.sleep.endSearch(); // of the claimed one, which found work at its FinalCheck
    assertEquals(1, pool.sleep.publish());
    assertEquals(1, pool.unparks);
  }

  /** G3. */
  @Test
  void aPublishWakesOneOfTwoSleepers() {
    pool.asleep();
    pool.asleep();
    assertEquals(1, pool.sleep.publish());
    assertEquals(1, pool.unparks);
    pool.assertCounts(1, 1);
  }

  private static Pool withOneAboutToSleepThatFindsTheTask(Pool three) {
    Sleeper first = three.aboutToSleep();
    three.asleep();
    three.workVisible = true;
    three.afterRead.add(() -> assertFalse(three.sleep.sleep(first)));
    return three;
  }

  private static void assertNobodyWoken(Pool three, int woken) {
    assertTrue(three.afterRead.isEmpty());
    assertEquals(0, woken);
    assertEquals(0, three.unparks);
    three.assertCounts(1, 1);
  }

  /** G3: it searches again, and another would be woken for nothing. */
  @Test
  void whoWasAboutToSleepAndFindsTheTaskSparesAnotherTheWake() {
    Pool three = withOneAboutToSleepThatFindsTheTask(new Pool(3, 2, WakeRule.ONE_AT_A_TIME));
    assertNobodyWoken(three, three.sleep.publish());
  }

  /** G3: the same. */
  @Test
  void whoWasAboutToSleepAndFindsTheTaskFromOutsideSparesAnotherTheWake() {
    Pool three = withOneAboutToSleepThatFindsTheTask(new Pool(3, 2, WakeRule.ONE_AT_A_TIME));
    assertNobodyWoken(three, three.sleep.publishFromOutside());
  }

  /** G3: the same. */
  @Test
  void whoWasAboutToSleepAndFindsWhatIsLeftSparesAnotherTheWake() {
    Pool three = new Pool(3, 2, WakeRule.ONE_AT_A_TIME);
    three.awake();
    three.sleep.startSearch();
    withOneAboutToSleepThatFindsTheTask(three);
    assertNobodyWoken(three, three.sleep.endSearch());
  }

  /** G1: who was woken searches, and hands on what the publishes meanwhile left to it. */
  @Test
  void theLastSearcherHandsTheDutyToWakeOnIfWorkIsLeft() {
    pool.asleep();
    pool.awake();
    pool.sleep.startSearch();
    pool.workVisible = true;
    assertEquals(1, pool.sleep.endSearch());
    assertEquals(1, pool.unparks);
    pool.assertCounts(0, 1);
  }

  /** G3: no wake for nothing. */
  @Test
  void theLastSearcherWakesNobodyIfNothingIsLeft() {
    pool.asleep();
    pool.awake();
    pool.sleep.startSearch();
    assertEquals(0, pool.sleep.endSearch());
    assertEquals(0, pool.unparks);
  }

  /** G3: the duty stays with those who still search. */
  @Test
  void aSearcherBesideAnotherHandsNothingOn() {
    pool.asleep();
    pool.awake();
    pool.sleep.startSearch();
    pool.sleep.startSearch();
    pool.workVisible = true;
    assertEquals(0, pool.sleep.endSearch());
  }

  /** The publisher that comes between a look and the decrement relies on the searcher. */
  @Test
  void theSearcherLooksAfterItHasLeft() {
    pool.asleep();
    pool.awake();
    pool.sleep.startSearch();
    pool.atLook.add(() -> pool.assertCounts(1, 0));
    pool.sleep.endSearch();
    assertTrue(pool.atLook.isEmpty(), "did not look");
  }

  /** G1: a push whose publish looked before Register is found by the look after it. */
  @Test
  void finalCheckComesAfterRegisterAndCommit() {
    Sleeper worker = pool.aboutToSleep();
    pool.atLook.add(
        () -> {
          pool.assertCounts(1, 0);
          assertEquals("sleeping", worker.latchState());
        });
    pool.workVisible = true;
    assertFalse(pool.sleep.sleep(worker));
    assertTrue(pool.atLook.isEmpty(), "did not look");
    assertEquals("awake", worker.latchState());
    pool.assertCounts(0, 1);
    assertEquals(0, pool.parks);
  }

  /** G4: whoever claimed it has decremented already. */
  @Test
  void aWorkerClaimedAtItsFinalCheckDoesNotDecrementAgain() {
    Sleeper worker = pool.aboutToSleep();
    pool.atLook.add(pool::publishAndWake);
    pool.workVisible = true;
    assertFalse(pool.sleep.sleep(worker));
    pool.assertCounts(0, 1);
  }

  /** G1: the permit of the unpark is there before the park. */
  @Test
  void aWorkerClaimedBeforeItsParkDoesNotPark() {
    Sleeper worker = pool.aboutToSleep();
    pool.atLook.add(pool::publishAndWake);
    assertTrue(pool.sleep.sleep(worker));
    assertEquals(0, pool.parks);
    pool.assertCounts(0, 1);
  }

  /** G4: a park may return for no reason. */
  @Test
  void aSleeperParksUntilItIsClaimed() {
    Sleeper worker = pool.aboutToSleep();
    pool.atPark.add(() -> {});
    pool.atPark.add(() -> Thread.currentThread().interrupt());
    pool.atPark.add(
        () -> {
          assertFalse(Thread.currentThread().isInterrupted(), "every park would return at once");
          pool.assertCounts(1, 0);
          pool.publishAndWake();
        });
    assertTrue(pool.sleep.sleep(worker));
    assertEquals(3, pool.parks);
    assertEquals(0, pool.timedParks, "a sleeper parks without a timeout");
    pool.assertCounts(0, 1);
  }

  /** G11: whoever arms an earlier timer after that look finds a latch that it can claim. */
  @Test
  void aSleeperAsksHowLongToParkWhenItCanBeClaimed() {
    Sleeper worker = pool.aboutToSleep();
    pool.nanosToPark =
        () -> {
          assertEquals("sleeping", worker.latchState());
          return 0; // a timer is due: it withdraws
        };
    assertFalse(pool.sleep.sleep(worker));
    assertEquals(0, pool.parks);
    pool.assertCounts(0, 1);
  }

  /** G8: what is addressed to a worker that is about to sleep keeps it awake. */
  @Test
  void aNotificationBeforeCommitKeepsTheWorkerAwake() {
    Sleeper worker = pool.aboutToSleep();
    pool.sleep.sendNotification(worker);
    assertEquals(0, pool.unparks);
    assertFalse(pool.sleep.sleep(worker));
    assertEquals("notified", worker.latchState());
    pool.assertCounts(0, 1);
    pool.sleep.acknowledge(worker);
    assertEquals("awake", worker.latchState());
  }

  /** A notification of a sleeper is a claim: the sender owes the decrement and the unpark. */
  @Test
  void aNotificationWakesASleeper() {
    Sleeper worker = pool.aboutToSleep();
    pool.atPark.add(() -> pool.sleep.sendNotification(worker));
    assertTrue(pool.sleep.sleep(worker));
    assertEquals(1, pool.unparks);
    pool.assertCounts(0, 1);
    assertEquals("notified", worker.latchState());
  }

  /** A publisher cannot claim a sleeper that was notified: one wake, one decrement. */
  @Test
  void aNotifiedSleeperIsNotClaimed() {
    pool.aboutToSleep();
    Sleeper worker = pool.sleepers[0];
    pool.atPark.add(
        () -> {
          pool.sleep.sendNotification(worker);
          assertEquals(0, pool.sleep.publish());
        });
    assertTrue(pool.sleep.sleep(worker));
    assertEquals(1, pool.unparks);
    pool.assertCounts(0, 1);
  }

  /** F6: a stack that ends in the park leaves no worker that looks as if it waited. */
  @Test
  void whoCannotParkHasNotWaited() {
    Sleeper worker = pool.awake();
    pool.atPark.add(
        () -> {
          throw new StackOverflowError("from the test");
        });
    assertThrows(StackOverflowError.class, () -> pool.sleep.await(worker, () -> false));
    assertEquals("awake", worker.latchState());
    assertEquals(0, pool.sleep.wakeWaiter(worker));
    pool.assertCounts(0, 0);
  }

  /** G9: a spare that was claimed at the last moment has a right to run, and must not end. */
  @Test
  void aClaimedSpareDoesNotRetire() {
    Sleeper worker = pool.awake();
    assertTrue(pool.sleep.becomeSpare(worker));
    assertTrue(pool.sleep.claimSpare(worker));
    assertFalse(pool.sleep.retire(worker));
    assertFalse(pool.sleep.claimSpare(worker), "claimed twice");
  }

  /** G1: it stays for what comes, and looks at it; meanwhile nobody starts a thread for it. */
  @Test
  void aSpareToWhichSomethingIsAddressedDoesNotRetire() {
    AtomicBoolean looked = new AtomicBoolean();
    Sleeper worker =
        new Sleeper() {
          @Override
          protected boolean mayRetire() {
            looked.set(true);
            assertFalse(pool.sleep.hasThread(this), "whoever addresses it waits");
            assertFalse(pool.sleep.revive(this), "it may have a thread");
            assertFalse(pool.sleep.claimSpare(this), "it may be gone");
            return false;
          }
        };
    pool.sleep.add(worker);
    assertTrue(pool.sleep.revive(worker));
    pool.sleep.begin(worker);
    assertTrue(pool.sleep.becomeSpare(worker));
    assertFalse(pool.sleep.retire(worker));
    assertTrue(looked.get());
    assertTrue(pool.sleep.hasThread(worker));
    assertTrue(pool.sleep.acknowledge(worker), "it looks at what is addressed to it");
  }

  /** G6: the end of the pool comes while it decides; it is not parked. */
  @Test
  void aSpareThatIsNotifiedWhileItRetiresGoesOn() {
    Sleeper worker =
        new Sleeper() {
          @Override
          protected boolean mayRetire() {
            pool.sleep.sendNotification(this);
            return true;
          }
        };
    pool.sleep.add(worker);
    assertTrue(pool.sleep.revive(worker));
    pool.sleep.begin(worker);
    assertTrue(pool.sleep.becomeSpare(worker));
    assertFalse(pool.sleep.retire(worker));
    assertEquals(0, pool.unparks);
    assertTrue(pool.sleep.acknowledge(worker));
  }

  /** G1: what is addressed to it would be accepted, and its thread may not come. */
  @Test
  void aWorkerThatIsBeingStartedHasNoThreadUntilThatRuns() {
    Sleeper worker = new Sleeper();
    pool.sleep.add(worker);
    assertTrue(pool.sleep.revive(worker));
    assertFalse(pool.sleep.hasThread(worker));
    pool.sleep.sendNotification(worker);
    assertFalse(pool.sleep.hasThread(worker), "a notification does not make one");
    pool.sleep.end(worker);
    assertTrue(pool.sleep.revive(worker), "the next try");
    pool.sleep.begin(worker);
    assertTrue(pool.sleep.hasThread(worker));
  }

  /** No publisher may count on a spare. */
  @Test
  void aSpareIsNotWokenByAPublish() {
    assertTrue(pool.sleep.becomeSpare(pool.awake()));
    assertEquals(0, pool.sleep.publish());
    assertEquals(0, pool.unparks);
  }

  // ---- in whose queues others look

  private void assertAwake(int expected) {
    assertEquals(expected, pool.sleep.nextAwake(0, 2));
  }

  /** G1: what it queues afterwards is looked for there. */
  @Test
  void whoSleepsIsNotAmongTheAwake_andWhoWasWokenIs() {
    Sleeper worker = pool.aboutToSleep();
    assertAwake(0);
    pool.atLook.add(() -> assertAwake(-1));
    pool.atPark.add(
        () -> {
          assertAwake(-1);
          pool.publishAndWake();
        });
    assertTrue(pool.sleep.sleep(worker));
    assertTrue(pool.atPark.isEmpty());
    assertAwake(0);
  }

  @Test
  void whoDoesNotFallAsleepIsAmongTheAwake() {
    Sleeper worker = pool.aboutToSleep();
    pool.workVisible = true;
    assertFalse(pool.sleep.sleep(worker));
    assertAwake(0);
  }

  @Test
  void whoFailsToParkIsAmongTheAwake() {
    Sleeper worker = pool.aboutToSleep();
    pool.atPark.add(
        () -> {
          throw new StackOverflowError();
        });
    assertThrows(StackOverflowError.class, () -> pool.sleep.sleep(worker));
    assertAwake(0);
  }

  @Test
  void aSpareIsNotAmongTheAwake_norWhoHasNoThread() {
    Sleeper worker = pool.awake();
    assertTrue(pool.sleep.becomeSpare(worker));
    assertAwake(-1);
    assertTrue(pool.sleep.claimSpare(worker));
    pool.sleep.endSpare(worker);
    assertAwake(0);
    pool.sleep.end(worker);
    assertAwake(-1);
    assertTrue(pool.sleep.revive(worker));
    pool.sleep.begin(worker);
    assertAwake(0);
  }

  // ---- one wake per insert

  private static Pool perInsert() {
    return new Pool(3, 32, WakeRule.ONE_PER_INSERT);
  }

  @Test
  void perInsert_aSearcherDoesNotStandInForAWake() {
    Pool many = perInsert();
    many.asleep();
    many.awake();
    many.sleep.startSearch();
    assertEquals(1, many.sleep.publish());
    many.assertCounts(0, 2);
  }

  /** G1: what was moved was in nobody's sight, and needs as many wakes as it is tasks. */
  @Test
  void perInsert_aPublishOfThreeWakesThree() {
    Pool many = perInsert();
    for (int i = 0; i < 3; i++) {
      many.asleep();
    }
    assertEquals(3, many.sleep.publish(3));
    assertEquals(3, many.unparks);
    many.assertCounts(0, 3);
  }

  @Test
  void perInsert_noMoreAreWokenThanTasksCame() {
    Pool many = perInsert();
    for (int i = 0; i < 3; i++) {
      many.asleep();
    }
    assertEquals(2, many.sleep.publish(2));
    assertEquals(2, many.unparks);
    many.assertCounts(1, 2);
  }

  @Test
  void perInsert_whoFindsATaskHandsNothingOn() {
    Pool many = perInsert();
    many.asleep();
    many.awake();
    many.sleep.startSearch();
    many.workVisible = true;
    assertEquals(0, many.sleep.endSearch());
    assertEquals(0, many.unparks);
  }

  /** G1: the batch behind the task that it found, or the wake of one that leaves with nothing. */
  @Test
  void perInsert_whoHasMovedTasksPublishesThem() {
    Pool many = perInsert();
    many.asleep();
    many.asleep();
    many.awake();
    many.sleep.startSearch();
    assertEquals(2, many.sleep.endSearch(2));
    many.assertCounts(0, 2);
  }

  /** G1: the script in Sleep.sleep; FinalCheck looks at one queue after the other. */
  @Test
  void perInsert_aPublishThatCouldClaimNobodyCallsTheSleepOff() {
    Pool many = perInsert();
    Sleeper worker = many.aboutToSleep();
    assertEquals(0, many.sleep.publish(), "its latch is not claimable yet");
    assertFalse(many.sleep.sleep(worker), "it must look again, though it sees no task now");
    assertEquals(0, many.parks);
    assertEquals("awake", worker.latchState());
    many.assertCounts(0, 1);
  }

  @Test
  void perInsert_aWorkerSleepsIfNothingWasPublished() {
    Pool many = perInsert();
    Sleeper worker = many.aboutToSleep();
    many.atPark.add(many::publishAndWake);
    assertTrue(many.sleep.sleep(worker));
    assertEquals(1, many.parks);
    many.assertCounts(0, 1);
  }

  /** The sleep module, with what it calls under this test's control. */
  private static final class Pool implements WorkView, Parker {
    final Queue<Runnable> atLook = new ArrayDeque<>();
    final Queue<Runnable> atPark = new ArrayDeque<>();

    /** What others do while a waker has read the word, and not yet the latches. */
    final Queue<Runnable> afterRead = new ArrayDeque<>();

    final Sleeper[] sleepers;
    final Sleep sleep;
    boolean workVisible;
    boolean backlogged;
    int questions;
    LongSupplier nanosToPark = () -> Long.MAX_VALUE;
    int parks;
    int timedParks;
    int unparks;
    private int added;

    Pool(int capacity, int jecBits, WakeRule rule) {
      sleepers = new Sleeper[capacity];
      sleep = new Sleep(new CounterWord(jecBits, 0), this, this, capacity, capacity, rule);
    }

    /** A worker that runs. */
    Sleeper awake() {
      Sleeper s = new Sleeper();
      s.setThread(Thread.currentThread());
      sleepers[added++] = s;
      sleep.add(s);
      assertTrue(sleep.revive(s));
      sleep.begin(s);
      return s;
    }

    /** A worker after Register. */
    Sleeper aboutToSleep() {
      Sleeper s = awake();
      sleep.startSearch();
      sleep.announce(s);
      assertTrue(sleep.register(s));
      return s;
    }

    /** A worker that sleeps, as others see it. */
    void asleep() {
      assertTrue(aboutToSleep().latch.commit());
    }

    void publishAndWake() {
      assertEquals(1, sleep.publish());
    }

    void assertCounts(int sleeping, int searching) {
      assertEquals(sleeping, sleep.sleepingCount(), "sleeping");
      assertEquals(searching, sleep.searchingCount(), "searching");
    }

    private static void runNext(Queue<Runnable> script) {
      Runnable next = script.poll();
      if (next != null) {
        next.run();
      }
    }

    @Override
    public boolean isWorkVisible() {
      runNext(atLook);
      return workVisible;
    }

    @Override
    public boolean leavesAsleep(int inactive) {
      runNext(afterRead);
      return false;
    }

    @Override
    public boolean isBacklogged(int searching, int sleeping) {
      assertEquals(sleep.searchingCount(), searching);
      assertEquals(sleep.sleepingCount(), sleeping);
      questions++;
      return backlogged;
    }

    @Override
    public long nanosToPark() {
      return nanosToPark.getAsLong();
    }

    @Override
    public void park(Object blocker) {
      parks++;
      assertTrue(parks < 10 && !atPark.isEmpty(), "parked for good");
      runNext(atPark);
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      timedParks++;
      park(blocker);
    }

    @Override
    public void unpark(Thread thread) {
      unparks++;
    }
  }
}
