package dev.catnap.internal.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** G9, F9: a right to run is not lost with a thread that cannot be had. */
class RunRightsFailuresTest {
  private enum Spare {
    NO_MEMORY,
    NONE,
    THERE
  }

  private Spare spare = Spare.NO_MEMORY;
  private int activated;
  private int recalled;

  private final RunRights rights =
      new RunRights(
          new RunRights.Crew() {
            @Override
            public boolean activate() {
              if (spare == Spare.NO_MEMORY) {
                throw new OutOfMemoryError("the test wants it so");
              }
              if (spare == Spare.NONE) {
                return false;
              }
              activated++;
              return true;
            }

            @Override
            public boolean hasSpare() {
              return false;
            }

            @Override
            public boolean needsMore() {
              return true;
            }

            @Override
            public void recall() {
              assertEquals(1, rights.unclaimed(), "whoever is recalled sees it");
              recalled++;
            }
          });

  @Test
  void oneThatIsHandedOutIsThereForTheNext() {
    assertThrows(OutOfMemoryError.class, rights::release);
    assertEquals(1, rights.unclaimed());
    spare = Spare.THERE;
    rights.handOut();
    assertEquals(1, activated);
    assertEquals(0, rights.unclaimed());
  }

  @Test
  void oneThatIsDemandedIsDemandedAgain() {
    assertThrows(OutOfMemoryError.class, rights::releaseOnDemand);
    assertEquals(1, rights.unclaimed());
    assertTrue(rights.awaitsDemand(), "the next publish asks for it");
    spare = Spare.THERE;
    rights.handOutOnDemand();
    assertEquals(1, activated);
    assertEquals(0, rights.unclaimed());
  }

  @Test
  void oneThatNobodyCanHaveRecallsWhoWaits() {
    spare = Spare.NONE;
    rights.release();
    assertEquals(1, recalled);
    rights.handOut();
    assertEquals(2, recalled);
    spare = Spare.NO_MEMORY;
    assertThrows(OutOfMemoryError.class, rights::handOut);
    assertEquals(3, recalled, "also if there is no memory for a thread");
  }

  @Test
  void oneThatIsDemandedInVainRecallsWhoWaits() {
    spare = Spare.NONE;
    rights.releaseOnDemand();
    assertEquals(1, recalled);
    assertEquals(1, rights.unclaimed());
  }

  /** Two that wait for want of a thread would recall each other at each turn. */
  @Test
  void whoGoesOnItselfRecallsNobody() {
    spare = Spare.NONE;
    assertFalse(rights.tryRelease());
    assertEquals(0, recalled);
    rights.reclaim();
    assertTrue(rights.tryHandOut());
    assertEquals(0, rights.unclaimed());
  }
}
