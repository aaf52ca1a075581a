package dev.catnap.loom.internal;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.JdkBridge;
import dev.catnap.loom.internal.jdk.JdkBridge.CarrierWorkers;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.spi.CurrentThreadLocator;
import dev.catnap.spi.WorkerThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * All that one scheduler needs to carry virtual threads: in this order {@link #configure} its
 * builder, build it, and {@link #bind} it.
 */
public final class WorkerRig {
  private final JdkBridge jdk;
  private final ContinuationRouter router;

  /** Null: plain platform threads. */
  private final @Nullable CarrierWorkers carriers;

  private WorkerRig(JdkBridge jdk, boolean asCarriers) {
    this.jdk = jdk;
    this.router = new ContinuationRouter(jdk);
    this.carriers = asCarriers ? jdk.newCarrierWorkers(router) : null;
  }

  /**
   * Carrier threads if they can be had, else plain ones.
   *
   * @throws IllegalStateException or UnsupportedOperationException as {@link JdkProbe#require}
   */
  public static WorkerRig best() {
    JdkBridge jdk = JdkProbe.require();
    return new WorkerRig(jdk, jdk.carriersMissing() == null);
  }

  /**
   * Carrier threads.
   *
   * @throws IllegalStateException if they cannot be had
   */
  public static WorkerRig carrierThreads() {
    JdkBridge jdk = JdkProbe.require();
    String missing = jdk.carriersMissing();
    if (missing != null) {
      throw new IllegalStateException(missing);
    }
    return new WorkerRig(jdk, true);
  }

  /** Plain platform threads, also where carriers could be had. */
  public static WorkerRig platformThreads() {
    return new WorkerRig(JdkProbe.require(), false);
  }

  /** Whether its workers are carriers to the JDK. */
  public boolean isCarriers() {
    return carriers != null;
  }

  /** Sets the thread factory and the way to find a worker from inside a virtual thread. */
  public void configure(WorkStealingScheduler.Builder builder, boolean daemon) {
    builder
        .workerThreadFactory(
            carriers != null
                ? carriers.threadFactory(daemon)
                : WorkerThreadFactory.platform(daemon))
        .currentThreadLocator(new Locator(jdk));
  }

  private record Locator(JdkBridge jdk) implements CurrentThreadLocator {
    @Override
    public Thread currentPlatformThread() {
      return jdk.currentPlatformThread();
    }

    @Override
    public @Nullable Thread carriedBy(Thread worker) {
      return jdk.mountedOn(worker);
    }
  }

  /** The scheduler is built; it is that of a pool beside the JDK's own. */
  public void bind(WorkStealingScheduler scheduler) {
    Pollers.settle();
    router.bind(scheduler);
  }

  /** The scheduler is built, and becomes that of the whole JVM, pollers included. */
  void bindAsDefault(WorkStealingScheduler scheduler) {
    router.bind(scheduler);
  }

  /** What the JDK takes as its default scheduler. */
  ForkJoinPool facade() {
    return carriers != null ? carriers.scheduler() : jdk.newFacade(router);
  }

  /** A builder of virtual threads on the scheduler. */
  public Thread.Builder.OfVirtual newBuilder() {
    Executor executor = carriers != null ? carriers.scheduler() : router;
    return jdk.newBuilder(executor);
  }
}
