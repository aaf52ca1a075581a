package dev.catnap.benchmarks.workloads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How much memory pools keep, seen while all their workers wait in a task. */
public final class PoolMemory {
  private static final long SETTLE_MILLIS = 300;

  private PoolMemory() {}

  /**
   * Fills the queue of a pool from outside, with one task again and again.
   *
   * @param pool the pool
   * @param workers how many it has
   * @param tasks how many to queue
   * @param usedHeap tells the bytes in use
   * @return bytes for each queued task, without the task itself
   * @throws InterruptedException if interrupted
   */
  public static double perQueuedTask(
      ExecutorService pool, int workers, int tasks, LongSupplier usedHeap)
      throws InterruptedException {
    AtomicLong runs = new AtomicLong();
    CountDownLatch allRan = new CountDownLatch(tasks);
    Runnable task =
        () -> {
          runs.incrementAndGet();
          allRan.countDown();
        };
    CountDownLatch release = holdUp(pool, workers);
    long before = usedHeap.getAsLong();
    for (int i = 0; i < tasks; i++) {
      pool.execute(task);
    }
    long filled = usedHeap.getAsLong();
    release.countDown();
    allRan.await();
    Check.eachIs(tasks, new long[] {runs.get()});
    return (double) (filled - before) / tasks;
  }

  /**
   * Makes a pool, and lets each of its workers run a task.
   *
   * @param maker makes the pool
   * @param workers how many it will have
   * @param usedHeap tells the bytes in use
   * @return bytes for each worker, with its share of what the pool has only once; without its
   *     stack, which is not on the heap. The pool is closed
   * @throws InterruptedException if interrupted
   */
  public static double perWorker(
      Supplier<? extends ExecutorService> maker, int workers, LongSupplier usedHeap)
      throws InterruptedException {
    long before = settled(usedHeap);
    try (ExecutorService pool = maker.get()) {
      CountDownLatch release = holdUp(pool, workers);
      long started = usedHeap.getAsLong();
      release.countDown();
      return (double) (started - before) / workers;
    }
  }

  /** The JVM keeps threads that have ended for a moment, and with them the pool before this one. */
  private static long settled(LongSupplier usedHeap) throws InterruptedException {
    long used = usedHeap.getAsLong();
    for (; ; ) {
      Thread.sleep(SETTLE_MILLIS);
      long now = usedHeap.getAsLong();
      if (now >= used) {
        return now;
      }
      used = now;
    }
  }

  private static CountDownLatch holdUp(ExecutorService pool, int workers)
      throws InterruptedException {
    CountDownLatch held = new CountDownLatch(workers);
    CountDownLatch release = new CountDownLatch(1);
    for (int i = 0; i < workers; i++) {
      pool.execute(
          () -> {
            held.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    held.await();
    return release;
  }
}
