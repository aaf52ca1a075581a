package dev.catnap.benchmarks.peers;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BooleanSupplier;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Dispatchers;

/** What the wake latency of W1 is measured on. */
public enum WakePeer implements Peer {
  CATNAP {
    @Override
    public Opened<WakeTarget> open(int workers) {
      WorkStealingScheduler pool = WorkStealingScheduler.builder().parallelism(workers).build();
      return new Opened<>(new WakeTarget(pool::execute, allParked(pool)), pool::close);
    }
  },

  /** A virtual thread started on idle carriers. */
  CATNAP_VIRTUAL {
    @Override
    public Opened<WakeTarget> open(int workers) {
      CarrierPool pool = CarrierPool.builder().parallelism(workers).build();
      return new Opened<>(
          new WakeTarget(task -> pool.ofVirtual().start(task), allParked(pool.scheduler())),
          pool::close);
    }
  },

  /** The floor: one thread in {@code LockSupport.park}, one {@code unpark}, no queue. */
  PARK {
    @Override
    public Opened<WakeTarget> open(int workers) {
      ParkedThread thread = new ParkedThread();
      return new Opened<>(new WakeTarget(thread::publish, thread::isParked), thread::close);
    }
  },

  FJP {
    @Override
    public Opened<WakeTarget> open(int workers) {
      ForkJoinPool pool = new ForkJoinPool(workers);
      return new Opened<>(
          new WakeTarget(pool::execute, () -> pool.getActiveThreadCount() == 0), pool::close);
    }
  },

  FIXED {
    @Override
    public Opened<WakeTarget> open(int workers) {
      ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(workers);
      pool.prestartAllCoreThreads();
      return new Opened<>(
          new WakeTarget(pool::execute, () -> pool.getActiveCount() == 0), pool::close);
    }
  },

  DEFAULT {
    @Override
    public Opened<WakeTarget> open(int workers) {
      PoolSizes.requireDefaultDispatcher(workers);
      CoroutineDispatcher dispatcher = Dispatchers.getDefault();
      return Opened.shared(
          WakeTarget.of(task -> dispatcher.dispatch(EmptyCoroutineContext.INSTANCE, task)));
    }
  },

  /** A virtual thread started on the JDK's idle carriers. */
  JDK_VIRTUAL {
    @Override
    public Opened<WakeTarget> open(int workers) {
      PoolSizes.requireVirtualThreads(workers);
      return Opened.shared(WakeTarget.of(task -> Thread.ofVirtual().start(task)));
    }
  };

  /**
   * Makes it ready, with threads of its own where it can have them.
   *
   * @param workers how many threads run tasks at once; the floor has one
   * @return the target
   */
  public abstract Opened<WakeTarget> open(int workers);

  private static BooleanSupplier allParked(WorkStealingScheduler pool) {
    return () -> pool.stats().parkedWorkers() == pool.parallelism();
  }
}
