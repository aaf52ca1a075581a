package dev.catnap.internal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** The states of an inbox. */
class InboxTest {
  private final Inbox inbox = new Inbox(2);

  @Test
  void unopenedItRefusesAndIsEmpty() {
    assertTrue(inbox.isUnopened());
    assertFalse(inbox.push(() -> {}));
    assertTrue(inbox.isEmpty());
    assertNull(inbox.poll());
    assertEquals(0, inbox.size());
  }

  @Test
  void openItIsFirstInFirstOut() {
    inbox.open();
    inbox.open();
    assertFalse(inbox.isUnopened());
    Runnable[] tasks = new Runnable[5];
    for (int i = 0; i < tasks.length; i++) {
      int number = i;
      tasks[i] = () -> assertEquals(number, number);
      assertTrue(inbox.push(tasks[i]));
    }
    assertEquals(5, inbox.size());
    for (Runnable task : tasks) {
      assertFalse(inbox.isEmpty());
      assertSame(task, inbox.poll());
    }
    assertTrue(inbox.isEmpty());
  }

  @Test // F13
  void closedItRefusesAndKeepsWhatWasAccepted() {
    inbox.open();
    Runnable before = () -> {};
    assertTrue(inbox.push(before));
    inbox.close();
    inbox.close();
    assertFalse(inbox.push(() -> {}));
    assertSame(before, inbox.poll());
    assertNull(inbox.poll());
  }

  @Test
  void closedBeforeItWasOpenedItStaysClosed() {
    inbox.close();
    inbox.open();
    assertFalse(inbox.isUnopened());
    assertFalse(inbox.push(() -> {}));
    assertNull(inbox.poll());
    assertTrue(inbox.isEmpty());
  }

  @Test // G2
  void whatTwoThreadsThatOpenItPushIsAllThere() throws Exception {
    for (int round = 0; round < 500; round++) {
      Inbox fresh = new Inbox(2);
      CyclicBarrier together = new CyclicBarrier(2);
      Thread other = new Thread(() -> openAndPush(fresh, together));
      other.start();
      openAndPush(fresh, together);
      other.join();
      assertEquals(2, fresh.size(), "round " + round);
    }
  }

  private static void openAndPush(Inbox inbox, CyclicBarrier together) {
    try {
      together.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    inbox.open();
    assertTrue(inbox.push(() -> {}));
  }
}
