package dev.catnap.loom.internal;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.JdkBridge;
import dev.catnap.loom.internal.jdk.JdkBridge.CarrierWorkers;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.spi.CurrentThreadLocator;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThreadFactory;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All that one scheduler needs to carry virtual threads. {@link #build} makes it; where others do,
 * {@link #configure} its builder, and then {@link #bind} it.
 */
public final class WorkerRig {
  /**
   * What a virtual thread is made with, and so where it runs.
   *
   * @param carriers null: plain platform threads
   */
  private record Seat(ContinuationRouter router, @Nullable CarrierWorkers carriers) {
    static Seat of(JdkBridge jdk, boolean asCarriers) {
      ContinuationRouter router = new ContinuationRouter(jdk);
      return new Seat(router, asCarriers ? jdk.newCarrierWorkers(router) : null);
    }

    Executor executor() {
      return carriers != null ? carriers.scheduler() : router;
    }

    WorkerThreadFactory threadFactory(boolean daemon) {
      return carriers != null
          ? carriers.threadFactory(daemon)
          : WorkerThreadFactory.platform(daemon);
    }
  }

  private final JdkBridge jdk;
  private final Pollers pollers;

  /** One for all workers, or one for each from which virtual threads do not move. */
  private final List<Seat> seats;

  private volatile @Nullable SchedulerAdapter adapter;

  private WorkerRig(JdkBridge jdk, boolean asCarriers, int seats) {
    this(jdk, asCarriers, seats, Pollers.OF_THIS_JVM);
  }

  /** For tests: other pollers. */
  WorkerRig(JdkBridge jdk, boolean asCarriers, int seats, Pollers pollers) {
    this.jdk = jdk;
    this.pollers = pollers;
    this.seats = IntStream.range(0, seats).mapToObj(i -> Seat.of(jdk, asCarriers)).toList();
  }

  private ContinuationRouter router() {
    return seats.get(0).router;
  }

  /**
   * Carrier threads if they can be had, else plain ones.
   *
   * @throws IllegalStateException or UnsupportedOperationException as {@link JdkProbe#require}
   */
  public static WorkerRig best() {
    return best(1);
  }

  /**
   * The same for a scheduler with a thread per core.
   *
   * @param seats the number of its workers; 1: they steal, or there is one
   */
  public static WorkerRig best(int seats) {
    return best(JdkProbe.require(), seats);
  }

  /**
   * As {@link #best()}, and makes no virtual thread.
   *
   * @throws IllegalStateException or UnsupportedOperationException as {@link
   *     JdkProbe#requireUntried}
   */
  static WorkerRig untried() {
    return best(JdkProbe.requireUntried(), 1);
  }

  private static WorkerRig best(JdkBridge jdk, int seats) {
    return new WorkerRig(jdk, jdk.carriersMissing() == null, seats);
  }

  /**
   * Carrier threads.
   *
   * @param seats as above
   * @throws IllegalStateException if they cannot be had
   */
  public static WorkerRig carrierThreads(int seats) {
    JdkBridge jdk = JdkProbe.require();
    String missing = jdk.carriersMissing();
    if (missing != null) {
      throw new IllegalStateException(missing);
    }
    return new WorkerRig(jdk, true, seats);
  }

  /**
   * Plain platform threads, also where carriers could be had.
   *
   * @param seats as above
   */
  public static WorkerRig platformThreads(int seats) {
    return new WorkerRig(JdkProbe.require(), false, seats);
  }

  /** Whether its workers are carriers to the JDK. */
  public boolean isCarriers() {
    return seats.get(0).carriers != null;
  }

  /**
   * Makes a scheduler whose workers carry virtual threads, beside the JDK's own.
   *
   * @throws IllegalStateException if that cannot be done, as where a thread cannot be started; none
   *     is left then
   */
  public WorkStealingScheduler build(WorkStealingScheduler.Builder settings, boolean daemon) {
    return build(
        settings,
        daemon,
        scheduler -> {
          bind(scheduler);
          servePollers();
        });
  }

  /** The same for one that becomes the JDK's: the pollers are among what it carries. */
  WorkStealingScheduler buildDefault(WorkStealingScheduler.Builder settings) {
    return build(settings, true, this::bind);
  }

  private WorkStealingScheduler build(
      WorkStealingScheduler.Builder settings,
      boolean daemon,
      Consumer<WorkStealingScheduler> binding) {
    configure(settings, daemon);
    WorkStealingScheduler scheduler = settings.build();
    try {
      binding.accept(scheduler);
    } catch (Throwable t) {
      scheduler.close();
      throw new IllegalStateException(
          "no virtual threads on " + scheduler.name() + ": " + t.getMessage(), t);
    }
    return scheduler;
  }

  /** Sets the thread factory and the way to find a worker from inside a virtual thread. */
  void configure(WorkStealingScheduler.Builder builder, boolean daemon) {
    builder.workerThreadFactory(threadFactory(daemon)).currentThreadLocator(new Locator(jdk));
  }

  private WorkerThreadFactory threadFactory(boolean daemon) {
    List<WorkerThreadFactory> ofSeats =
        seats.stream().map(seat -> seat.threadFactory(daemon)).toList();
    return new Threads(seats, ofSeats, new Spacers());
  }

  /**
   * By this a scheduler holds its routers as long as it lives: it does not hold what is attached to
   * it, and a virtual thread in its queues holds the router of its own seat only; a poller of the
   * JDK, none.
   */
  private record Threads(List<Seat> seats, List<WorkerThreadFactory> ofSeats, Spacers spacers)
      implements WorkerThreadFactory {
    @Override
    public Thread newThread(WorkerBody body) {
      Thread thread = ofSeats.get(ofSeats.size() == 1 ? 0 : body.index()).newThread(body);
      spacers.separate();
      return thread;
    }

    @Override
    public void workersStarted() {
      spacers.separate();
      spacers.end();
    }
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

    @Override
    public void interrupt(Thread worker) {
      jdk.interruptUnlessCarrying(worker);
    }
  }

  /** The scheduler is built, with what {@link #configure} has set. */
  void bind(WorkStealingScheduler scheduler) {
    boolean sharesThreads = scheduler.stats().budgetThreads() != 0;
    List<SchedulerAdapter> homes = scheduler.adapter().homes();
    for (int i = 0; i < seats.size(); i++) {
      SchedulerAdapter where = homes.isEmpty() ? scheduler.adapter() : homes.get(i);
      seats.get(i).router.bind(scheduler, where, sharesThreads);
    }
    adapter = scheduler.adapter();
  }

  /** It is bound, and carries virtual threads from now on, beside the JDK's scheduler. */
  public void servePollers() {
    if (router().isOpen()) { // the common one may be over: nothing is to start any more
      pollers.serve(router());
    }
  }

  /** What the JDK takes as its default scheduler. */
  ForkJoinPool facade() {
    CarrierWorkers carriers = seats.get(0).carriers;
    return carriers != null ? carriers.scheduler() : jdk.newFacade(router());
  }

  /**
   * A builder of virtual threads on the scheduler; with a thread per core, on one worker: that of
   * the caller, or any.
   */
  public Thread.Builder.OfVirtual newBuilder() {
    SchedulerAdapter bound = Objects.requireNonNull(adapter, "builder before its scheduler");
    return jdk.newBuilder(seats.get(seats.size() == 1 ? 0 : bound.home()).executor());
  }

  /** A factory that does so for each thread. */
  public ThreadFactory newFactory() {
    return seats.size() == 1 ? newBuilder().factory() : task -> newBuilder().unstarted(task);
  }
}
