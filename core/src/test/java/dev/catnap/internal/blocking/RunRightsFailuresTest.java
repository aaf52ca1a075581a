package dev.catnap.internal.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** G9, F9: a right to run is not lost with a thread for which there is no memory. */
class RunRightsFailuresTest {
  private boolean noMemory = true;
  private int activated;

  private final RunRights rights =
      new RunRights(
          new RunRights.Crew() {
            @Override
            public boolean activate() {
              if (noMemory) {
                throw new OutOfMemoryError("the test wants it so");
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
          });

  @Test
  void oneThatIsHandedOutIsThereForTheNext() {
    assertThrows(OutOfMemoryError.class, rights::release);
    assertEquals(1, rights.unclaimed());
    noMemory = false;
    assertTrue(rights.handOut());
    assertEquals(1, activated);
    assertEquals(0, rights.unclaimed());
  }

  @Test
  void oneThatIsDemandedIsDemandedAgain() {
    assertThrows(OutOfMemoryError.class, rights::releaseOnDemand);
    assertEquals(1, rights.unclaimed());
    assertTrue(rights.awaitsDemand(), "the next publish asks for it");
    noMemory = false;
    rights.handOutOnDemand();
    assertEquals(1, activated);
    assertEquals(0, rights.unclaimed());
  }
}
