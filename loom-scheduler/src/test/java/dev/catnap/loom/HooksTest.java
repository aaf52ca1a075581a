package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkerHooks;
import dev.catnap.loom.testing.NoThreadLeft;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the builder says of worker threads holds for carriers as well. */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HooksTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void hooksRunOnTheCarrierAndNotInVirtualThreads(CarrierPool.Mode mode) throws Exception {
    AtomicInteger starts = new AtomicInteger();
    AtomicInteger stops = new AtomicInteger();
    AtomicInteger balance = new AtomicInteger();
    Queue<Thread> callers = new ConcurrentLinkedQueue<>();
    WorkerHooks hooks =
        new WorkerHooks() {
          @Override
          public void onThreadStart(int worker) {
            callers.add(Thread.currentThread());
            starts.incrementAndGet();
          }

          @Override
          public void onPark(int worker) {
            callers.add(Thread.currentThread());
            balance.incrementAndGet();
          }

          @Override
          public void onUnpark(int worker) {
            callers.add(Thread.currentThread());
            balance.decrementAndGet();
          }

          @Override
          public void onThreadStop(int worker) {
            callers.add(Thread.currentThread());
            stops.incrementAndGet();
          }
        };
    AtomicInteger ran = new AtomicInteger();
    try (var pool = CarrierPool.builder().mode(mode).parallelism(2).hooks(hooks).build()) {
      for (int i = 0; i < 100; i++) {
        Thread virtual =
            pool.ofVirtual()
                .start(
                    () -> {
                      Thread.yield();
                      ran.incrementAndGet();
                    });
        virtual.join();
      }
    }
    assertEquals(100, ran.get());
    assertEquals(starts.get(), stops.get());
    assertTrue(starts.get() >= 2, () -> "started: " + starts);
    assertEquals(0, balance.get(), "an unpark for each park");
    for (Thread caller : callers) {
      assertFalse(caller.isVirtual(), caller::toString);
      assertTrue(caller.getName().contains("-worker-"), caller::toString);
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void workersHaveThePriorityAndTheLoaderOfTheBuilder(CarrierPool.Mode mode) throws Exception {
    try (var loader = new URLClassLoader(new URL[0]);
        var pool =
            CarrierPool.builder()
                .mode(mode)
                .parallelism(1)
                .priority(7)
                .contextClassLoader(loader)
                .build()) {
      Thread worker = pool.scheduler().submit(Thread::currentThread).get();
      assertEquals(7, worker.getPriority());
      assertSame(loader, worker.getContextClassLoader());
    }
  }

  @Test
  void aPriorityThatIsNoneIsNamed() {
    var e = assertThrows(IllegalArgumentException.class, () -> CarrierPool.builder().priority(11));
    assertEquals("priority must be 1 to 10: 11", e.getMessage());
  }
}
