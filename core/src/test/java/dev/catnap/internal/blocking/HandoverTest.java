package dev.catnap.internal.blocking;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** G2: what a spare is called for comes out once. */
class HandoverTest {
  private final Handover handover = new Handover();
  private final Runnable task = () -> {};
  private final Runnable other = () -> {};

  @Test
  void theSpareTakesItOnce() {
    assertTrue(handover.offer(task));
    assertSame(task, handover.take());
    assertNull(handover.take());
  }

  @Test
  void whatIsWithdrawnIsNotTaken() {
    assertTrue(handover.offer(task));
    assertTrue(handover.withdraw(task));
    assertNull(handover.take());
  }

  @Test
  void whatIsTakenIsNotWithdrawn() {
    assertTrue(handover.offer(task));
    assertSame(task, handover.take());
    assertFalse(handover.withdraw(task));
  }

  @Test
  void ofTwoCallersOneIsRefused_andWithdrawsNothing() {
    assertTrue(handover.offer(task));
    assertFalse(handover.offer(other));
    assertFalse(handover.withdraw(other));
    assertSame(task, handover.take());
    assertTrue(handover.offer(other));
  }
}
