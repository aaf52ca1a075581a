package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** G4: who waits in vain for work to come soon, waits less often. */
class SearchRoundsTest {
  private static final long QUICK = SearchRounds.LOST_NANOS;
  private static final long LOST = SearchRounds.LOST_NANOS + 1;

  private final SearchRounds rounds = new SearchRounds();

  /** Until one goes round, which then ends without a task. */
  private int searchesWithoutRounds() {
    int n = 0;
    while (!rounds.arePaying()) {
      n++;
    }
    rounds.didNotPay(QUICK);
    return n;
  }

  /** And always one, as in a pool of one worker. */
  @Test
  void halfOfTheWorkersMayGoRoundAtOnce() {
    assertEquals(32, Crew.searchLimit(64));
    assertEquals(1, Crew.searchLimit(3));
    assertEquals(1, Crew.searchLimit(1));
  }

  /** None where a model checker explores what comes after them. */
  @Test
  void afterCoarseTasksThereAreTwelveTimesAsMany() {
    assertEquals(3, rounds.most(3, false, 0));
    assertEquals(36, rounds.most(3, true, 0));
    assertEquals(0, rounds.most(0, true, 0));
  }

  @Test
  void afterARequestThatWasWaitedForThereAreTwelveTimesAsMany() {
    rounds.found(true, true, 10);
    assertEquals(36, rounds.most(3, false, 11));
  }

  /** It was resumed from outside three times. */
  @Test
  void aRequestIsUpToFourTasksThatAreSent() {
    rounds.found(true, true, 10);
    assertEquals(36, rounds.most(3, false, 14));
    assertEquals(3, rounds.most(3, false, 15));
  }

  /** Who computes for others does not answer them. */
  @Test
  void whatAnotherWorkerHasPublishedIsNoRequest() {
    rounds.found(false, true, 10);
    assertEquals(3, rounds.most(3, false, 11));
  }

  /** Both work for the same one, and either may be the last. */
  @Test
  void whoHelpsAnotherStillExpectsRequests() {
    rounds.found(true, true, 10);
    for (int i = 0; i < 100; i++) {
      rounds.found(false, true, 11);
    }
    assertEquals(36, rounds.most(3, false, 11));
  }

  /** It has not been answered, and so there is no next one. */
  @Test
  void besideOneThatWorksNobodyWaitsForTheNextRequest() {
    rounds.found(true, true, 10);
    assertEquals(36, rounds.most(3, false, 11));
    assertFalse(rounds.areCutShort(true));
    assertTrue(rounds.areCutShort(false));
  }

  /** It may be the next stage. */
  @Test
  void afterCoarseTasksItWaitsBesideOneThatWorks() {
    rounds.found(true, true, 10);
    assertEquals(36, rounds.most(3, true, 11));
    assertFalse(rounds.areCutShort(false));
  }

  /** Such a search was no longer than others. */
  @Test
  void thoseThatWereCutShortInVainAreTriedAsOftenAsShortOnes() {
    for (int i = 0; i < 20; i++) {
      rounds.found(true, true, 10);
      assertEquals(36, rounds.most(3, false, 11));
      assertTrue(rounds.areCutShort(false));
      searchesWithoutRounds();
    }
    assertEquals(63, searchesWithoutRounds());
  }

  /** The first that comes later, after so many that came at once, does not meet a sleeper. */
  @Test
  void afterOneThatWasWaitedForThirtyOneMayComeAtOnce() {
    rounds.found(true, true, 0);
    for (int i = 1; i <= 31; i++) {
      rounds.found(true, false, i);
      assertEquals(36, rounds.most(3, false, i + 1));
    }
  }

  /** Who sends one after the other without waiting is faster if they are taken together. */
  @Test
  void moreThatComeAtOnceAreAStream() {
    rounds.found(true, true, 0);
    for (int i = 1; i <= 32; i++) {
      rounds.found(true, false, i);
    }
    assertEquals(3, rounds.most(3, false, 33));
    rounds.found(true, false, 33);
    assertEquals(3, rounds.most(3, false, 34));
    rounds.found(true, true, 34);
    assertEquals(36, rounds.most(3, false, 35));
  }

  @Test
  void theFirstSearchGoesRound() {
    assertTrue(rounds.arePaying());
  }

  /** Where most of them pay, it would cost a sleep and a wake. */
  @Test
  void onceInVainAfterOneThatPaidLeavesNoneOut() {
    for (int i = 0; i < 3; i++) {
      assertEquals(0, searchesWithoutRounds());
      assertTrue(rounds.arePaying());
      rounds.paid(QUICK, 1);
    }
  }

  @Test
  void eachFurtherTimeInVainTwiceAsManySearchesGoWithout() {
    assertEquals(0, searchesWithoutRounds());
    assertEquals(0, searchesWithoutRounds());
    assertEquals(1, searchesWithoutRounds());
    assertEquals(3, searchesWithoutRounds());
    assertEquals(7, searchesWithoutRounds());
  }

  /** A change is noticed after one search in 64. */
  @Test
  void theyAreNeverGivenUp() {
    for (int i = 0; i < 20; i++) {
      searchesWithoutRounds();
    }
    assertEquals(63, searchesWithoutRounds());
  }

  /** One in 256 for one that waits twelve times as long. */
  @Test
  void longOnesInVainAreTriedLessOften() {
    for (int i = 0; i < 20; i++) {
      assertEquals(36, rounds.most(3, true, 0));
      searchesWithoutRounds();
    }
    assertEquals(255, searchesWithoutRounds());
  }

  @Test
  void theFirstTaskThatTheyFindMakesThemTheRule() {
    for (int i = 0; i < 20; i++) {
      searchesWithoutRounds();
    }
    searchesWithoutRounds();
    rounds.paid(QUICK, 1);
    for (int i = 0; i < 100; i++) {
      assertTrue(rounds.arePaying());
    }
  }

  /** Another process ran meanwhile, and who relied on this worker to search was not served. */
  @Test
  void whoLosesItsProcessorWhileItSearchesDoesSoAtOnceNoMore() {
    assertTrue(rounds.arePaying());
    rounds.didNotPay(LOST);
    assertEquals(255, searchesWithoutRounds());
  }

  /** What came in that time would have woken it. */
  @Test
  void whatIsFoundAfterTheProcessorWasLostIsNoReasonToSearch() {
    assertTrue(rounds.arePaying());
    rounds.paid(LOST, 1);
    assertEquals(255, searchesWithoutRounds());
  }

  /** Requests to a server whose client has the processor that this worker has yielded. */
  @Test
  void whoIsLateForSeveralTasksSearchesLess() {
    assertTrue(rounds.arePaying());
    rounds.paid(8 * 2_000 + 1, 8);
    assertEquals(255, searchesWithoutRounds());
  }

  /** They are sent without a wake, and taken together. */
  @Test
  void severalThatWereSentOneAfterTheOtherMeanwhilePay() {
    rounds.paid(8 * 2_000, 8);
    assertTrue(rounds.arePaying());
  }

  /** Who sends a few and waits for them has the processor meanwhile. */
  @Test
  void fewThatWaitedPay() {
    rounds.paid(QUICK, 7);
    assertTrue(rounds.arePaying());
  }

  /** A quick one among those that are lost says little. */
  @Test
  void afterRoundsThatWereLostItTakesEightThatPay() {
    rounds.paid(LOST, 1);
    for (int left = 127; left > 0; left /= 2) {
      rounds.paid(QUICK, 1);
      for (int i = 0; i < left; i++) {
        assertFalse(rounds.arePaying());
      }
      assertTrue(rounds.arePaying());
    }
    rounds.paid(QUICK, 1);
    assertTrue(rounds.arePaying());
    assertTrue(rounds.arePaying());
  }

  /** As few as after others would be too few. */
  @Test
  void thoseInVainDoNotMakeUpForThoseThatWereLost() {
    rounds.paid(LOST, 1);
    rounds.paid(QUICK, 1);
    assertEquals(127, searchesWithoutRounds());
    assertEquals(127, searchesWithoutRounds());
  }
}
