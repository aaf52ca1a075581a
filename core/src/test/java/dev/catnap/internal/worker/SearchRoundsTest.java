package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** G4: who waits in vain for work to come soon, waits less often. */
class SearchRoundsTest {
  private final SearchRounds rounds = new SearchRounds();

  /** Until one goes round, which then ends without a task. */
  private int searchesWithoutRounds() {
    int n = 0;
    while (!rounds.arePaying()) {
      n++;
    }
    rounds.didNotPay();
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
  void afterCoarseTasksThereAreEightTimesAsMany() {
    assertEquals(3, SearchRounds.most(3, false));
    assertEquals(24, SearchRounds.most(3, true));
    assertEquals(0, SearchRounds.most(0, true));
  }

  @Test
  void theFirstSearchGoesRound() {
    assertTrue(rounds.arePaying());
  }

  @Test
  void eachTimeInVainTwiceAsManySearchesGoWithout() {
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

  @Test
  void theFirstTaskThatTheyFindMakesThemTheRule() {
    for (int i = 0; i < 20; i++) {
      searchesWithoutRounds();
    }
    searchesWithoutRounds();
    rounds.paid();
    for (int i = 0; i < 100; i++) {
      assertTrue(rounds.arePaying());
    }
  }
}
