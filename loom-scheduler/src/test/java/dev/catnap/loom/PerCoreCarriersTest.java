package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.Flavor;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.spi.SchedulerAdapter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Thread per core: a virtual thread stays on its carrier, whoever unparks it (G2, G12). */
@ExtendWith(NoThreadLeft.class)
class PerCoreCarriersTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  private static CarrierPool perCore(Mode mode, int carriers) {
    return CarrierPool.builder()
        .mode(mode)
        .flavor(Flavor.THREAD_PER_CORE)
        .parallelism(carriers)
        .build();
  }

  /** The number of the carrier under the caller. */
  private static int carrier(CarrierPool pool) {
    List<SchedulerAdapter> homes = pool.scheduler().adapter().homes();
    return IntStream.range(0, homes.size())
        .filter(i -> homes.get(i).isWorker())
        .findFirst()
        .orElseThrow(() -> new AssertionError("not on this pool"));
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aVirtualThreadNeverMoves_howeverItWaits(Mode mode) throws Exception {
    int threads = 60;
    int steps = 120;
    try (CarrierPool pool = perCore(mode, 3)) {
      int[] counts = new int[3 * 16];
      AtomicInteger moved = new AtomicInteger();
      SynchronousQueue<Integer> handOver = new SynchronousQueue<>();
      Object monitor = new Object();
      try (ExecutorService each = pool.newThreadPerTaskExecutor()) {
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
          boolean gives = t % 2 == 0;
          all.add(
              each.submit(
                  () -> {
                    int home = carrier(pool);
                    for (int step = 0; step < steps; step++) {
                      waitSomehow(step, gives, handOver, monitor);
                      if (carrier(pool) != home) {
                        moved.incrementAndGet();
                      }
                      counts[home * 16]++; // unsynchronised: virtual threads yield nowhere here
                    }
                    return null;
                  }));
        }
        for (Future<?> f : all) {
          f.get(Deadline.SECONDS, TimeUnit.SECONDS);
        }
      }
      assertEquals(0, moved.get());
      assertEquals(threads * steps, IntStream.of(counts).sum());
      assertEquals(0, pool.scheduler().stats().stolen());
    }
  }

  private static void waitSomehow(
      int step, boolean gives, SynchronousQueue<Integer> handOver, Object monitor)
      throws InterruptedException {
    switch (step % 5) {
      case 0 -> Thread.yield();
      case 1 -> Thread.sleep(0, 10_000);
      case 2 -> LockSupport.parkNanos(1_000);
      case 3 -> {
        if (gives) {
          handOver.put(step);
        } else {
          int ignored = handOver.take();
        }
      }
      default -> {
        synchronized (monitor) {
          monitor.notifyAll();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void whatAVirtualThreadStartsLivesWhereItDoes(Mode mode) throws Exception {
    try (CarrierPool pool = perCore(mode, 3)) {
      AtomicInteger elsewhere = new AtomicInteger();
      CountDownLatch over = new CountDownLatch(40 * 3);
      for (int i = 0; i < 40; i++) {
        pool.threadFactory()
            .newThread(
                () -> {
                  int home = carrier(pool);
                  Runnable child =
                      () -> {
                        Thread.yield();
                        if (carrier(pool) != home) {
                          elsewhere.incrementAndGet();
                        }
                        over.countDown();
                      };
                  Thread.startVirtualThread(child);
                  pool.ofVirtual().start(child);
                  pool.threadFactory().newThread(child).start();
                })
            .start();
      }
      Deadline.await("all virtual threads", over);
      assertEquals(0, elsewhere.get());
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void fromOutsideTheyAreSpread_thoseOfOneBuilderAreNot(Mode mode) throws Exception {
    try (CarrierPool pool = perCore(mode, 3)) {
      int[] counts = countCarriers(pool, 300, pool.threadFactory());
      for (int n : counts) {
        assertTrue(n > 40, () -> Arrays.toString(counts));
      }
      int[] ofOne = countCarriers(pool, 30, pool.ofVirtual().factory());
      assertEquals(30, IntStream.of(ofOne).max().orElseThrow());
    }
  }

  private static int[] countCarriers(CarrierPool pool, int threads, ThreadFactory factory)
      throws Exception {
    AtomicInteger[] counts =
        IntStream.range(0, 3).mapToObj(i -> new AtomicInteger()).toArray(AtomicInteger[]::new);
    CountDownLatch over = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      factory
          .newThread(
              () -> {
                counts[carrier(pool)].incrementAndGet();
                over.countDown();
              })
          .start();
    }
    Deadline.await("all virtual threads", over);
    return Arrays.stream(counts).mapToInt(AtomicInteger::get).toArray();
  }
}
