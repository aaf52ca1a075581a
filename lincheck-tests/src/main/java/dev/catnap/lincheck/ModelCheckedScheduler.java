package dev.catnap.lincheck;

import dev.catnap.SchedulerStats;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;

/**
 * A production scheduler with bounds that a model checker can explore: the smallest queues, no
 * search rounds, a jobs event counter of two bits, a {@link ModelCheckedParker}. Made and ended
 * inside the checked block:
 *
 * <pre>{@code
 * try (var checked = ModelCheckedScheduler.start(2)) {
 *   checked.scheduler().execute(task);
 *   ...
 * }
 * }</pre>
 */
public final class ModelCheckedScheduler implements AutoCloseable {
  private final ModelCheckedParker parker;
  private final Thread[] threads;
  private final WorkStealingScheduler scheduler;

  private ModelCheckedScheduler(int workers, SchedulerTuning tuning) {
    parker = new ModelCheckedParker(workers);
    threads = new Thread[workers];
    scheduler = builder(workers, tuning.withParker(parker)).build();
  }

  private WorkStealingScheduler.Builder builder(int workers, SchedulerTuning tuning) {
    return WorkStealingScheduler.builder()
        .name("checked")
        .parallelism(workers)
        .maxThreads(workers) // no spares: each thread more multiplies the interleavings
        .workerThreadFactory(body -> threads[body.index()] = new CheckedWorkerThread(body))
        .tuning(tuning);
  }

  /**
   * Starts one with {@link SchedulerTuning#smallest}.
   *
   * @param workers its workers; 2 show most races
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(int workers) {
    return start(workers, SchedulerTuning.smallest());
  }

  /**
   * Starts one with other bounds.
   *
   * @param workers its workers
   * @param tuning the bounds; its parker is not used
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(int workers, SchedulerTuning tuning) {
    return new ModelCheckedScheduler(workers, tuning);
  }

  /**
   * What is to be checked.
   *
   * @return always the same
   */
  public WorkStealingScheduler scheduler() {
    return scheduler;
  }

  /**
   * What its workers park with.
   *
   * @return always the same
   */
  public ModelCheckedParker parker() {
    return parker;
  }

  /**
   * Blocks until every worker is parked, and checks that the counters are exact then (G4). To be
   * called when every publish has returned and every task has run.
   *
   * @return the counts
   * @throws AssertionError if they are not exact
   */
  public SchedulerStats awaitQuiescence() {
    parker.awaitAllParked();
    SchedulerStats stats = scheduler.stats();
    boolean exact =
        stats.parkedWorkers() == threads.length
            && stats.searchingWorkers() == 0
            && stats.queued() == 0
            && stats.executed() == stats.published()
            && stats.wakes() == parker.unparks();
    if (!exact) {
      throw new AssertionError("not exact at quiescence: " + stats + ", " + parker.unparks());
    }
    return stats;
  }

  /**
   * Ends the check without closing: no task may be queued or running. Cheaper than {@link #close}.
   */
  public void dismiss() {
    parker.dismissAll();
  }

  /**
   * Shuts the scheduler down and waits until every worker has ended. It joins the threads: the
   * {@code close} of the scheduler waits with a timeout, which for Lincheck passes at once.
   *
   * @throws AssertionError if the workers have ended and the scheduler is not terminated
   */
  @Override
  public void close() {
    scheduler.shutdown();
    for (Thread t : threads) {
      Canary.join(t);
    }
    if (!scheduler.isTerminated()) {
      throw new AssertionError("every worker has ended, and yet: " + scheduler);
    }
  }

  private static final class CheckedWorkerThread extends Thread implements WorkerThread {
    private final WorkerBody body;

    CheckedWorkerThread(WorkerBody body) {
      super(null, null, body.threadName(), 0, false);
      this.body = body;
      setDaemon(true);
    }

    @Override
    public WorkerBody worker() {
      return body;
    }

    @Override
    public void run() {
      try {
        body.run();
      } catch (ModelCheckedParker.Dismissal e) {
        return; // the check is over
      }
    }
  }
}
