package dev.catnap.loom.programs;

import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks of {@code java.util.concurrent} around plain counts, and items from hand to hand. */
record LockStorm(int threads, int rounds) implements Storm {

  private static final class Counts {
    final Lock lock = new ReentrantLock();
    final Lock fair = new ReentrantLock(true);
    final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    final Semaphore permits = new Semaphore(1);
    final SynchronousQueue<Integer> hand = new SynchronousQueue<>();
    final LongAdder received = new LongAdder();
    long underLock;
    long underFair;
    long underWrite;
    long withPermit;
  }

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    Counts counts = new Counts();
    Crowd crowd = new Crowd(factory);
    for (int i = 0; i < threads; i++) {
      boolean gives = i % 2 == 0;
      crowd.start(() -> live(counts, gives));
    }
    crowd.join();
    long guarded = counts.underLock + counts.underFair + counts.underWrite + counts.withPermit;
    return account(crowd.account(), guarded, counts.received.sum());
  }

  private void live(Counts counts, boolean gives) throws InterruptedException {
    for (int n = 0; n < rounds; n++) {
      boolean yield = n % 10 == 0;
      locked(counts.lock, () -> counts.underLock = incremented(counts.underLock, yield));
      locked(counts.fair, () -> counts.underFair = incremented(counts.underFair, yield));
      locked(counts.readWrite.readLock(), Thread::yield);
      locked(
          counts.readWrite.writeLock(),
          () -> counts.underWrite = incremented(counts.underWrite, yield));
      counts.permits.acquire();
      counts.withPermit = incremented(counts.withPermit, yield);
      counts.permits.release();
      if (gives) {
        counts.hand.put(n);
      } else {
        counts.received.add(counts.hand.take());
      }
    }
  }

  private static void locked(Lock lock, Runnable section) {
    lock.lock();
    try {
      section.run();
    } finally {
      lock.unlock();
    }
  }

  private static long incremented(long seen, boolean yield) {
    if (yield) {
      Thread.yield();
    }
    return seen + 1;
  }

  @Override
  public String expected() {
    long each = (long) rounds * (rounds - 1) / 2;
    return account(Crowd.complete(threads), 4L * threads * rounds, threads / 2 * each);
  }

  private static String account(String crowd, long guarded, long received) {
    return crowd + ", guarded " + guarded + ", received " + received;
  }
}
