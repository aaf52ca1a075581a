package dev.catnap.benchmarks.workloads;

import dev.catnap.benchmarks.peers.WakeTarget;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * Publishes from outside that follow each other so closely that a pool which looks for work for a
 * little while does not get to sleep. One is out at a time. The publisher spins, since a sleep is
 * longer than the pause.
 */
public final class HotLatency {
  private static final long SHORTEST_PAUSE_NANOS = 500;
  private static final long LONGEST_PAUSE_NANOS = 2_000;

  private final Publishes publishes;
  private final long patienceNanos;
  private final SplittableRandom random = new SplittableRandom(42);

  /**
   * For one target.
   *
   * @param target where the tasks run
   * @param patience after which a task that has not run counts as lost
   * @param count how many there are in one operation
   */
  public HotLatency(WakeTarget target, Duration patience, int count) {
    publishes = new Publishes(target, patience, count);
    patienceNanos = patience.toNanos();
  }

  /**
   * Publishes them.
   *
   * @param latencies receives that of each task, in nanoseconds, from the end of the pause
   * @return how many ran
   * @throws IllegalStateException if one was lost, or ran twice
   */
  public long run(LongConsumer latencies) {
    publishes.reset();
    for (int i = 0; i < publishes.count(); i++) {
      long due = System.nanoTime() + random.nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
      while (System.nanoTime() - due < 0) {
        Thread.onSpinWait();
      }
      publishes.publish(i);
      while (!publishes.isEnded(i + 1)) {
        if (System.nanoTime() - due > patienceNanos) {
          throw new IllegalStateException("lost: a published task has not run");
        }
        Thread.onSpinWait();
      }
      latencies.accept(publishes.begun(i) - due);
    }
    return publishes.awaitAll();
  }
}
