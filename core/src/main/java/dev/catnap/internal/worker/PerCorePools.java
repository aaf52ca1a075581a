package dev.catnap.internal.worker;

import dev.catnap.SchedulerStats;
import dev.catnap.ShutdownReport.RunningThread;
import dev.catnap.internal.lane.Lane;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.WorkerThread;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Thread per core: as many pools of one worker as there are workers, each with its own queues,
 * timers and sleep (Pingora's runtime that does not steal, Seastar's shards). A task runs on the
 * worker that it was given to. Each pool keeps the protocol by itself; its injector is the inbox of
 * its worker. What they share is their end: see {@link Shutdown}.
 *
 * <p>No worker is replaced while it blocks, for nobody may take what waits behind it (G9 exempts
 * that): there is no sentinel and there are no spares. There is no timer thread either: a worker
 * parks until its first timer is due.
 *
 * <p>Thread-safe.
 */
public final class PerCorePools implements Engine {
  private final PoolConfig config;
  private final Shutdown shutdown;
  private final List<Pool> pools;

  /**
   * Starts the workers.
   *
   * @throws IllegalStateException if the thread factory fails; no thread is left then
   */
  public PerCorePools(PoolConfig config) {
    this.config = config;
    int n = config.parallelism();
    Shutdown together = new Shutdown(n);
    PoolConfig each = ofOneWorker(config);
    this.shutdown = together;
    try {
      this.pools = IntStream.range(0, n).mapToObj(i -> new Pool(each, together, i)).toList();
    } finally {
      Threads.workersStarted(config);
    }
  }

  private static PoolConfig ofOneWorker(PoolConfig config) {
    return new PoolConfig(
        config.name(),
        1,
        1,
        config.budget(),
        config.keepAliveNanos(),
        config.daemon(),
        config.threadFactory(),
        config.locator(),
        config.handler(),
        config.tuning().withSentinel(0, config.tuning().stallTickNanos()),
        config.threads(),
        false);
  }

  // ---- where to

  /** The pools, by the number of their worker. */
  public List<Pool> pools() {
    return pools;
  }

  /** That of the caller if it is one of these workers, else any. */
  @Override
  public Pool home() {
    Pool current = current();
    return current != null ? current : pools.get(ThreadLocalRandom.current().nextInt(pools.size()));
  }

  private @Nullable Pool current() {
    Worker worker = Worker.of(config.locator().currentPlatformThread());
    return worker != null && worker.pool().shutdownSequence() == shutdown ? worker.pool() : null;
  }

  // ---- tasks

  @Override
  public void ensureStack() {
    pools.get(0).ensureStack();
  }

  @Override
  public boolean publish(Runnable task, Placement placement) {
    return home().publish(task, placement);
  }

  @Override
  public boolean publishContinuation(Runnable task, Placement placement) {
    return home().publishContinuation(task, placement);
  }

  @Override
  public boolean publishTo(int worker, Runnable task) {
    return pools.get(worker).publishTo(0, task);
  }

  @Override
  public boolean publishContinuationTo(int worker, Runnable task) {
    return pools.get(worker).publishContinuationTo(0, task);
  }

  @Override
  public boolean isAddressable(int worker) {
    return pools.get(worker).isAddressable(0);
  }

  @Override
  public boolean isWorker() {
    return current() != null;
  }

  @Override
  public int ownWorker() {
    Pool current = current();
    return current == null ? -1 : current.ownWorker();
  }

  @Override
  public boolean isOnOwnThread() {
    return config.locator().currentPlatformThread() instanceof WorkerThread carrier
        && carrier.worker() instanceof Worker worker
        && worker.pool().shutdownSequence() == shutdown;
  }

  /** Nobody may take over what waits: the section just runs. */
  @Override
  public boolean beginBlocking(@Nullable BooleanSupplier isEnding) {
    return false;
  }

  @Override
  public void blockingGoesOn() {}

  @Override
  public void endBlocking() {
    throw new IllegalStateException("endBlocking without beginBlocking on " + this);
  }

  @Override
  public Lane newLane(String name, int threads, int capacity, SchedulerAdapter adapter) {
    throw new UnsupportedOperationException(
        name()
            + " runs a thread per core, and a worker that blocks is not replaced: the lane "
            + name
            + " for blocking tasks needs a scheduler whose workers steal");
  }

  @Override
  public int parallelism() {
    return pools.size();
  }

  @Override
  public void setParallelism(int parallelism) {
    requireResizable();
  }

  @Override
  public void requireResizable() {
    throw new UnsupportedOperationException(
        name()
            + " runs a thread per core: its parallelism stays "
            + pools.size()
            + ", since what belongs to a worker cannot move to another");
  }

  // ---- life

  @Override
  public void shutdown() {
    shutdown.begin();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return shutdown.now();
  }

  @Override
  public boolean isShutdown() {
    return !shutdown.lifecycle().isRunning();
  }

  @Override
  public boolean isTerminated() {
    return shutdown.lifecycle().isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return shutdown.lifecycle().awaitTermination(timeout, unit);
  }

  @Override
  public void joinThreads(long deadline) throws InterruptedException {
    for (Pool pool : pools) {
      pool.joinThreads(deadline);
    }
  }

  @Override
  public Shutdown shutdownSequence() {
    return shutdown;
  }

  @Override
  public List<TimerNode> takeTimersLaterThan(long nanos) {
    return pools.stream().flatMap(pool -> pool.takeTimersLaterThan(nanos).stream()).toList();
  }

  @Override
  public List<RunningThread> liveThreads() {
    return pools.stream().flatMap(pool -> pool.liveThreads().stream()).toList();
  }

  @Override
  public RejectedExecutionException refused(Object task) {
    return new RejectedExecutionException(this + " is closed and refuses " + task);
  }

  // ---- reading

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public PoolConfig config() {
    return config;
  }

  @Override
  public SchedulerStats stats() {
    return pools.stream()
        .map(Pool::stats)
        .reduce(PerCoreStats::sum)
        .map(Objects::requireNonNull)
        .orElseThrow();
  }

  @Override
  public String dump() {
    StringBuilder text = new StringBuilder(toString()).append('\n');
    pools.forEach(pool -> text.append(pool.dump()));
    return text.toString();
  }

  @Override
  public String toString() {
    long asleep = pools.stream().filter(Pool::isAsleep).count();
    return name()
        + "["
        + shutdown.lifecycle()
        + ", thread per core, "
        + asleep
        + " of "
        + pools.size()
        + " workers asleep]";
  }
}
