package dev.catnap.internal.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerHeapTest {
  private static final class Node extends TimerNode {
    Node(long deadline) {
      deadlineNanos = deadline;
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
        heap.add(n);
        inside.add(n);
      } else {
        Node n = inside.remove(random.nextInt(inside.size()));
        assertTrue(heap.remove(n));
        assertFalse(heap.remove(n));
      }
      assertEquals(inside.size(), heap.size());
    }
    long last = origin - 501;
    long lastSequence = -1;
    for (TimerNode n = heap.first(); n != null; n = heap.first()) {
      long step = n.deadlineNanos - last;
      assertTrue(step > 0 || (step == 0 && n.sequence > lastSequence), "order");
      last = n.deadlineNanos;
      lastSequence = n.sequence;
      assertTrue(heap.remove(n));
    }
    assertEquals(0, heap.size());
  }
}
