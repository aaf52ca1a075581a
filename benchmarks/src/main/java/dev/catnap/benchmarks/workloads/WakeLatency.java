package dev.catnap.benchmarks.workloads;

import dev.catnap.benchmarks.peers.WakeTarget;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Wakes an idle target again and again, and measures from just before the publish call to the first
 * instruction of the task.
 *
 * <p>One publish is out at a time and nobody waits in a queue, so there is no intended time other
 * than that of the publish call, and no omission to coordinate. After publishing, the publisher
 * sleeps at once: it keeps no core from the woken thread, and both cores are idle when the next
 * publish comes. Its sleep is at the same time the target's idle time, and is the same for all
 * targets.
 *
 * <p>Not thread-safe: one publisher.
 */
public final class WakeLatency {
  /** Long enough for every peer to stop spinning and park. */
  private static final long SHORTEST_PAUSE_NANOS = 500_000;

  /** Randomised, so as not to beat with timer ticks and periodic helper threads. */
  private static final long LONGEST_PAUSE_NANOS = 2_000_000;

  private static final long RECHECK_NANOS = 50_000;
  private static final int SLEEP_CHECK_EVERY = 16;
  private static final long NOT_BEGUN = Long.MIN_VALUE;

  private final WakeTarget target;
  private final long patienceNanos;
  // The same seed, hence the same pauses, for every target.
  private final SplittableRandom random = new SplittableRandom(42);
  private final AtomicInteger runs = new AtomicInteger();
  private final Runnable task = this::run;
  private int published;
  private volatile long begun;

  /**
   * For one target.
   *
   * @param target what to wake
   * @param patience after which a task that has not begun counts as lost
   */
  public WakeLatency(WakeTarget target, Duration patience) {
    this.target = target;
    this.patienceNanos = patience.toNanos();
  }

  /**
   * One publish into the sleeping target.
   *
   * @return the latency in nanoseconds
   * @throws IllegalStateException if the target lost the task, ran one twice, or does not fall
   *     asleep
   */
  public long measure() {
    long half = random.nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS) / 2;
    pause(half);
    long before = publish();
    pause(half);
    awaitBegun(() -> LockSupport.parkNanos(this, RECHECK_NANOS));
    long latency = begun - before;
    checkRuns();
    // Not right before the publish, since reading the state of a pool moves its cache lines; and
    // not always, since it also takes time and memory, which are counted.
    if (published % SLEEP_CHECK_EVERY == 1) {
      awaitSleep(() -> LockSupport.parkNanos(this, RECHECK_NANOS));
    }
    return latency;
  }

  /**
   * Publishes so that the JIT compiles the path before it is measured: at a thousand publishes per
   * second it would stay interpreted for most of a fork. Half of the time without a pause, and half
   * of it into a target that sleeps: one that looks around before it does would never get to sleep
   * in the first half.
   *
   * @param time how long
   */
  public void warmUp(Duration time) {
    long half = time.toNanos() / 2;
    publishFor(half, () -> {});
    publishFor(half, () -> awaitSleep(Thread::yield));
    checkRuns();
    awaitSleep(Thread::yield);
  }

  private void publishFor(long nanos, Runnable before) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      before.run();
      publish();
      awaitBegun(Thread::yield);
    }
  }

  private long publish() {
    begun = NOT_BEGUN;
    published++;
    long before = System.nanoTime();
    target.publisher().accept(task);
    return before;
  }

  private void run() {
    begun = System.nanoTime();
    runs.incrementAndGet();
  }

  private void awaitBegun(Runnable idle) {
    await(() -> begun != NOT_BEGUN, idle, "lost: a published task has not begun");
  }

  private void checkRuns() {
    await(() -> runs.get() >= published, Thread::yield, "lost: a task began and did not go on");
    if (runs.get() > published) {
      throw new IllegalStateException(published + " tasks ran " + runs.get() + " times");
    }
  }

  private void awaitSleep(Runnable idle) {
    await(target.asleep(), idle, "not asleep although there is nothing to do");
  }

  private void await(BooleanSupplier condition, Runnable idle, String otherwise) {
    long since = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - since > patienceNanos) {
        throw new IllegalStateException(otherwise);
      }
      idle.run();
    }
  }

  private void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }
}
