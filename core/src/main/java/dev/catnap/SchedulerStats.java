package dev.catnap;

import java.util.List;

/**
 * What a scheduler has done so far and what it is doing, as an immutable snapshot. The counts are
 * kept per worker and read without disturbing it, one after the other: while tasks run they need
 * not fit together exactly; once every task has run and every worker is parked they do.
 *
 * @param name the scheduler's name
 * @param parallelism how many workers may run tasks at once
 * @param maxThreads how many worker threads there may be, those in blocking sections included
 * @param threads worker threads alive
 * @param budgetThreads worker threads that all pools of its {@link ThreadBudget} may have together;
 *     0: it has none
 * @param budgetFree how many of these nobody has
 * @param published tasks accepted, from workers and from outside; each right branch of a join is
 *     one
 * @param executed tasks begun, those included that still run
 * @param stolen tasks that a worker took from another worker's queue or slot
 * @param injected tasks that went through the injector: published from outside, or overflow of a
 *     full queue
 * @param wakes unparks made because work was published or found (G3)
 * @param futileWakes wakes after which the worker found nothing and went back to sleep
 * @param parkedWorkers workers registered as asleep
 * @param searchingWorkers workers that look for work
 * @param blockedWorkers workers inside a declared blocking section that have left their right to
 *     run; after many short sections one keeps it, until others wait for it
 * @param relievedWorkers workers that have been in one task for so long, while others waited, that
 *     their right to run was given to a spare (G9)
 * @param spareThreads threads kept for the next blocking section, parked until their keep-alive is
 *     over
 * @param queued tasks that wait in queues; approximate while they move
 * @param armedTimers timers armed, scheduled tasks included
 * @param sentinelRounds looks that the sentinel has taken at the workers
 * @param uncaughtExceptions tasks that ended by throwing
 * @param workers the counts of each worker, by number
 */
public record SchedulerStats(
    String name,
    int parallelism,
    int maxThreads,
    int threads,
    int budgetThreads,
    int budgetFree,
    long published,
    long executed,
    long stolen,
    long injected,
    long wakes,
    long futileWakes,
    int parkedWorkers,
    int searchingWorkers,
    int blockedWorkers,
    int relievedWorkers,
    int spareThreads,
    long queued,
    int armedTimers,
    long sentinelRounds,
    long uncaughtExceptions,
    List<WorkerStats> workers) {

  /** Copies the list. */
  public SchedulerStats {
    workers = List.copyOf(workers);
  }

  /**
   * The counts of one worker.
   *
   * @param index its number
   * @param threadName the name of its thread
   * @param state awake, sleeping, notified, waiting (in the middle of a task, and replaced by a
   *     spare), spare or retired
   * @param published tasks published by tasks on this worker
   * @param executed tasks begun
   * @param stolen tasks taken from other workers
   * @param injected tasks taken from the injector
   * @param wakes unparks made by this worker
   * @param futileWakes times that it was woken and found nothing
   * @param parks times that it went to sleep
   * @param queued tasks in its queue and slot, and what it forked
   */
  public record WorkerStats(
      int index,
      String threadName,
      String state,
      long published,
      long executed,
      long stolen,
      long injected,
      long wakes,
      long futileWakes,
      long parks,
      int queued) {}
}
