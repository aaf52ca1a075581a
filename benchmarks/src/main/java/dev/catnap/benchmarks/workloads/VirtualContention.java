package dev.catnap.benchmarks.workloads;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Virtual threads that increment one counter under one lock. */
public final class VirtualContention {

  /** Guarded by whichever lock the workload uses. */
  private long counter;

  private VirtualContention() {}

  /**
   * Under a {@link ReentrantLock}.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @param rounds how often each takes the lock
   * @param yields how often the holder yields: everybody else comes and has to wait
   * @return the counter
   * @throws InterruptedException if interrupted
   */
  public static long reentrantLock(
      Supplier<Thread.Builder.OfVirtual> threads, int count, int rounds, int yields)
      throws InterruptedException {
    VirtualContention shared = new VirtualContention();
    ReentrantLock lock = new ReentrantLock();
    Crew crew = new Crew(threads);
    for (int t = 0; t < count; t++) {
      crew.start(
          () -> {
            for (int i = 0; i < rounds; i++) {
              lock.lock();
              try {
                shared.increment(yields);
              } finally {
                lock.unlock();
              }
            }
          });
    }
    crew.join();
    return Check.eachIs((long) count * rounds, new long[] {shared.counter});
  }

  /**
   * Under a monitor.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @param rounds how often each enters the monitor
   * @param yields how often the owner yields: everybody else comes and has to wait
   * @return the counter
   * @throws InterruptedException if interrupted
   */
  public static long monitor(
      Supplier<Thread.Builder.OfVirtual> threads, int count, int rounds, int yields)
      throws InterruptedException {
    VirtualContention shared = new VirtualContention();
    Crew crew = new Crew(threads);
    for (int t = 0; t < count; t++) {
      crew.start(
          () -> {
            for (int i = 0; i < rounds; i++) {
              synchronized (shared) {
                shared.increment(yields);
              }
            }
          });
    }
    crew.join();
    return Check.eachIs((long) count * rounds, new long[] {shared.counter});
  }

  /** Written back after the yields, so that a second holder would be noticed. */
  private void increment(int yields) {
    long before = counter;
    for (int i = 0; i < yields; i++) {
      Thread.yield();
    }
    counter = before + 1;
  }
}
