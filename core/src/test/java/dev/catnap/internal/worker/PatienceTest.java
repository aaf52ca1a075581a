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
    return leavesInTheSameRound(queued, owner, begun);
  }

  private boolean leavesInTheSameRound(int queued, int owner, long begun) {
    return patience.mayLeave(queued) && patience.leavesAlone(owner, begun);
  }

  /** Looks until it takes something. */
  private int looksAtOneThatBeginsNone(int owner) {
    int n = 0;
    while (leaves(1, owner, 5)) {
      n++;
    }
    return n;
  }

  @Test
  void aShortQueueIsLeftToAnOwnerThatGoesThroughIt_butNotForEver() {
    patience.beginSearch();
    int n = 0;
    while (n <= Patience.MOST_LOOKS && leaves(Patience.SHORT, OWNER, n)) {
      n++;
    }
    assertEquals(Patience.MOST_LOOKS, n);
    assertFalse(leaves(Patience.SHORT, OWNER, n + 1));
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
