package dev.catnap.benchmarks.peers;

import dev.catnap.loom.CarrierPool;
import java.util.function.Supplier;

/** What the V rows run on: carriers of virtual threads. */
public enum VirtualPeer implements Peer {
  CATNAP {
    @Override
    public Opened<Supplier<Thread.Builder.OfVirtual>> open(int workers) {
      CarrierPool pool = CarrierPool.builder().parallelism(workers).build();
      return new Opened<>(pool::ofVirtual, pool::close);
    }
  },

  JDK {
    @Override
    public Opened<Supplier<Thread.Builder.OfVirtual>> open(int workers) {
      PoolSizes.requireVirtualThreads(workers);
      return Opened.shared(Thread::ofVirtual);
    }
  };

  /**
   * Makes it ready, with carriers of its own where it can have them.
   *
   * @param workers how many carriers run at once
   * @return makes builders of virtual threads, since a builder is not thread-safe
   */
  public abstract Opened<Supplier<Thread.Builder.OfVirtual>> open(int workers);
}
