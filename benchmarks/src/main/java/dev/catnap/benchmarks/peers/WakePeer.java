package dev.catnap.benchmarks.peers;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Dispatchers;

/** What the W rows run on. */
public enum WakePeer implements Peer {
  CATNAP {
    @Override
    public Opened<WakeTarget> open(int workers) {
      WorkStealingScheduler pool = WorkStealingScheduler.builder().parallelism(workers).build();
      return new Opened<>(target(pool::execute, pool), pool::close);
    }
  },

  /** A virtual thread started on idle carriers. */
  CATNAP_VIRTUAL {
    @Override
    public Opened<WakeTarget> open(int workers) {
      CarrierPool pool = CarrierPool.builder().parallelism(workers).build();
      return new Opened<>(
          target(task -> pool.ofVirtual().start(task), pool.scheduler()), pool::close);
    }
  },

  /** The floor: one thread in {@code LockSupport.park}, one {@code unpark}, no queue. */
  PARK {
    @Override
    public Opened<WakeTarget> open(int workers) {
      ParkedThread thread = new ParkedThread();
      return new Opened<>(
          new WakeTarget(thread::publish, thread::isParked, "parked"), thread::close);
    }
  },

  FJP {
    @Override
    public Opened<WakeTarget> open(int workers) {
      ForkJoinPool pool = new ForkJoinPool(workers);
      return new Opened<>(
          new WakeTarget(pool::execute, () -> pool.getActiveThreadCount() == 0, FJP_THREADS),
          pool::close);
    }
  },

  FIXED {
    @Override
    public Opened<WakeTarget> open(int workers) {
      ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(workers);
      pool.prestartAllCoreThreads();
      return new Opened<>(
          new WakeTarget(pool::execute, () -> pool.getActiveCount() == 0, "pool-"), pool::close);
    }
  },

  DEFAULT {
    @Override
    public Opened<WakeTarget> open(int workers) {
      PoolSizes.requireDefaultDispatcher(workers);
      CoroutineDispatcher dispatcher = Dispatchers.getDefault();
      return Opened.shared(
          WakeTarget.of(
              task -> dispatcher.dispatch(EmptyCoroutineContext.INSTANCE, task),
              "DefaultDispatcher-"));
    }
  },

  /** A virtual thread started on the JDK's idle carriers. */
  JDK_VIRTUAL {
    @Override
    public Opened<WakeTarget> open(int workers) {
      PoolSizes.requireVirtualThreads(workers);
      return Opened.shared(
          WakeTarget.of(
              task -> Thread.ofVirtual().start(task), FJP_THREADS, "VirtualThread-unparker"));
    }
  },

  /** Reference of W6: as fast as can be while hot, at the price of a core per worker. */
  SPIN {
    @Override
    public Opened<WakeTarget> open(int workers) {
      SpinningPool pool = new SpinningPool(workers);
      return new Opened<>(WakeTarget.of(pool::publish, "spinning-"), pool::close);
    }
  },

  /** Reference of W6: as idle as can be. */
  CONDVAR {
    @Override
    public Opened<WakeTarget> open(int workers) {
      CondvarPool pool = new CondvarPool(workers);
      return new Opened<>(new WakeTarget(pool::publish, pool::isIdle, "condvar-"), pool::close);
    }
  };

  private static final String FJP_THREADS = "ForkJoinPool-";

  /**
   * Makes it ready, with threads of its own where it can have them.
   *
   * @param workers how many threads run tasks at once; the floor has one
   * @return the target
   */
  public abstract Opened<WakeTarget> open(int workers);

  private static WakeTarget target(Consumer<Runnable> publisher, WorkStealingScheduler pool) {
    return new WakeTarget(
        publisher,
        () -> pool.stats().parkedWorkers() == pool.parallelism(),
        List.of(pool.stats().name()),
        pool::stats);
  }
}
