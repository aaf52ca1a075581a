package dev.catnap.internal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.TestScale;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerDequeTest {
  private record Task(int id) implements Runnable {
    @Override
    public void run() {}
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 2, -3})
  void popsInOrderAndRefusesWhatDoesNotFit(long start) {
    WorkerDeque deque = new WorkerDeque(4, start);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 4; i++) {
        assertTrue(deque.push(new Task(i)));
      }
      assertFalse(deque.push(new Task(4)));
      assertEquals(4, deque.size());
      for (int i = 0; i < 4; i++) {
        assertEquals(new Task(i), deque.pop());
      }
      assertNull(deque.pop());
      assertTrue(deque.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 2, -3})
  void aThiefTakesTheOlderHalfInOrder(long start) {
    WorkerDeque victim = new WorkerDeque(8, start);
    WorkerDeque thief = new WorkerDeque(8, start);
    for (int i = 0; i < 5; i++) {
      victim.push(new Task(i));
    }
    assertEquals(new Task(0), victim.steal(thief)); // 3 of 5: half, rounded up
    assertEquals(new Task(1), thief.pop());
    assertEquals(new Task(2), thief.pop());
    assertNull(thief.pop());
    assertEquals(2, victim.size());
    assertEquals(new Task(3), victim.stealOne());
    assertEquals(new Task(4), victim.steal(thief));
    assertNull(victim.steal(thief));
    assertNull(victim.stealOne());
  }

  @Test
  void aThiefTakesNoMoreThanItHasRoomFor() {
    WorkerDeque victim = new WorkerDeque(8, 0);
    WorkerDeque thief = new WorkerDeque(2, 0);
    for (int i = 0; i < 8; i++) {
      victim.push(new Task(i));
    }
    assertEquals(new Task(0), victim.steal(thief));
    assertEquals(2, thief.size());
    assertEquals(new Task(3), victim.pop());
  }

  @Test
  void halfIsTakenOutToMakeRoom() {
    WorkerDeque deque = new WorkerDeque(4, 0);
    Runnable[] buffer = new Runnable[2];
    assertEquals(0, deque.takeHalf(buffer));
    for (int i = 0; i < 4; i++) {
      deque.push(new Task(i));
    }
    assertEquals(2, deque.takeHalf(buffer));
    assertEquals(new Task(0), buffer[0]);
    assertEquals(new Task(1), buffer[1]);
    assertEquals(new Task(2), deque.pop());
  }

  @Test
  void noMoreOfTheHalfIsTakenOutThanFits() {
    WorkerDeque deque = new WorkerDeque(8, 0);
    for (int i = 0; i < 8; i++) {
      deque.push(new Task(i));
    }
    Runnable[] buffer = new Runnable[3];
    assertEquals(3, deque.takeHalf(buffer));
    assertEquals(new Task(2), buffer[2]);
    assertEquals(new Task(3), deque.pop());
  }

  @Test
  void capacityMustBeAPowerOfTwo() {
    for (int bad : new int[] {0, 1, 3, -4}) {
      var e = assertThrows(IllegalArgumentException.class, () -> new WorkerDeque(bad, 0));
      assertTrue(String.valueOf(e.getMessage()).contains(String.valueOf(bad)));
    }
  }

  @Test
  void stolenTasksCanBeCollectedOnceTheOwnerIsIdle() {
    WorkerDeque victim = new WorkerDeque(8, 0);
    WorkerDeque thief = new WorkerDeque(8, 0);
    List<WeakReference<Runnable>> refs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Runnable task = new Task(i);
      refs.add(new WeakReference<>(task));
      victim.push(task);
    }
    while (victim.steal(thief) != null) {
      while (thief.pop() != null) {}
    }
    victim.clearStale();
    thief.clearStale();
    Await.until(
        "every task is collected",
        () -> {
          System.gc();
          return refs.stream().allMatch(r -> r.get() == null);
        },
        () -> refs.stream().filter(r -> r.get() != null).count());
  }

  /**
   * G4: a thief copies before it claims, and who loses the race may find nothing else, and sleep
   * for hours with a copy of what another has taken.
   */
  @Test
  void aThiefThatIsTooLateKeepsNothing() throws Exception {
    int rounds = TestScale.of(20_000);
    WorkerDeque victim = new WorkerDeque(8, 0);
    List<WorkerDeque> rings = List.of(new WorkerDeque(8, 0), new WorkerDeque(8, 0));
    Phaser steps = new Phaser(3);
    List<Thread> thieves = new ArrayList<>();
    for (WorkerDeque own : rings) {
      Thread thief =
          new Thread(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  steps.arriveAndAwaitAdvance();
                  while (victim.steal(own) != null) {
                    while (own.pop() != null) {}
                  }
                  steps.arriveAndAwaitAdvance();
                }
              });
      thief.start();
      thieves.add(thief);
    }
    int kept = 0;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 8; i++) {
        victim.push(new Task(i));
      }
      steps.arriveAndAwaitAdvance();
      steps.arriveAndAwaitAdvance();
      for (WorkerDeque ring : rings) {
        kept += (int) Arrays.stream(cellsOf(ring)).filter(Objects::nonNull).count();
      }
    }
    for (Thread thief : thieves) {
      thief.join();
    }
    assertEquals(0, kept);
  }

  private static Object[] cellsOf(WorkerDeque deque) throws ReflectiveOperationException {
    Field cells = WorkerDeque.class.getDeclaredField("cells");
    cells.setAccessible(true);
    return (Object[]) cells.get(deque);
  }

  /**
   * The smallest ring, so that the last element and the full ring are contended all the time (F4).
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 256})
  void ownerAndThievesTakeEachTaskOnce(int capacity) throws Exception {
    int tasks = TestScale.of(500_000);
    WorkerDeque deque = new WorkerDeque(capacity, Long.MAX_VALUE - tasks / 2);
    AtomicIntegerArray taken = new AtomicIntegerArray(tasks);
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> thieves = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      Thread thief =
          new Thread(
              () -> {
                WorkerDeque own = new WorkerDeque(capacity, 0);
                while (!over.get() || !deque.isEmpty()) {
                  take(deque.steal(own), taken);
                  for (Runnable r = own.pop(); r != null; r = own.pop()) {
                    take(r, taken);
                  }
                }
              });
      thief.start();
      thieves.add(thief);
    }
    Runnable[] buffer = new Runnable[capacity / 2];
    for (int i = 0; i < tasks; i++) {
      Task task = new Task(i);
      while (!deque.push(task)) {
        int n = i % 2 == 0 ? deque.takeHalf(buffer) : 0;
        for (int k = 0; k < n; k++) {
          take(buffer[k], taken);
        }
        take(deque.pop(), taken);
      }
      if (i % 3 == 0) {
        take(deque.pop(), taken);
      }
    }
    over.set(true);
    for (Thread t : thieves) {
      t.join();
    }
    for (int i = 0; i < tasks; i++) {
      assertEquals(1, taken.get(i), "task " + i);
    }
  }

  private static void take(Runnable task, AtomicIntegerArray taken) {
    if (task instanceof Task t) {
      taken.incrementAndGet(t.id());
    }
  }

  @Test
  void theSlotHoldsTheNewestAndGivesItOnce() {
    LifoSlot slot = new LifoSlot();
    assertTrue(slot.isEmpty());
    assertNull(slot.take());
    Task first = new Task(1);
    assertNull(slot.put(first));
    assertSame(first, Objects.requireNonNull(slot.put(new Task(2))));
    assertFalse(slot.isEmpty());
    assertEquals(new Task(2), slot.take());
    assertNull(slot.take());
  }
}
