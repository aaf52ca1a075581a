package dev.catnap.benchmarks.workloads;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.WakeTarget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the workload must notice, so that a fast wrong scheduler fails. */
class WakeLatencyTest {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  @Test
  void measure_onNewThread_positive() {
    WakeTarget target = new WakeTarget(task -> new Thread(task).start(), () -> true);
    assertTrue(new WakeLatency(target, Duration.ofSeconds(60)).measure() > 0);
  }

  @Test
  void measure_lostTask_fails() {
    assertFails(new WakeTarget(task -> {}, () -> true));
  }

  @Test
  void measure_taskRunTwice_fails() {
    assertFails(
        new WakeTarget(
            task -> {
              task.run();
              task.run();
            },
            () -> true));
  }

  @Test
  void measure_neverAsleep_fails() {
    assertFails(new WakeTarget(Runnable::run, () -> false));
  }

  private static void assertFails(WakeTarget target) {
    WakeLatency latency = new WakeLatency(target, PATIENCE);
    assertThrows(IllegalStateException.class, latency::measure);
  }
}
