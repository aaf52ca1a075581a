package dev.catnap.lincheck;

import dev.catnap.Flavor;
import dev.catnap.SchedulerStats;
import dev.catnap.ThreadBudget;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private final ModelCheckedParker parker;

  /** The latest thread of each worker that has been started. */
  private final @Nullable Thread[] threads;

  private final WorkStealingScheduler scheduler;

  private ModelCheckedScheduler(
      int workers, int maxThreads, Duration keepAlive, SchedulerTuning tuning) {
    this(workers, maxThreads, keepAlive, tuning, builder -> {});
  }

  private ModelCheckedScheduler(
      int workers,
      int maxThreads,
      Duration keepAlive,
      SchedulerTuning tuning,
      Consumer<WorkStealingScheduler.Builder> settings) {
    this(workers, maxThreads, keepAlive, tuning, settings, body -> {});
  }

  private ModelCheckedScheduler(
      int workers,
      int maxThreads,
      Duration keepAlive,
      SchedulerTuning tuning,
      Consumer<WorkStealingScheduler.Builder> settings,
      Consumer<WorkerBody> beforeEachThread) {
    parker = new ModelCheckedParker(maxThreads);
    threads = new Thread[maxThreads];
    var builder = builder(workers, keepAlive, tuning.withParker(parker), beforeEachThread);
    settings.accept(builder);
    scheduler = builder.build();
  }

  private WorkStealingScheduler.Builder builder(
      int workers,
      Duration keepAlive,
      SchedulerTuning tuning,
      Consumer<WorkerBody> beforeEachThread) {
    return WorkStealingScheduler.builder()
        .name("checked")
        .parallelism(workers)
        .maxThreads(threads.length)
        .keepAlive(keepAlive)
        .workerThreadFactory(
            body -> {
              beforeEachThread.accept(body);
              CheckedWorkerThread thread = new CheckedWorkerThread(body);
              threads[body.index()] = thread;
              return thread;
            })
        .tuning(tuning);
  }

  /**
   * Starts one without spares, for each thread more multiplies the interleavings.
   *
   * @param workers its workers; 2 show most races
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(int workers) {
    return start(workers, SchedulerTuning.smallest());
  }

  /**
   * Starts one whose workers do not steal.
   *
   * @param workers its workers
   * @return a new scheduler
   */
  public static ModelCheckedScheduler startPerCore(int workers) {
    return new ModelCheckedScheduler(
        workers,
        workers,
        FOREVER,
        SchedulerTuning.smallest(),
        builder -> builder.flavor(Flavor.THREAD_PER_CORE));
  }

  /**
   * Starts one with other bounds.
   *
   * @param workers its workers
   * @param tuning the bounds; its parker is not used
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(int workers, SchedulerTuning tuning) {
    return new ModelCheckedScheduler(workers, workers, FOREVER, tuning);
  }

  /**
   * Starts one without spares, with hooks, or what else its builder has.
   *
   * @param workers its workers
   * @param settings sets what the check needs; not the sizes, the thread factory and the tuning
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(
      int workers, Consumer<WorkStealingScheduler.Builder> settings) {
    return new ModelCheckedScheduler(
        workers, workers, FOREVER, SchedulerTuning.smallest(), settings);
  }

  /**
   * Starts one whose workers are replaced while they block. A spare stays for good.
   *
   * @param workers its parallelism
   * @param maxThreads its threads at most, blocked ones included
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(int workers, int maxThreads) {
    return start(workers, maxThreads, FOREVER);
  }

  /**
   * The same with spares that retire.
   *
   * @param workers its parallelism
   * @param maxThreads its threads at most, blocked ones included
   * @param keepAlive zero, and a spare retires instead of parking; else it stays for good, since
   *     time stands still
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(int workers, int maxThreads, Duration keepAlive) {
    return new ModelCheckedScheduler(workers, maxThreads, keepAlive, SchedulerTuning.smallest());
  }

  /**
   * The same with threads that cannot always be started.
   *
   * @param workers its parallelism
   * @param maxThreads its threads at most, blocked ones included
   * @param keepAlive zero, and a spare retires instead of parking
   * @param beforeEachThread called when one is to be made; if it throws, there is none
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(
      int workers, int maxThreads, Duration keepAlive, Consumer<WorkerBody> beforeEachThread) {
    return new ModelCheckedScheduler(
        workers,
        maxThreads,
        keepAlive,
        SchedulerTuning.smallest(),
        builder -> {},
        beforeEachThread);
  }

  /**
   * The same with threads that it shares with others.
   *
   * @param workers its parallelism
   * @param maxThreads its threads at most, blocked ones included
   * @param keepAlive zero, and a spare retires instead of parking
   * @param budget the threads of all of them
   * @return a new scheduler
   */
  public static ModelCheckedScheduler start(
      int workers, int maxThreads, Duration keepAlive, ThreadBudget budget) {
    return new ModelCheckedScheduler(
        workers,
        maxThreads,
        keepAlive,
        SchedulerTuning.smallest(),
        builder -> builder.threadBudget(budget));
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
   * Blocks until every worker is parked, and checks that the counters are exact then (G4), and that
   * as many workers are asleep as there are rights to run, the others spares (G9). To be called
   * when every publish has returned, every task has run and every blocking section is over; not if
   * spares retire.
   *
   * @return the counts
   * @throws AssertionError if they are not exact
   */
  public SchedulerStats awaitQuiescence() {
    parker.awaitParked(startedWorkers());
    SchedulerStats stats = scheduler.stats();
    // A spare is unparked when it is handed a right, which is not the wake of a task.
    boolean unparksAccountedFor =
        threads.length == stats.parallelism()
            ? stats.wakes() == parker.unparks()
            : stats.wakes() <= parker.unparks();
    boolean exact =
        stats.parkedWorkers() == stats.parallelism()
            && stats.spareThreads() == stats.threads() - stats.parallelism()
            && stats.blockedWorkers() == 0
            && stats.searchingWorkers() == 0
            && stats.queued() == 0
            && stats.executed() == stats.published()
            && unparksAccountedFor;
    if (!exact) {
      throw new AssertionError("not exact at quiescence: " + stats + ", " + parker.unparks());
    }
    return stats;
  }

  private int startedWorkers() {
    int n = 0;
    while (n < threads.length && threads[n] != null) {
      n++;
    }
    return n;
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
    joinAll();
    if (!scheduler.isTerminated()) {
      throw new AssertionError("every worker has ended, and yet: " + scheduler);
    }
  }

  /**
   * A worker that has not ended may start another, or a new thread for one that has. A thread that
   * was made when the pool was over already is never started; Lincheck cannot join such a one.
   */
  private void joinAll() {
    @Nullable Thread[] joined = new Thread[threads.length];
    boolean again = true;
    while (again) {
      again = false;
      for (int i = 0; i < threads.length; i++) {
        Thread t = threads[i];
        if (t != null && t != joined[i] && t.getState() != Thread.State.NEW) {
          Canary.join(t);
          joined[i] = t;
          again = true;
        }
      }
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
