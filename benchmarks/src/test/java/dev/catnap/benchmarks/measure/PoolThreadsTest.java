package dev.catnap.benchmarks.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PoolThreadsTest {
  private static final List<String> NAMES = List.of("measured-with-a-long-name-");
  private static final long MILLI = 1_000_000;

  @Test
  void used_busyThenAsleep_itsOwnOnly() throws InterruptedException {
    CountDownLatch computed = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .name(NAMES.get(0) + 1)
            .start(
                () -> {
                  long until = System.nanoTime() + 20 * MILLI;
                  while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                  }
                  computed.countDown();
                  awaitQuietly(end);
                });
    computed.await();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    PoolThreads asleep = settled();
    assertTrue(asleep.cpuNanos() > MILLI, asleep.toString());
    Thread.sleep(20); // the subject: a time in which nothing is used
    assertEquals(new PoolThreads(0, 0, 0), PoolThreads.used(NAMES).since(asleep));
    end.countDown();
    thread.join();
  }

  /** A thread is WAITING a moment before it leaves its core. */
  private static PoolThreads settled() throws InterruptedException {
    PoolThreads before;
    PoolThreads now = PoolThreads.used(NAMES);
    do {
      before = now;
      Thread.sleep(5); // between two looks at accounts that must stop moving
      now = PoolThreads.used(NAMES);
    } while (!now.equals(before));
    return now;
  }

  @Test
  void used_noSuchThread_refused() {
    assertThrows(IllegalStateException.class, () -> PoolThreads.used(List.of("nobody-")));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
