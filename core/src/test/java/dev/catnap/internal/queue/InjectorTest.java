package dev.catnap.internal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InjectorTest {
  private record Task(int id) implements Runnable {
    @Override
    public void run() {}
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 128})
  void deliversInOrderAcrossSegments(int segmentSize) {
    Injector injector = new Injector(segmentSize);
    assertTrue(injector.isEmpty());
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 300; i++) {
        assertTrue(injector.push(new Task(i)));
      }
      assertEquals(300, injector.size());
      for (int i = 0; i < 300; i++) {
        assertFalse(injector.isEmpty());
        assertEquals(new Task(i), injector.poll());
      }
      assertNull(injector.poll());
      assertTrue(injector.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 128})
  void tellsWhetherMoreThanSomeWait(int segmentSize) {
    Injector injector = new Injector(segmentSize);
    for (int n = 0; n < 5; n++) {
      assertEquals(n > 2, injector.hasMoreThan(2), n + " wait");
      injector.push(new Task(n));
    }
    for (int n = 5; n > 0; n--) {
      assertEquals(n > 2, injector.hasMoreThan(2), n + " wait");
      injector.poll();
    }
    assertFalse(injector.hasMoreThan(0));
    assertFalse(new Injector(segmentSize).hasMoreThan(0));
  }

  @Test
  void aBatchIsAShareAndFitsIntoTheDeque() {
    Injector injector = new Injector(64);
    for (int i = 0; i < 20; i++) {
      injector.push(new Task(i));
    }
    WorkerDeque deque = new WorkerDeque(8, 0);
    assertEquals(new Task(0), injector.poll(deque, 4, 100)); // a quarter of 20: 1 to run and 4
    assertEquals(4, deque.size());
    assertEquals(new Task(5), injector.poll(deque, 1, 100)); // as much as there is room for
    assertEquals(8, deque.size());
    assertEquals(new Task(10), injector.poll(deque, 1, 100)); // full: one to run, none to keep
    assertEquals(8, deque.size());
    assertEquals(new Task(1), deque.pop());
  }

  @Test
  void movesAShareInItsOrder() {
    Injector injector = new Injector(64);
    for (int i = 0; i < 20; i++) {
      injector.push(new Task(i));
    }
    WorkerDeque deque = new WorkerDeque(8, 0);
    assertTrue(injector.move(deque, 4, 100)); // a quarter of 20
    assertEquals(5, deque.size());
    assertTrue(injector.move(deque, 1, 2)); // as many as are wanted
    assertTrue(injector.move(deque, 1, 100)); // as many as there is room for
    assertFalse(injector.move(deque, 1, 100));
    for (int i = 0; i < 8; i++) {
      assertEquals(new Task(i), deque.pop());
    }
    assertEquals(new Task(8), injector.poll());
    assertFalse(new Injector(4).move(deque, 1, 100), "nothing there");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 128})
  void aClosedInjectorRefusesAndKeepsWhatItAccepted(int segmentSize) {
    Injector injector = new Injector(segmentSize);
    for (int i = 0; i < 5; i++) {
      injector.push(new Task(i));
    }
    injector.close();
    injector.close();
    assertFalse(injector.push(new Task(5)));
    for (int i = 0; i < 5; i++) {
      assertEquals(new Task(i), injector.poll());
    }
    assertNull(injector.poll());
    assertTrue(injector.isEmpty());
    assertFalse(injector.push(new Task(6)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 128})
  void eachAcceptedPushIsDeliveredOnceAndCloseIsExact(int segmentSize) throws Exception {
    int perProducer = TestScale.of(100_000);
    for (int round = 0; round < 5; round++) {
      Injector injector = new Injector(segmentSize);
      AtomicIntegerArray delivered = new AtomicIntegerArray(2 * perProducer);
      AtomicIntegerArray accepted = new AtomicIntegerArray(2 * perProducer);
      AtomicInteger producing = new AtomicInteger(2);
      List<Thread> threads = new ArrayList<>();
      for (int p = 0; p < 2; p++) {
        int first = p * perProducer;
        threads.add(
            new Thread(
                () -> {
                  for (int i = first; i < first + perProducer; i++) {
                    if (!injector.push(new Task(i))) {
                      break;
                    }
                    accepted.set(i, 1);
                  }
                  producing.decrementAndGet();
                }));
      }
      for (int c = 0; c < 2; c++) {
        boolean batches = c == 0;
        threads.add(
            new Thread(
                () -> {
                  WorkerDeque own = new WorkerDeque(16, 0);
                  while (producing.get() > 0 || !injector.isEmpty()) {
                    take(batches ? injector.poll(own, 2, 16) : injector.poll(), delivered);
                    for (Runnable r = own.pop(); r != null; r = own.pop()) {
                      take(r, delivered);
                    }
                  }
                }));
      }
      threads.forEach(Thread::start);
      int closeAfter = round * perProducer / 4;
      while (producing.get() > 0 && accepted.get(closeAfter) == 0) {
        Thread.onSpinWait();
      }
      injector.close();
      for (Thread t : threads) {
        t.join();
      }
      for (int i = 0; i < delivered.length(); i++) {
        assertEquals(accepted.get(i), delivered.get(i), "deliveries of task " + i);
      }
    }
  }

  private static void take(Runnable task, AtomicIntegerArray delivered) {
    if (task instanceof Task t) {
      delivered.incrementAndGet(t.id());
    }
  }
}
