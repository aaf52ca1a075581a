package dev.catnap.loom.internal.jdk;

import dev.catnap.spi.WorkerThreadFactory;
import java.util.concurrent.ForkJoinPool;

/** Carriers of one scheduler, and the facade that the JDK takes for their pool. */
final class CarrierThreads implements JdkBridge.CarrierWorkers {
  private final SchedulerFacade facade;

  CarrierThreads(ContinuationSink sink) {
    facade = new SchedulerFacade(sink);
  }

  @Override
  public ForkJoinPool scheduler() {
    return facade;
  }

  @Override
  public WorkerThreadFactory threadFactory(boolean daemon) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return body -> {
      Carrier carrier = new Carrier(facade, body);
      carrier.setDaemon(daemon);
      carrier.setPriority(Thread.NORM_PRIORITY);
      carrier.setContextClassLoader(loader);
      return carrier;
    };
  }
}
