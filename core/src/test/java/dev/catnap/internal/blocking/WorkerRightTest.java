package dev.catnap.internal.blocking;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** G9: each release of a right has one reclaim, whoever gave or took it. */
class WorkerRightTest {
  private final WorkerRight right = new WorkerRight();

  @Test
  void beforeItsThreadRunsAWorkerHasNoneToTake() {
    assertFalse(right.takeAway());
    right.receive();
    assertTrue(right.isHeld());
    assertTrue(right.takeAway());
  }

  @Test
  void aDeclaredSectionOwesOneReleaseAndOneReclaim() {
    right.receive();
    assertTrue(right.giveUp());
    assertFalse(right.takeAway());
    assertTrue(right.isGiven());
    assertTrue(right.regain());
    assertFalse(right.regain());
  }

  @Test
  void aSectionOfARelievedWorkerOwesNoRelease() {
    right.receive();
    assertTrue(right.takeAway());
    assertTrue(right.isTaken());
    assertFalse(right.giveUp());
    assertTrue(right.regain());
  }

  @Test
  void whatWasTakenIsReclaimedAlsoByAWorkerThatIsHandedARight() {
    right.receive();
    assertTrue(right.takeAway());
    right.receive();
    assertFalse(right.isHeld());
    assertTrue(right.regain());
  }

  @Test
  void theSentinelGivesBackOnlyWhatTheWorkerHasNotSeen() {
    right.receive();
    assertTrue(right.takeAway());
    assertTrue(right.giveBack());
    assertTrue(right.takeAway());
    assertTrue(right.regain());
    assertFalse(right.giveBack());
  }
}
