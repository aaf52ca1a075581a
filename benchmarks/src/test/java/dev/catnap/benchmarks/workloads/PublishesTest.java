package dev.catnap.benchmarks.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.WakeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the workloads of W2, W3 and W6 must notice, so that a fast wrong scheduler fails. */
class PublishesTest {
  /** Until what is lost is given up. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  /** For what comes, however busy the machine is. */
  private static final Duration MORE_PATIENCE = Duration.ofSeconds(60);

  private static final int COUNT = 5;

  enum Workload {
    PACED {
      @Override
      long run(WakeTarget target, Duration patience) {
        return new PacedTasks(target, patience, Duration.ofMillis(1), COUNT).run(nanos -> {});
      }
    },
    BURST {
      @Override
      long run(WakeTarget target, Duration patience) {
        return new Bursts(target, patience, COUNT).run();
      }
    },
    HOT {
      @Override
      long run(WakeTarget target, Duration patience) {
        return new HotLatency(target, patience, COUNT).run(nanos -> {});
      }
    };

    abstract long run(WakeTarget target, Duration patience);
  }

  @ParameterizedTest
  @EnumSource
  void run_onNewThreads_positive(Workload workload) {
    WakeTarget target = target(task -> new Thread(task).start());
    assertTrue(workload.run(target, MORE_PATIENCE) > 0);
  }

  @ParameterizedTest
  @EnumSource
  void run_lostTasks_fails(Workload workload) {
    WakeTarget target = target(task -> {});
    assertThrows(IllegalStateException.class, () -> workload.run(target, PATIENCE));
  }

  @ParameterizedTest
  @EnumSource
  void run_oneTaskTwice_fails(Workload workload) {
    WakeTarget target =
        target(
            task -> {
              task.run();
              task.run();
            });
    assertThrows(IllegalStateException.class, () -> workload.run(target, MORE_PATIENCE));
  }

  @Test
  void paced_lateTask_latencyFromTheIntendedTime() {
    List<Long> latencies = new ArrayList<>();
    Duration interval = Duration.ofMillis(2);
    // The publisher itself is held up by the first task: the second one is late as well.
    WakeTarget target =
        target(
            task -> {
              task.run();
              if (latencies.isEmpty()) {
                Pauses.sleepUntil(System.nanoTime() + 3 * interval.toNanos());
              }
            });
    new PacedTasks(target, MORE_PATIENCE, interval, 2).run(latencies::add);
    assertEquals(2, latencies.size());
    assertTrue(latencies.get(1) >= interval.toNanos(), latencies.toString());
  }

  private static WakeTarget target(Consumer<Runnable> publisher) {
    return new WakeTarget(publisher, () -> true);
  }
}
