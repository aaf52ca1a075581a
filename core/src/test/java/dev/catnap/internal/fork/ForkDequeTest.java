package dev.catnap.internal.fork;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.TestScale;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G2 and F4: each forked task is taken once, by its owner the newest, by thieves the oldest. */
class ForkDequeTest {
  private static final class Task extends ForkTask {
    final int id;

    Task(int id) {
      this.id = id;
    }

    @Override
    public void run() {
      throw new AssertionError("not to be run: " + id);
    }

    @Override
    public void cancel(Throwable why) {
      throw new AssertionError("not to be cancelled: " + id);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 2, -3})
  void theOwnerTakesTheNewest_thievesTheOldest(long start) {
    ForkDeque deque = new ForkDeque(4, start);
    List<Task> tasks = push(deque, 4);
    assertEquals(4, deque.size());
    assertSame(tasks.get(0), deque.steal());
    assertSame(tasks.get(3), deque.pop());
    assertSame(tasks.get(1), deque.steal());
    assertSame(tasks.get(2), deque.pop());
    assertNull(deque.pop());
    assertNull(deque.steal());
    assertTrue(deque.isEmpty());
    assertEquals(0, deque.size());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 2, -3})
  void itGrowsAndKeepsTheOrder(long start) {
    ForkDeque deque = new ForkDeque(1, start);
    List<Task> tasks = new ArrayList<>();
    int stolen = 0;
    for (int i = 0; i < 100; i++) {
      Task task = new Task(i);
      tasks.add(task);
      deque.push(task);
      if (i % 3 == 0) {
        assertSame(tasks.get(stolen++), deque.steal());
      }
    }
    assertEquals(128, deque.capacity());
    for (int i = 99; i >= stolen; i--) {
      assertSame(tasks.get(i), deque.pop());
    }
    assertNull(deque.pop());
  }

  @Test
  void aTaskIsTakenBackOnlyWhileItIsTheNewest() {
    ForkDeque deque = new ForkDeque(2, 0);
    List<Task> tasks = push(deque, 2);
    assertFalse(deque.popIf(tasks.get(0)), "another one lies above it");
    assertTrue(deque.popIf(tasks.get(1)));
    assertFalse(deque.popIf(tasks.get(1)), "it was taken back");
    assertSame(tasks.get(0), deque.steal());
    assertFalse(deque.popIf(tasks.get(0)), "it was stolen");
    assertEquals(0, deque.size());
    Task next = new Task(2);
    deque.push(next);
    assertSame(next, deque.steal());
  }

  @Test
  void capacityMustBeAPowerOfTwo() {
    for (int bad : new int[] {0, 3, -4}) {
      var e = assertThrows(IllegalArgumentException.class, () -> new ForkDeque(bad, 0));
      assertTrue(String.valueOf(e.getMessage()).contains(String.valueOf(bad)));
    }
  }

  @Test
  void itIsAsSmallAsAtFirstWhenItIsTrimmedEmpty() {
    ForkDeque deque = new ForkDeque(2, 0);
    for (int round = 0; round < 2; round++) {
      List<Task> tasks = push(deque, 100);
      deque.trim();
      assertEquals(128, deque.capacity(), "it holds tasks");
      for (int i = 99; i >= 50; i--) {
        assertSame(tasks.get(i), deque.pop());
        assertSame(tasks.get(99 - i), deque.steal());
      }
      deque.trim();
      assertEquals(2, deque.capacity());
      assertNull(deque.pop());
      assertNull(deque.steal());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void whatWasTakenCanBeCollected(int capacity) {
    ForkDeque deque = new ForkDeque(capacity, 0);
    List<WeakReference<Task>> refs = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Task task = new Task(i);
      refs.add(new WeakReference<>(task));
      deque.push(task);
    }
    while (deque.steal() != null && deque.pop() != null) {}
    deque.trim();
    Await.until(
        "every task is collected",
        () -> {
          System.gc();
          return refs.stream().allMatch(r -> r.get() == null);
        },
        () -> refs.stream().filter(r -> r.get() != null).count());
    assertTrue(deque.isEmpty());
  }

  /** A ring of one, so that it is full, grows, and its last task is contended, all the time. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 256})
  void ownerAndThievesTakeEachTaskOnce(int capacity) throws Exception {
    int tasks = 1_000 * TestScale.of(500);
    AtomicIntegerArray taken = new AtomicIntegerArray(tasks);
    AtomicBoolean over = new AtomicBoolean();
    // A new one from time to time, for it does not shrink.
    ForkDeque[] all = new ForkDeque[tasks / 1_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = new ForkDeque(capacity, Long.MAX_VALUE - 100);
    }
    List<Thread> thieves = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      Thread thief =
          new Thread(
              () -> {
                for (ForkDeque d : all) {
                  int idle = 0;
                  while (idle < 1_000 && !over.get()) {
                    idle = take(d.steal(), taken) ? 0 : idle + 1;
                  }
                }
                for (ForkDeque d : all) {
                  while (take(d.steal(), taken)) {}
                }
              });
      thief.start();
      thieves.add(thief);
    }
    for (int i = 0; i < tasks; i++) {
      ForkDeque d = all[i / 1_000];
      Task task = new Task(i);
      d.push(task);
      switch (i % 4) {
        case 0 -> take(d.popIf(task) ? task : null, taken);
        case 1 -> take(d.pop(), taken);
        case 2 -> {
          take(d.pop(), taken);
          take(d.pop(), taken);
        }
        default -> {}
      }
    }
    over.set(true);
    for (Thread t : thieves) {
      t.join();
    }
    for (ForkDeque d : all) {
      while (take(d.pop(), taken)) {}
    }
    for (int i = 0; i < tasks; i++) {
      assertEquals(1, taken.get(i), "task " + i);
    }
  }

  private static boolean take(@Nullable ForkTask task, AtomicIntegerArray taken) {
    if (task instanceof Task t) {
      taken.incrementAndGet(t.id);
      return true;
    }
    return false;
  }

  private static List<Task> push(ForkDeque deque, int n) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Task task = new Task(i);
      tasks.add(task);
      deque.push(task);
    }
    return tasks;
  }
}
