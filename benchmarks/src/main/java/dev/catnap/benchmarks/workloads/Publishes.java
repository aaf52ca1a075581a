package dev.catnap.benchmarks.workloads;

import dev.catnap.benchmarks.peers.WakeTarget;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Tasks published one after the other by one thread that is none of the pool's. Each task notes
 * when it began and that it ran.
 */
final class Publishes {
  private static final long RECHECK_NANOS = 50_000;

  private final WakeTarget target;
  private final long patienceNanos;
  private final long[] begun;
  private final long[] runs;
  private final Runnable[] tasks;
  private final AtomicInteger ended = new AtomicInteger();

  Publishes(WakeTarget target, Duration patience, int count) {
    this.target = target;
    this.patienceNanos = patience.toNanos();
    this.begun = new long[count];
    this.runs = new long[count];
    this.tasks = new Runnable[count];
    Arrays.setAll(tasks, slot -> () -> run(slot));
  }

  private void run(int slot) {
    begun[slot] = System.nanoTime();
    runs[slot]++;
    ended.incrementAndGet();
  }

  int count() {
    return tasks.length;
  }

  /** Before the first publish of an operation. */
  void reset() {
    Arrays.fill(runs, 0);
    ended.set(0);
  }

  void publish(int slot) {
    target.publisher().accept(tasks[slot]);
  }

  boolean isEnded(int published) {
    return ended.get() >= published;
  }

  /** When the task began; known once it has ended. */
  long begun(int slot) {
    return begun[slot];
  }

  /**
   * After the last publish of an operation.
   *
   * @return how many ran
   * @throws IllegalStateException if one was lost, or ran twice
   */
  long awaitAll() {
    await(() -> isEnded(tasks.length), "lost: published tasks have not run");
    return Check.eachIs(1, runs);
  }

  /** Until the target sleeps. */
  void awaitSleep() {
    await(target.asleep(), "not asleep although there is nothing to do");
  }

  private void await(BooleanSupplier condition, String otherwise) {
    long since = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - since > patienceNanos) {
        throw new IllegalStateException(otherwise);
      }
      LockSupport.parkNanos(this, RECHECK_NANOS);
    }
  }
}
