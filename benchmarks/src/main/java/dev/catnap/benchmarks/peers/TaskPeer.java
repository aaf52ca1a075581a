package dev.catnap.benchmarks.peers;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;

/** What plain tasks that fork run on. */
public enum TaskPeer implements Peer {
  /** What a task forks is what its worker runs next, and thieves take what was forked first. */
  CATNAP {
    @Override
    public Opened<Executor> open(int workers) {
      WorkStealingScheduler pool = WorkStealingScheduler.builder().parallelism(workers).build();
      SchedulerAdapter adapter = pool.adapter();
      return new Opened<>(
          task -> {
            if (!adapter.publish(task, Placement.NEXT)) {
              throw new RejectedExecutionException("closed: " + pool);
            }
          },
          pool::close);
    }
  },

  /** For programs that fork and join by its own {@code join}. */
  CATNAP_JOIN {
    @Override
    public Opened<Executor> open(int workers) {
      return closed(WorkStealingScheduler.builder().parallelism(workers).build());
    }
  },

  /** For programs that fork and join by {@code RecursiveTask}, which is what it is made for. */
  FJP_JOIN {
    @Override
    public Opened<Executor> open(int workers) {
      return closed(new ForkJoinPool(workers));
    }
  },

  FJP {
    @Override
    public Opened<Executor> open(int workers) {
      return closed(new ForkJoinPool(workers));
    }
  },

  FJP_ASYNC {
    @Override
    public Opened<Executor> open(int workers) {
      return closed(Executors.newWorkStealingPool(workers));
    }
  },

  FIXED {
    @Override
    public Opened<Executor> open(int workers) {
      return closed(Executors.newFixedThreadPool(workers));
    }
  };

  /**
   * Makes it ready.
   *
   * @param workers how many threads run tasks at once
   * @return takes tasks, from its own workers too; of {@link #FJP_JOIN} and {@link #CATNAP_JOIN} it
   *     is the {@link ForkJoinPool} or {@link WorkStealingScheduler}
   */
  public abstract Opened<Executor> open(int workers);

  private static Opened<Executor> closed(ExecutorService pool) {
    return new Opened<>(pool, pool::close);
  }
}
