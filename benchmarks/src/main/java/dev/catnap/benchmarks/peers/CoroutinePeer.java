package dev.catnap.benchmarks.peers;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.coroutines.WorkStealingDispatcher;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.ExecutorCoroutineDispatcher;
import kotlinx.coroutines.ExecutorsKt;

/** What the C rows run on. */
public enum CoroutinePeer implements Peer {
  CATNAP {
    @Override
    public Opened<CoroutineDispatcher> open(int workers) {
      return closed(
          WorkStealingDispatcher.of(WorkStealingScheduler.builder().parallelism(workers).build()));
    }
  },

  DEFAULT {
    @Override
    public Opened<CoroutineDispatcher> open(int workers) {
      PoolSizes.requireDefaultDispatcher(workers);
      return Opened.shared(Dispatchers.getDefault());
    }
  },

  /** As {@code new ForkJoinPool(n)} makes it: a worker takes what it pushed last. */
  FJP {
    @Override
    public Opened<CoroutineDispatcher> open(int workers) {
      return on(new ForkJoinPool(workers));
    }
  },

  /** In the mode that its documentation recommends for events: first in, first out. */
  FJP_ASYNC {
    @Override
    public Opened<CoroutineDispatcher> open(int workers) {
      return on(Executors.newWorkStealingPool(workers));
    }
  },

  FIXED {
    @Override
    public Opened<CoroutineDispatcher> open(int workers) {
      return on(Executors.newFixedThreadPool(workers));
    }
  },

  /** The floor: the same coroutines without any dispatch, on the caller's thread. */
  UNCONFINED {
    @Override
    public Opened<CoroutineDispatcher> open(int workers) {
      return Opened.shared(Dispatchers.getUnconfined());
    }
  };

  /**
   * Makes it ready, with threads of its own where it can have them.
   *
   * @param workers how many threads run coroutines at once
   * @return the dispatcher
   */
  public abstract Opened<CoroutineDispatcher> open(int workers);

  private static Opened<CoroutineDispatcher> on(ExecutorService executor) {
    return closed(ExecutorsKt.from(executor));
  }

  private static Opened<CoroutineDispatcher> closed(ExecutorCoroutineDispatcher dispatcher) {
    return new Opened<>(dispatcher, dispatcher::close);
  }
}
