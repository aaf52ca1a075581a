package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.SchedulerStats;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G1, G2 and G4 for virtual threads: each start runs once, and then every worker sleeps. */
@ExtendWith(NoThreadLeft.class)
class VirtualThreadsExactlyOnceTest {
  private static final int STARTS = 100_000;
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void startedFromOutside(Mode mode) {
    startAndCheck(mode, false);
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void startedFromAVirtualThread(Mode mode) {
    startAndCheck(mode, true);
  }

  private static void startAndCheck(Mode mode, boolean fromInside) {
    AtomicIntegerArray runs = new AtomicIntegerArray(STARTS);
    CountDownLatch all = new CountDownLatch(STARTS);
    try (CarrierPool pool = Modes.pool(mode, 4)) {
      Runnable starter =
          () -> {
            Thread.Builder builder = pool.ofVirtual();
            for (int i = 0; i < STARTS; i++) {
              int number = i;
              builder.start(
                  () -> {
                    runs.incrementAndGet(number);
                    all.countDown();
                  });
            }
          };
      if (fromInside) {
        Deadline.join(pool.ofVirtual().start(starter));
      } else {
        starter.run();
      }
      Deadline.await(STARTS + " virtual threads", all);
      atRest(pool);
    }
    for (int i = 0; i < STARTS; i++) {
      assertEquals(1, runs.get(i), "runs of virtual thread " + i);
    }
  }

  /** With parking, yields, timers and locks in between, the counters still come out even. */
  @ParameterizedTest
  @MethodSource(MODES)
  void countersAreExactAfterAMixOfEverything(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 3)) {
      AtomicInteger sum = new AtomicInteger();
      Thread[] threads = new Thread[1_000];
      Object monitor = new Object();
      for (int i = 0; i < threads.length; i++) {
        int number = i;
        threads[i] =
            pool.ofVirtual()
                .start(
                    () -> {
                      Thread.yield();
                      if (number % 10 == 0) {
                        sleepABit();
                      }
                      synchronized (monitor) {
                        sum.incrementAndGet();
                      }
                      pool.scheduler().execute(sum::incrementAndGet);
                    });
      }
      Deadline.join(threads);
      Deadline.until("both faces ran", () -> sum.get() == 2 * threads.length);
      atRest(pool);
    }
  }

  private static void sleepABit() {
    try {
      Thread.sleep(1); // the time limit is the subject
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void atRest(CarrierPool pool) {
    Deadline.until(
        "every worker is parked",
        () -> pool.scheduler().stats().parkedWorkers() == pool.scheduler().parallelism());
    Deadline.untilBalanced(pool);
    SchedulerStats stats = pool.scheduler().stats();
    assertEquals(0, stats.queued(), "queued");
    assertEquals(0, stats.searchingWorkers(), "searching");
    assertEquals(0, stats.armedTimers(), "timers");
    assertEquals(0, stats.blockedWorkers(), "blocked");
    assertEquals(0, stats.uncaughtExceptions(), "thrown by continuations");
  }
}
