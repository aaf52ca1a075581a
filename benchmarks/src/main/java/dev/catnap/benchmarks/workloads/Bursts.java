package dev.catnap.benchmarks.workloads;

import dev.catnap.benchmarks.peers.WakeTarget;
import java.time.Duration;

/** Many tasks at once, published from outside into a pool that sleeps. */
public final class Bursts {
  private final Publishes publishes;

  /**
   * For one target.
   *
   * @param target where the tasks run
   * @param patience after which a task that has not run counts as lost
   * @param count how many there are in a burst
   */
  public Bursts(WakeTarget target, Duration patience, int count) {
    publishes = new Publishes(target, patience, count);
  }

  /**
   * One burst, until the pool sleeps again.
   *
   * @return nanoseconds from before the first publish until the last task began
   * @throws IllegalStateException if a task was lost, or ran twice, or the pool does not sleep
   */
  public long run() {
    publishes.reset();
    long start = System.nanoTime();
    for (int i = 0; i < publishes.count(); i++) {
      publishes.publish(i);
    }
    publishes.awaitAll();
    long last = 0;
    for (int i = 0; i < publishes.count(); i++) {
      last = Math.max(last, publishes.begun(i) - start);
    }
    publishes.awaitSleep();
    return last;
  }
}
