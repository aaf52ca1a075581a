package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A dump tells where work is stuck: what waits, and at which line. */
@ExtendWith(NoThreadLeft.class)
class DumpTest {

  @Test
  void aWorkerThatWaitsIsShownWithItsStackAndWhatItKeepsFromRunning() {
    try (var scheduler = TestPools.withTheSentinel(1).name("stuck").maxThreads(1).build()) {
      AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
      CountDownLatch release = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            scheduler.execute(() -> {});
            scheduler.execute(() -> {});
            worker.set(Thread.currentThread());
            Await.quietly(release);
          });
      Await.untilItWaits(worker);
      scheduler.execute(() -> {});
      scheduler.background().execute(() -> {});
      Await.until(
          "the sentinel noticed", () -> scheduler.stats().relievedWorkers() == 1, scheduler::stats);
      String dump = scheduler.dump();
      assertContains(dump, "stuck[running, ");
      assertContains(
          dump, "parallelism 1, threads 1 of 1; waiting: 1 injected, 1 in the background");
      assertContains(dump, "stuck-worker-0: awake, 1 tasks begun, 2 queued, replaced by a spare");
      assertContains(dump, "WAITING on java.util.concurrent.CountDownLatch");
      // On JDK 17 after the name of its class loader.
      assertContains(dump, "dev.catnap.testing.Await.quietly(");
      release.countDown();
    }
  }

  @Test
  void anIdlePoolIsShownAsleep_aClosedOneAsTerminated() {
    var scheduler = TestPools.withoutSpares(2).name("idle").build();
    try (scheduler) {
      // Who is counted as asleep may be on its way yet, between Register and Commit.
      Await.until(
          "it sleeps",
          () -> scheduler.dump().contains("idle-worker-1: sleeping, "),
          scheduler::dump);
    }
    assertContains(scheduler.dump(), "idle[terminated, ");
  }

  @Test
  void aDeclaredSectionIsSaid() {
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).name("io").build()) {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            scheduler.adapter().beginBlocking();
            inside.countDown();
            Await.quietly(release);
            scheduler.adapter().endBlocking();
          });
      Await.latch("in the section", inside, scheduler::stats);
      assertContains(scheduler.dump(), "in a blocking section");
      release.countDown();
    }
  }

  private static void assertContains(String dump, String part) {
    assertTrue(dump.contains(part), () -> "'" + part + "' is not in:\n" + dump);
  }
}
