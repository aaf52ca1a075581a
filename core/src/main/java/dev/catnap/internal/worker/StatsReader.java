package dev.catnap.internal.worker;

import dev.catnap.SchedulerStats;
import dev.catnap.SchedulerStats.WorkerStats;
import dev.catnap.internal.metrics.WorkerCounters.Count;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.timer.TimerQueue;
import java.util.ArrayList;
import java.util.List;

/** Adds up what the workers count. */
final class StatsReader {
  private StatsReader() {}

  static SchedulerStats read(
      PoolConfig config,
      Sleep sleep,
      Crew crew,
      long waiting,
      TimerQueue timers,
      Sentinel sentinel,
      long publishedOutside,
      long wakesFromOutside,
      Addressing addressing) {
    Roster roster = crew.roster();
    List<WorkerStats> workers = new ArrayList<>();
    long published = publishedOutside + addressing.publishedOutside();
    long injected = publishedOutside;
    long executed = 0;
    long stolen = 0;
    long wakes = wakesFromOutside + addressing.wakesFromOutside();
    long futile = 0;
    long uncaught = 0;
    int relieved = 0;
    long queued = waiting;
    for (int i = 0; i < roster.size(); i++) {
      Worker w = roster.worker(i);
      WorkerStats s = read(w);
      workers.add(s);
      published += s.published();
      injected += w.counters.get(Count.OVERFLOWED);
      executed += s.executed();
      stolen += s.stolen();
      wakes += s.wakes();
      futile += s.futileWakes();
      uncaught += w.counters.get(Count.UNCAUGHT);
      relieved += w.right.isTaken() ? 1 : 0;
      queued += s.queued();
    }
    return new SchedulerStats(
        config.name(),
        crew.parallelism(),
        config.maxThreads(),
        crew.starter().threadCount(),
        config.budget() == null ? 0 : config.budget().limit(),
        config.budget() == null ? 0 : config.budget().free(),
        published,
        executed,
        stolen,
        injected,
        wakes,
        futile,
        sleep.sleepingCount(),
        sleep.searchingCount(),
        crew.blockedCount(),
        relieved,
        roster.spareCount(),
        queued,
        timers.size(),
        sentinel.rounds(),
        uncaught,
        workers);
  }

  private static WorkerStats read(Worker w) {
    return new WorkerStats(
        w.index(),
        w.threadName(),
        w.latchState(),
        w.counters.get(Count.PUBLISHED),
        w.counters.get(Count.EXECUTED),
        w.counters.get(Count.STOLEN),
        w.counters.get(Count.POLLED),
        w.counters.get(Count.WAKES),
        w.counters.get(Count.FUTILE_WAKES),
        w.counters.get(Count.PARKS),
        w.queuedTasks());
  }
}
