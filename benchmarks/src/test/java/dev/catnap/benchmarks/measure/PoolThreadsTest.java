package dev.catnap.benchmarks.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolThreadsTest {
  private static final List<String> NAMES = List.of("measured-with-a-long-name-");
  private static final long MILLI = 1_000_000;

  @TempDir private Path tasks;

  @Test
  void used_sumOverThoseOfThatName() throws IOException {
    thread(1, "measured-with-a", 3 * MILLI, 4, 1); // so much of a name Linux keeps
    thread(2, "measured-with-a", 5 * MILLI, 20, 300);
    thread(3, "somebody-else", 7 * MILLI, 1_000, 1_000);
    Files.createDirectory(tasks.resolve("4")); // one that has ended meanwhile
    assertEquals(new PoolThreads(8 * MILLI, 24, 301), PoolThreads.used(tasks, NAMES));
  }

  @Test
  void since_difference() {
    PoolThreads earlier = new PoolThreads(10, 200, 3_000);
    assertEquals(new PoolThreads(1, 22, 333), new PoolThreads(11, 222, 3_333).since(earlier));
  }

  private void thread(int id, String name, long cpuNanos, int sleeps, int preempts)
      throws IOException {
    Path thread = Files.createDirectory(tasks.resolve(String.valueOf(id)));
    Files.writeString(thread.resolve("comm"), name + "\n");
    Files.writeString(thread.resolve("schedstat"), cpuNanos + " 123 45\n");
    Files.writeString(
        thread.resolve("status"),
        "Name:\t%s\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t%d\n"
            .formatted(name, sleeps, preempts));
  }

  /** Of the kernel, and by the clock; what is made of it: the tests above. */
  @Tag("timing")
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
    assertThrows(IllegalStateException.class, () -> PoolThreads.used(tasks, NAMES));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
