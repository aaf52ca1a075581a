package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.spi.SchedulerTuning;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G8, G9: the pool of a tenant grows and shrinks while virtual threads run on it. */
@ExtendWith(NoThreadLeft.class)
class ResizedPoolTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void moreVirtualThreadsComputeAtOnceAfterItHasGrown(Mode mode) {
    try (CarrierPool pool = pool(mode, 1)) {
      pool.scheduler().setParallelism(4);
      CountDownLatch mounted = new CountDownLatch(4);
      Thread[] threads = new Thread[4];
      for (int i = 0; i < threads.length; i++) {
        threads[i] =
            pool.ofVirtual()
                .start(
                    () -> {
                      mounted.countDown();
                      while (mounted.getCount() > 0) {
                        Thread.onSpinWait(); // keeps its carrier until all four have one
                      }
                    });
      }
      Deadline.join(threads);
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void noMoreThanItMayOnceItHasShrunk_andEveryVirtualThreadComesThrough(Mode mode) {
    try (CarrierPool pool = pool(mode, 4)) {
      AtomicInteger done = new AtomicInteger();
      Thread[] threads = new Thread[1_000];
      for (int i = 0; i < threads.length; i++) {
        threads[i] =
            pool.ofVirtual()
                .start(
                    () -> {
                      Thread.yield();
                      done.incrementAndGet();
                    });
      }
      pool.scheduler().setParallelism(1);
      Deadline.join(threads);
      assertEquals(1_000, done.get());
      Deadline.until("one worker is left", () -> pool.scheduler().stats().threads() == 1);
      assertEquals(1, mostAtOnce(pool));
    }
  }

  private static int mostAtOnce(CarrierPool pool) {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Thread[] threads = new Thread[20];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          pool.ofVirtual()
              .start(
                  () -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    for (int spin = 0; spin < 10_000; spin++) {
                      Thread.onSpinWait();
                    }
                    now.decrementAndGet();
                  });
    }
    Deadline.join(threads);
    return most.get();
  }

  /** Without a sentinel, which gives threads that compute a spare. */
  private static CarrierPool pool(Mode mode, int parallelism) {
    return CarrierPool.builder()
        .name("test")
        .mode(mode)
        .parallelism(parallelism)
        .keepAlive(Duration.ofMillis(20))
        .tuning(SchedulerTuning.production().withSentinel(0, 0))
        .build();
  }
}
