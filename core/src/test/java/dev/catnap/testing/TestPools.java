package dev.catnap.testing;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import java.util.concurrent.TimeUnit;

/**
 * Pools in which no thread comes that the test did not ask for.
 *
 * <p>With the defaults one does: the right to run of a worker that waits in its task for 5 to 10 ms
 * while others are queued, or that is not seen to move for 20 ms, goes to a spare. A test that says
 * "the worker is held, so nothing else runs" has that long, and a busy machine takes longer.
 */
public final class TestPools {
  /** The longest there is: nothing in a test takes as long, unless it has failed. */
  public static final long NEVER_NANOS = TimeUnit.MINUTES.toNanos(1);

  private TestPools() {}

  /** As many threads as workers; all else is as in production. */
  public static WorkStealingScheduler.Builder withoutSpares(int parallelism) {
    return WorkStealingScheduler.builder().parallelism(parallelism).maxThreads(parallelism);
  }

  /**
   * Spares for declared sections, and for nothing else: there is no sentinel. A late one would not
   * do: to it is left who keeps the right in a section that is likely to be short, and whom to call
   * up from standby.
   */
  public static WorkStealingScheduler.Builder withDeclaredSparesOnly(int parallelism) {
    return WorkStealingScheduler.builder()
        .parallelism(parallelism)
        .tuning(SchedulerTuning.production().withSentinel(0, 0));
  }

  /**
   * With the sentinel of production, for tests about what it does (G9). It may relieve any worker
   * at any time, for the machine may hold up any thread: such a test says what happens in the end,
   * not when, nor how many threads it took.
   */
  public static WorkStealingScheduler.Builder withTheSentinel(int parallelism) {
    return WorkStealingScheduler.builder().parallelism(parallelism);
  }

  /**
   * Its sentinel can be called from here on. While it is being started, pushes into slots are told
   * to all, and so a test whose push must be silent would pass for another reason.
   */
  public static WorkStealingScheduler withSentinelThere(WorkStealingScheduler scheduler) {
    scheduler.execute(() -> scheduler.adapter().publish(() -> {}, Placement.NEXT));
    Await.until(
        "its sentinel is there", () -> scheduler.stats().sentinelRounds() != 0, scheduler::stats);
    return scheduler;
  }
}
