package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.SchedulerStats;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.programs.Storm;
import dev.catnap.loom.programs.Storms;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G1, G2, G4, G11, G12: every storm accounts for each thread, step and item, on the JDK's scheduler
 * as on a pool of 1, 2 and 8 workers, and then the pool is at rest. In JVMs of their own: {@code
 * StormsOnCatnapTest} of the agent.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(30 * 60) // for a hang; no storm is told to hurry
class StormsTest {

  static Stream<String> storms() {
    return Storms.all().keySet().stream();
  }

  static Stream<Arguments> stormsOnPools() {
    return Modes.available().stream()
        .flatMap(
            mode ->
                Stream.of(1, 2, 8)
                    .flatMap(workers -> storms().map(name -> Arguments.of(name, mode, workers))));
  }

  @ParameterizedTest
  @MethodSource("storms")
  void onTheSchedulerOfTheJdk(String name) throws Exception {
    Storm storm = Storms.all().get(name);
    assertEquals(storm.expected(), storm.run(Thread.ofVirtual().factory()));
  }

  @ParameterizedTest
  @MethodSource("stormsOnPools")
  void onAPool(String name, Mode mode, int workers) throws Exception {
    Storm storm = Storms.all().get(name);
    try (CarrierPool pool = Modes.productionPool(mode, workers)) {
      assertEquals(storm.expected(), storm.run(pool.threadFactory()));
      Deadline.until("every worker is parked, and what was published is over", () -> atRest(pool));
      assertEquals(0, pool.scheduler().stats().uncaughtExceptions(), "thrown by continuations");
    }
  }

  /** A worker that was relieved may still be in its last task when all others are parked. */
  private static boolean atRest(CarrierPool pool) {
    SchedulerStats stats = pool.scheduler().stats();
    return stats.parkedWorkers() == pool.scheduler().parallelism()
        && stats.relievedWorkers() == 0
        && stats.published() == stats.executed()
        && stats.queued() == 0
        && stats.searchingWorkers() == 0
        && stats.blockedWorkers() == 0
        && stats.armedTimers() == 0;
  }
}
