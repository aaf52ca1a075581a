package dev.catnap.benchmarks.workloads;

import dev.catnap.benchmarks.peers.WakeTarget;
import java.time.Duration;
import java.util.function.LongConsumer;

/** Tasks that come at a fixed rate, each much shorter than the time until the next. */
public final class PacedTasks {
  private final Publishes publishes;
  private final long intervalNanos;

  /**
   * For one target.
   *
   * @param target where the tasks run
   * @param patience after which a task that has not run counts as lost
   * @param interval from one publish to the next
   * @param count how many there are in one operation
   */
  public PacedTasks(WakeTarget target, Duration patience, Duration interval, int count) {
    publishes = new Publishes(target, patience, count);
    intervalNanos = interval.toNanos();
  }

  /**
   * Publishes them. A publisher that wakes up too late publishes at once what is due, and the delay
   * counts: latencies run from the time at which the task should have been published.
   *
   * @param latencies receives that of each task, in nanoseconds
   * @return how many ran
   * @throws IllegalStateException if one was lost, or ran twice
   */
  public long run(LongConsumer latencies) {
    publishes.reset();
    long start = System.nanoTime() + intervalNanos;
    for (int i = 0; i < publishes.count(); i++) {
      Pauses.sleepUntil(start + i * intervalNanos);
      publishes.publish(i);
    }
    Pauses.sleepUntil(start + publishes.count() * intervalNanos);
    long ran = publishes.awaitAll();
    for (int i = 0; i < publishes.count(); i++) {
      latencies.accept(publishes.begun(i) - (start + i * intervalNanos));
    }
    return ran;
  }
}
