package dev.catnap.internal.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Parker;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/**
 * Each step of the protocol by itself, on one thread: what other threads would do at a step is
 * called from there. The interleavings of several are the model checkers' part.
 */
class SleepStepsTest {
  private final Pool pool = new Pool(2);

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

  /** G9: a spare that was claimed at the last moment has a right to run, and must not end. */
  @Test
  void aClaimedSpareDoesNotRetire() {
    Sleeper worker = pool.awake();
    assertTrue(pool.sleep.becomeSpare(worker));
    assertTrue(pool.sleep.claimSpare(worker));
    assertFalse(pool.sleep.retire(worker));
    assertFalse(pool.sleep.claimSpare(worker), "claimed twice");
  }

  /** No publisher may count on a spare. */
  @Test
  void aSpareIsNotWokenByAPublish() {
    assertTrue(pool.sleep.becomeSpare(pool.awake()));
    assertEquals(0, pool.sleep.publish());
    assertEquals(0, pool.unparks);
  }

  /** The sleep module, with what it calls under this test's control. */
  private static final class Pool implements WorkView, Parker {
    final Queue<Runnable> atLook = new ArrayDeque<>();
    final Queue<Runnable> atPark = new ArrayDeque<>();
    final Sleeper[] sleepers;
    final Sleep sleep;
    boolean workVisible;
    int parks;
    int timedParks;
    int unparks;
    private int added;

    Pool(int capacity) {
      sleepers = new Sleeper[capacity];
      sleep = new Sleep(new CounterWord(2, 0), this, this, capacity, capacity);
    }

    /** A worker that runs. */
    Sleeper awake() {
      Sleeper s = new Sleeper();
      s.setThread(Thread.currentThread());
      sleepers[added++] = s;
      sleep.add(s);
      assertTrue(sleep.revive(s));
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
