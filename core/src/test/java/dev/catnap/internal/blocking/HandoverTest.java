package dev.catnap.internal.blocking;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** G2: what a spare is called for comes out once. */
class HandoverTest {
  private final Handover handover = new Handover();
  private final Runnable task = new Nothing("task");
  private final Runnable other = new Nothing("other");

  @Test
  void theSpareTakesItOnce() {
    assertTrue(handover.call(task, () -> true));
    assertSame(task, handover.take());
    assertNull(handover.take());
  }

  @Test
  void theTaskIsThereWhenTheSpareIsNotified() {
    AtomicReference<Runnable> taken = new AtomicReference<>();
    assertTrue(
        handover.call(
            task,
            () -> {
              taken.set(handover.take());
              return true;
            }));
    assertSame(task, taken.get());
    assertNull(handover.take());
  }

  /** It was handed a right, or retired. */
  @Test
  void oneThatIsNoSpareAnyMoreGetsNothing() {
    assertFalse(handover.call(task, () -> false));
    assertNull(handover.take());
  }

  /** The script in the documentation of {@link Handover}. */
  @Test
  void oneThatAnotherNotifiedHasIt() {
    AtomicReference<Runnable> taken = new AtomicReference<>();
    assertTrue(
        handover.call(
            task,
            () -> {
              taken.set(handover.take());
              return false;
            }));
    assertSame(task, taken.get());
    assertNull(handover.take());
  }

  @Test
  void ofTwoCallersOneIsRefused() {
    assertTrue(
        handover.call(
            task,
            () -> {
              assertFalse(handover.call(other, () -> true));
              return true;
            }));
    assertSame(task, handover.take());
    assertTrue(handover.call(other, () -> true));
    assertSame(other, handover.take());
  }

  /** It took the one and is called for the other, while the first caller is still at it. */
  @Test
  void oneCallerDoesNotWithdrawTheTaskOfAnother() {
    assertTrue(
        handover.call(
            task,
            () -> {
              assertSame(task, handover.take());
              assertTrue(handover.call(other, () -> true));
              return false;
            }));
    assertSame(other, handover.take());
  }

  private record Nothing(String name) implements Runnable {
    @Override
    public void run() {}
  }
}
