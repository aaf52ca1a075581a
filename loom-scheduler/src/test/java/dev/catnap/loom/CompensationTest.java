package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.catnap.SchedulerStats;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G9, F17: a virtual thread in a blocking system call does not take a worker from the others. */
@ExtendWith(NoThreadLeft.class)
class CompensationTest {

  @Test
  void othersRunWhileTheOutputOfAProcessIsAwaited() throws Exception {
    assumeTrue(Modes.available().contains(Mode.CARRIER_THREADS), "needs carrier threads");
    Process cat = new ProcessBuilder("cat").start();
    // The spare is to be seen at the end.
    try (CarrierPool pool =
        Modes.builder(Mode.CARRIER_THREADS, 1)
            .tuning(Modes.lateSpares())
            .keepAlive(Duration.ofHours(1))
            .build()) {
      try {
        CountDownLatch reads = new CountDownLatch(1);
        Queue<Integer> read = new ConcurrentLinkedQueue<>();
        Thread reader =
            pool.ofVirtual()
                .start(
                    () -> {
                      reads.countDown();
                      try {
                        read.add(cat.getInputStream().read());
                        read.add(pool.scheduler().stats().blockedWorkers());
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    });
        Deadline.await("the reader runs", reads);
        Deadline.until("it is declared", () -> pool.scheduler().stats().blockedWorkers() == 1);
        Thread[] others = new Thread[100];
        for (int i = 0; i < others.length; i++) {
          others[i] = pool.ofVirtual().start(Thread::yield);
        }
        Deadline.join(others);
        cat.getOutputStream().write('x');
        cat.getOutputStream().flush();
        Deadline.join(reader);
        assertEquals(List.of((int) 'x', 0), List.copyOf(read), "and the section is over with it");
        Deadline.until("one worker and one spare", () -> atRest(pool.scheduler().stats()));
      } finally {
        cat.destroy(); // ends the reader in any case, so that the pool can be closed
      }
    }
  }

  private static boolean atRest(SchedulerStats stats) {
    return stats.blockedWorkers() == 0 && stats.parkedWorkers() == 1 && stats.spareThreads() == 1;
  }
}
