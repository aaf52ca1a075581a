package dev.catnap.internal.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerHeapTest {
  private static final class Node extends TimerNode {
    private final long deadline;

    Node(long deadline) {
      this.deadline = deadline;
    }

    @Override
    protected void fire() {}

    @Override
    protected boolean survivesShutdown() {
      return false;
    }

    @Override
    protected void dropped() {}
  }

  /** Deadlines on both sides of an origin, which may be where nanoTime wraps. */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE, Long.MIN_VALUE})
  void comesOutInOrderOfDeadlinesWhateverIsRemovedInBetween(long origin) {
    Random random = new Random(42);
    TimerHeap heap = new TimerHeap();
    List<Node> inside = new ArrayList<>();
    for (int step = 0; step < 50_000; step++) {
      if (inside.isEmpty() || random.nextInt(5) < 3) {
        Node n = new Node(origin + random.nextInt(1_000) - 500);
        heap.add(n, n.deadline);
        inside.add(n);
      } else {
        Node n = inside.remove(random.nextInt(inside.size()));
        assertTrue(heap.remove(n));
        assertFalse(heap.remove(n));
      }
      assertEquals(inside.size(), heap.size());
    }
    assertInOrder(heap, origin - 501);
  }

  private static void assertInOrder(TimerHeap heap, long before) {
    long last = before;
    long lastSequence = -1;
    for (TimerNode n = heap.first(); n != null; n = heap.first()) {
      long deadline = ((Node) n).deadline;
      assertEquals(deadline, heap.firstDeadline());
      long step = deadline - last;
      assertTrue(step > 0 || (step == 0 && n.sequence > lastSequence), "order");
      last = deadline;
      lastSequence = n.sequence;
      assertTrue(heap.remove(n));
    }
    assertEquals(0, heap.size());
  }

  /** As the timer thread does with those that come due. */
  @Test
  void whatWasTakenAndIsPutBackComesOutInItsOrder() {
    TimerHeap heap = new TimerHeap();
    for (int i = 0; i < 1_000; i++) {
      heap.add(new Node(i % 10), i % 10);
    }
    List<Node> taken = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Node first = (Node) heap.takeFirst();
      assertEquals(i / 100, first.deadline);
      assertFalse(heap.remove(first), "somebody else has it");
      taken.add(first);
    }
    taken.subList(250, 500).forEach(n -> heap.putBack(n, n.deadline));
    heap.forget(250);
    assertEquals(750, heap.size());
    assertInOrder(heap, -1);
    assertEquals(new TimerHeap().capacity(), heap.capacity(), "no room is kept for anybody");
  }

  @Test
  void whatIsFilteredOutLeavesInOrder_theRestStays() {
    TimerHeap heap = new TimerHeap();
    List<Node> odd = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Node n = new Node(i);
      heap.add(n, i);
      if (i % 2 == 1) {
        odd.add(n);
      }
    }
    assertEquals(odd, heap.removeIf(n -> ((Node) n).deadline % 2 == 1));
    assertFalse(heap.remove(odd.get(0)));
    assertEquals(500, heap.size());
    Node next = new Node(0);
    heap.add(next, 0);
    assertEquals(0, ((Node) heap.takeFirst()).deadline);
    assertSame(next, heap.takeFirst(), "armed after the other of that deadline");
    heap.forget(2);
    assertInOrder(heap, 1);
  }

  /** Else the thread that puts them back could fail for want of memory. */
  @Test
  void whatWasTakenKeepsItsRoomWhenTheRestIsRemoved() {
    TimerHeap heap = new TimerHeap();
    List<Node> taken = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      heap.add(new Node(i), i);
    }
    for (int i = 0; i < 50; i++) {
      taken.add((Node) heap.takeFirst());
    }
    assertEquals(50, heap.removeIf(n -> true).size());
    int capacity = heap.capacity();
    assertTrue(capacity >= 50, () -> "room for " + capacity);
    taken.forEach(n -> heap.putBack(n, n.deadline));
    assertEquals(capacity, heap.capacity());
    assertInOrder(heap, -1);
  }
}
