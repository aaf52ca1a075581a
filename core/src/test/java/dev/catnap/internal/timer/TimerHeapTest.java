package dev.catnap.internal.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerHeapTest {
  private static final class Node extends InertTimer {
    Node(long deadline) {
      this.deadline = deadline;
    }
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
        n.sequence = step;
        heap.add(n, n.deadline);
        inside.add(n);
      } else {
        Node n = inside.remove(random.nextInt(inside.size()));
        heap.remove(n);
      }
      assertEquals(inside.size(), heap.size());
    }
    assertInOrder(heap, origin - 501);
  }

  private static void assertInOrder(TimerHeap heap, long before) {
    long last = before;
    long lastSequence = -1;
    while (heap.size() > 0) {
      TimerNode n = heap.first();
      long deadline = n.deadline;
      assertEquals(deadline, heap.firstDeadline());
      long step = deadline - last;
      assertTrue(step > 0 || (step == 0 && n.sequence > lastSequence), "order");
      last = deadline;
      lastSequence = n.sequence;
      heap.remove(n);
    }
  }

  /** G11: a million cancelled timers must not leave room for a million. */
  @Test
  void theRoomOfThoseThatLeftIsGivenBack() {
    TimerHeap heap = new TimerHeap();
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      nodes.add(new Node(i));
      heap.add(nodes.get(i), i);
    }
    assertTrue(heap.capacity() >= 10_000);
    nodes.forEach(heap::remove);
    assertEquals(new TimerHeap().capacity(), heap.capacity());
  }

  /** Which takes some microseconds, under the lock for which all others spin. */
  @Test
  void noCallMakesRoomForMoreThanAChunk_norGivesBackMore() {
    TimerHeap heap = new TimerHeap();
    List<Node> nodes = new ArrayList<>();
    int capacity = heap.capacity();
    for (int i = 0; i < 100_000; i++) {
      nodes.add(new Node(i));
      heap.add(nodes.get(i), i);
      assertTrue(heap.capacity() - capacity <= 4_096);
      capacity = heap.capacity();
    }
    for (Node n : nodes) {
      heap.remove(n);
      assertTrue(capacity - heap.capacity() <= 4_096);
      capacity = heap.capacity();
    }
  }
}
