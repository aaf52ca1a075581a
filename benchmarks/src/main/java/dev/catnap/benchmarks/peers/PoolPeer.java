package dev.catnap.benchmarks.peers;

import dev.catnap.WorkStealingScheduler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;

/** Pools that never have more threads than they were told, whatever their tasks do. */
public enum PoolPeer implements Peer {
  CATNAP {
    @Override
    public Opened<ExecutorService> open(int workers) {
      return closed(
          WorkStealingScheduler.builder().parallelism(workers).maxThreads(workers).build());
    }
  },

  FJP {
    @Override
    public Opened<ExecutorService> open(int workers) {
      return closed(new ForkJoinPool(workers));
    }
  },

  FIXED {
    @Override
    public Opened<ExecutorService> open(int workers) {
      return closed(Executors.newFixedThreadPool(workers));
    }
  };

  /**
   * Makes it ready.
   *
   * @param workers how many threads it has, at least when that many tasks run
   * @return the pool
   */
  public abstract Opened<ExecutorService> open(int workers);

  private static Opened<ExecutorService> closed(ExecutorService pool) {
    return new Opened<>(pool, pool::close);
  }
}
