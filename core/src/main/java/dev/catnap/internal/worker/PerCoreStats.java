package dev.catnap.internal.worker;

import dev.catnap.SchedulerStats;
import dev.catnap.SchedulerStats.WorkerStats;
import java.util.List;
import java.util.stream.Stream;

/** Adds up what pools of one scheduler count. */
final class PerCoreStats {
  private PerCoreStats() {}

  static SchedulerStats sum(SchedulerStats a, SchedulerStats b) {
    List<WorkerStats> workers = Stream.concat(a.workers().stream(), b.workers().stream()).toList();
    return new SchedulerStats(
        a.name(),
        a.parallelism() + b.parallelism(),
        a.maxThreads() + b.maxThreads(),
        a.threads() + b.threads(),
        a.budgetThreads(),
        a.budgetFree(),
        a.published() + b.published(),
        a.executed() + b.executed(),
        a.stolen() + b.stolen(),
        a.injected() + b.injected(),
        a.wakes() + b.wakes(),
        a.futileWakes() + b.futileWakes(),
        a.parkedWorkers() + b.parkedWorkers(),
        a.searchingWorkers() + b.searchingWorkers(),
        a.blockedWorkers() + b.blockedWorkers(),
        a.relievedWorkers() + b.relievedWorkers(),
        a.spareThreads() + b.spareThreads(),
        a.queued() + b.queued(),
        a.armedTimers() + b.armedTimers(),
        a.sentinelRounds() + b.sentinelRounds(),
        a.uncaughtExceptions() + b.uncaughtExceptions(),
        workers);
  }
}
