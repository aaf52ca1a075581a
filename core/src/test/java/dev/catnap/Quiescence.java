package dev.catnap;

import dev.catnap.testing.Await;

/**
 * The state in which every worker is parked and the counters are exact (G4). One that has not
 * parked yet has registered as asleep, and parks unless a publish comes.
 */
final class Quiescence {
  private Quiescence() {}

  static void await(WorkStealingScheduler scheduler) {
    Await.until(
        "all workers are parked, none searches",
        () -> {
          SchedulerStats s = scheduler.stats();
          return s.parkedWorkers() == s.parallelism()
              && s.searchingWorkers() == 0
              && s.queued() == 0;
        },
        scheduler::stats);
  }
}
