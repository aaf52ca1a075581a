package dev.catnap.internal.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G11: the order of timers, in lanes and in the heap. */
class ArmedTimersTest {
  private static final class Node extends InertTimer {
    private final long due;
    private final long armed;

    Node(long due, long armed) {
      this.due = due;
      this.armed = armed;
    }

    @Override
    public String toString() {
      return due + " armed as " + armed;
    }
  }

  /** What the queue must do, done slowly. */
  private static final class Oracle {
    private final long origin;
    private final List<Node> armed = new ArrayList<>();

    Oracle(long origin) {
      this.origin = origin;
    }

    Node takeFirst() {
      Node first =
          armed.stream()
              .min(
                  Comparator.<Node>comparingLong(n -> n.due - origin)
                      .thenComparingLong(n -> n.armed))
              .orElseThrow();
      armed.remove(first);
      return first;
    }
  }

  /**
   * A few delays that everybody uses, and some that nobody else does: lanes and the heap are both
   * in use. Around an origin where nanoTime may wrap.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE, Long.MIN_VALUE})
  void comeOutByDeadlineAndThenInTheOrderOfArming_whateverIsCancelled(long origin) {
    Random random = new Random(42);
    ArmedTimers timers = new ArmedTimers();
    Oracle oracle = new Oracle(origin);
    int heapUsed = 0;
    for (int step = 0; step < 20_000; step++) {
      long now = origin - 10_000 + step;
      int what = random.nextInt(10);
      if (oracle.armed.isEmpty() || what < 5) {
        long delay = what < 4 ? 100L * random.nextInt(4) : random.nextInt(1_000);
        Node n = new Node(now + delay, step);
        timers.add(n, n.due);
        heapUsed += TimerNode.isInLane(n.place) ? 0 : 1;
        oracle.armed.add(n);
      } else if (what < 7) {
        Node n = oracle.armed.remove(random.nextInt(oracle.armed.size()));
        assertTrue(timers.remove(n));
        assertFalse(timers.remove(n), "it is cancelled already");
      } else {
        Node first = oracle.takeFirst();
        assertEquals(first.due, timers.firstDeadline());
        assertNull(timers.takeDue(first.due - 1), "not before its time");
        assertEquals(first, timers.takeDue(first.due));
      }
      assertEquals(oracle.armed.size(), timers.size());
    }
    assertTrue(heapUsed > 100, "the heap was used " + heapUsed + " times");
    while (!oracle.armed.isEmpty()) {
      Node first = oracle.takeFirst();
      assertEquals(first, timers.takeDue(first.due));
    }
    assertEquals(0, timers.size());
    assertNull(timers.takeDue(origin + 1_000_000));
  }

  /** As many delays as there are lanes, in turn, for which no heap is needed. */
  @Test
  void eachOfAFewDelaysHasALane() {
    ArmedTimers timers = new ArmedTimers();
    for (int i = 0; i < 1_000; i++) {
      Node n = new Node(i + 10_000L * (i % TimerLanes.LANES), i);
      timers.add(n, n.due);
      assertTrue(TimerNode.isInLane(n.place), "the heap is used for " + n);
    }
  }

  /** F9: there may be no memory for it, and it must not be lost. */
  @Test
  void aTimerThatIsTriedAgainNeedsNoMemory_andIsInOrder() {
    ArmedTimers timers = new ArmedTimers();
    List<Node> retried = new ArrayList<>();
    for (int i = 0; i < 2 * TimerLanes.LANES; i++) { // falling: every lane is taken, and the heap
      Node n = new Node(1_000 - i, i);
      timers.add(n, n.due);
    }
    for (int i = 0; i < 100; i++) {
      Node n = new Node(500 + i, 100 + i);
      timers.addRetry(n, n.due);
      assertTrue(TimerNode.isInLane(n.place));
      retried.add(n);
    }
    for (Node n : retried) {
      assertEquals(n, timers.takeDue(n.due));
    }
    assertEquals(2 * TimerLanes.LANES, timers.size());
  }

  /** G11: without a trace. */
  @Test
  void whoHoldsATimerThatIsOverHoldsNoOther() {
    ArmedTimers timers = new ArmedTimers();
    List<Node> nodes = IntStream.range(0, 3).mapToObj(i -> new Node(i, i)).toList();
    nodes.forEach(n -> timers.add(n, n.due));
    assertTrue(timers.remove(nodes.get(1)));
    assertNotNull(timers.takeDue(0));
    for (Node over : nodes.subList(0, 2)) {
      assertNull(over.next);
      assertNull(over.previous);
    }
    assertNull(nodes.get(2).previous, "it is the first now");
  }

  /** In lanes, in the heap, and among those that are tried again. */
  private static ArmedTimers filled(int timers) {
    ArmedTimers filled = new ArmedTimers();
    for (int i = 0; i < timers; i++) {
      if (i % 5 == 4) {
        filled.addRetry(new Node(i, i), i);
      } else {
        long due = i % 3 == 0 ? i : timers - i; // those that fall are in the heap, but for a few
        filled.add(new Node(due, i), due);
      }
    }
    return filled;
  }

  private static List<TimerNode> step(ArmedTimers.Walk walk, int most) {
    List<TimerNode> removed = new ArrayList<>();
    for (TimerNode n = walk.step(most); n != null; n = n.next) {
      removed.add(n);
    }
    return removed;
  }

  private static long armedAs(TimerNode node) {
    return ((Node) node).armed;
  }

  @Test
  void whatAWalkFiltersOutLeaves_theRestStaysInOrder() {
    ArmedTimers timers = filled(1_000);
    ArmedTimers.Walk walk = timers.new Walk(n -> armedAs(n) % 2 == 1);
    walk.begin();
    List<TimerNode> odd = new ArrayList<>();
    while (!walk.isOver()) {
      odd.addAll(step(walk, 7));
    }
    walk.end();
    assertEquals(500, odd.size());
    assertTrue(odd.stream().allMatch(n -> armedAs(n) % 2 == 1));
    odd.forEach(n -> assertFalse(timers.remove(n)));
    assertEquals(500, timers.size());
    long last = 0;
    while (timers.size() > 0) {
      TimerNode first = timers.takeDue(timers.firstDeadline());
      assertNotNull(first);
      assertEquals(0, armedAs(first) % 2);
      assertTrue(((Node) first).due >= last);
      last = ((Node) first).due;
    }
  }

  /** While some are cancelled and others fire, and another walk is under way. */
  @Test
  void aWalkVisitsAllThatStay() {
    Random random = new Random(42);
    for (int round = 0; round < 200; round++) {
      int count = 1 + random.nextInt(300);
      ArmedTimers timers = filled(count);
      Set<Long> visited = new HashSet<>();
      ArmedTimers.Walk walk =
          timers
          .new Walk(
              n -> {
                visited.add(armedAs(n));
                return false;
              });
      ArmedTimers.Walk other = timers.new Walk(n -> random.nextInt(3) == 0);
      List<Long> left = new ArrayList<>();
      walk.begin();
      other.begin();
      while (!walk.isOver()) {
        assertEquals(List.of(), step(walk, 1 + random.nextInt(5)));
        step(other, random.nextInt(5)).forEach(n -> left.add(armedAs(n)));
        if (timers.size() > 0 && random.nextInt(4) == 0) {
          TimerNode first = timers.takeDue(timers.firstDeadline());
          assertNotNull(first);
          left.add(armedAs(first));
        }
      }
      walk.end();
      other.end();
      LongStream.range(0, count)
          .filter(n -> !left.contains(n))
          .forEach(n -> assertTrue(visited.contains(n), "not visited: " + n));
      assertEquals(count - left.size(), timers.size());
    }
  }
}
