package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Which queues a thief leaves to their owners, and for how long. */
class PatienceTest {
  private static final int OWNER = 3;
  private static final int ANOTHER = 1;

  private final Patience patience = new Patience();

  private boolean leaves(int queued, int owner, long begun) {
    patience.beginRound();
    return patience.leavesUnseen(owner) || leavesInTheSameRound(queued, owner, begun);
  }

  private boolean leavesInTheSameRound(int queued, int owner, long begun) {
    return patience.mayLeave(queued) && patience.leavesAlone(owner, begun);
  }

  /** Rounds up to the next one with a look at that owner, and that. It leaves it in each. */
  private int roundsToTheNextLook(long begun) {
    int rounds = 1;
    patience.beginRound();
    while (patience.leavesUnseen(OWNER)) {
      assertTrue(patience.leaves());
      rounds++;
      patience.beginRound();
    }
    assertTrue(leavesInTheSameRound(1, OWNER, begun));
    return rounds;
  }

  /** Looks until it takes something. */
  private int looksAtOneThatBeginsNone(int owner) {
    int n = 0;
    for (; ; ) {
      patience.beginRound();
      if (!patience.leavesUnseen(owner)) {
        if (!leavesInTheSameRound(1, owner, 5)) {
          return n;
        }
        n++;
      }
    }
  }

  @Test
  void aShortQueueIsLeftToAnOwnerThatGoesThroughIt_butNotForEver() {
    patience.beginSearch();
    int rounds = 0;
    while (rounds < 2 * Patience.MOST_ROUNDS && leaves(Patience.SHORT, OWNER, rounds)) {
      rounds++;
    }
    assertTrue(rounds >= Patience.MOST_ROUNDS, "rounds: " + rounds);
    assertTrue(rounds < Patience.MOST_ROUNDS + Patience.MOST_BETWEEN_LOOKS, "rounds: " + rounds);
  }

  /** Each look disturbs it. */
  @Test
  void looksAtAnOwnerThatGoesOnAreFurtherAndFurtherApart() {
    patience.beginSearch();
    assertEquals(1, roundsToTheNextLook(1));
    assertEquals(1, roundsToTheNextLook(2));
    assertEquals(2, roundsToTheNextLook(3));
    assertEquals(4, roundsToTheNextLook(4));
    assertEquals(Patience.MOST_BETWEEN_LOOKS, roundsToTheNextLook(5));
  }

  /** What is behind a long task has waited long enough. */
  @Test
  void looksAtAnOwnerThatBeginsNoTaskAreNot() {
    patience.beginSearch();
    for (int begun = 0; begun < 5; begun++) {
      assertTrue(roundsToTheNextLook(begun) > 0);
    }
    assertTrue(roundsToTheNextLook(4) > 1);
    assertEquals(1, roundsToTheNextLook(4));
  }

  @Test
  void norIsTheFirstLookAtAnotherOwner() {
    patience.beginSearch();
    assertTrue(leaves(1, OWNER, 1));
    assertTrue(leaves(1, OWNER, 2));
    patience.beginRound();
    assertFalse(patience.leavesUnseen(ANOTHER));
    assertTrue(leavesInTheSameRound(1, ANOTHER, 3));
    patience.beginRound();
    assertFalse(patience.leavesUnseen(ANOTHER));
  }

  @Test
  void itIsTakenFromOneThatBeginsNoTask() {
    patience.beginSearch();
    assertEquals(Patience.MOST_WITHOUT_PROGRESS, looksAtOneThatBeginsNone(OWNER));
  }

  @Test
  void eachTaskThatTheOwnerBeginsGivesItTimeAgain() {
    patience.beginSearch();
    assertTrue(leaves(1, OWNER, 4));
    assertTrue(leaves(1, OWNER, 4));
    assertEquals(Patience.MOST_WITHOUT_PROGRESS, looksAtOneThatBeginsNone(OWNER));
  }

  @Test
  void anotherOwnerHasTimeOfItsOwn() {
    patience.beginSearch();
    assertTrue(leaves(1, ANOTHER, 5));
    assertTrue(leaves(1, ANOTHER, 5));
    assertEquals(Patience.MOST_WITHOUT_PROGRESS, looksAtOneThatBeginsNone(OWNER));
  }

  @Test
  void theNextSearchBeginsAnew() {
    patience.beginSearch();
    assertTrue(looksAtOneThatBeginsNone(OWNER) > 0);
    patience.beginSearch();
    assertEquals(Patience.MOST_WITHOUT_PROGRESS, looksAtOneThatBeginsNone(OWNER));
  }

  @Test
  void ofALongQueueAPartIsTakenAtOnce() {
    patience.beginSearch();
    assertFalse(leaves(Patience.SHORT + 1, OWNER, 0));
    assertFalse(patience.leaves());
  }

  /** Else it would look again, for nothing. */
  @Test
  void anEmptyQueueIsNoneThatIsLeft() {
    patience.beginSearch();
    assertFalse(leaves(0, OWNER, 0));
    assertFalse(patience.leaves());
  }

  @Test
  void ofTwoShortQueuesOneIsTakenFrom() {
    patience.beginSearch();
    assertTrue(leaves(1, OWNER, 0));
    assertTrue(patience.leaves());
    assertFalse(leavesInTheSameRound(1, ANOTHER, 0));
  }

  @Test
  void whatWasQueuedMayBeThereUntilAsManyTasksHaveBegun() {
    assertTrue(Patience.isLately(5, 5));
    assertTrue(Patience.isLately(5, 4 + Patience.SHORT));
    assertFalse(Patience.isLately(5, 5 + Patience.SHORT));
    assertFalse(Patience.isLately(Patience.NEVER, 0));
  }
}
