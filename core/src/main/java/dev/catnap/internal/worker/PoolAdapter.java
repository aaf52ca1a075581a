package dev.catnap.internal.worker;

import dev.catnap.internal.timer.TimerNode;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.Timer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A pool, or all pools of a scheduler, as adapters see them. */
public final class PoolAdapter implements SchedulerAdapter {
  private final Engine pool;

  /** One for each worker to which tasks stay. */
  private final List<SchedulerAdapter> homes;

  /** A view. */
  public PoolAdapter(Engine pool) {
    this.pool = pool;
    this.homes =
        pool instanceof PerCorePools perCore
            ? perCore.pools().stream().<SchedulerAdapter>map(PoolAdapter::new).toList()
            : List.of();
  }

  @Override
  public List<SchedulerAdapter> homes() {
    return homes;
  }

  @Override
  public int home() {
    return pool.home().firstWorker();
  }

  @Override
  public void ensureStack() {
    pool.ensureStack();
  }

  @Override
  public boolean publish(Runnable task, Placement placement) {
    return pool.publish(Objects.requireNonNull(task, "task"), placement);
  }

  @Override
  public boolean publishDeclared(Runnable task, Placement placement) {
    return pool.publishDeclared(Objects.requireNonNull(task, "task"), placement);
  }

  @Override
  public boolean publishContinuation(Runnable task, Placement placement) {
    return pool.publishContinuation(Objects.requireNonNull(task, "task"), placement);
  }

  @Override
  public boolean publishTo(int worker, Runnable task) {
    return pool.publishTo(worker, Objects.requireNonNull(task, "task"));
  }

  @Override
  public boolean publishContinuationTo(int worker, Runnable task) {
    return pool.publishContinuationTo(worker, Objects.requireNonNull(task, "task"));
  }

  @Override
  public boolean isWorker() {
    return pool.isWorker();
  }

  @Override
  public boolean beginBlocking() {
    return pool.beginBlocking();
  }

  @Override
  public boolean beginBlocking(BooleanSupplier isEnding) {
    return pool.beginBlocking(Objects.requireNonNull(isEnding, "isEnding"));
  }

  @Override
  public void blockingGoesOn() {
    pool.blockingGoesOn();
  }

  @Override
  public void endBlocking() {
    pool.endBlocking();
  }

  @Override
  public Timer arm(Runnable task, long delayNanos, Executor ifRefused) {
    AdapterTimer timer = new AdapterTimer(pool.home(), task, ifRefused);
    if (!timer.pool.timers().arm(timer, delayNanos)) {
      timer.dropped();
    }
    return timer;
  }

  @Override
  public <T extends TaskReclaimer> T attach(Class<T> type, Supplier<? extends T> make) {
    return pool.shutdownSequence().attach(type, make);
  }

  /**
   * Releases its task as soon as it is cancelled, so that a handle kept by somebody holds nothing.
   */
  private static final class AdapterTimer extends TimerNode implements Timer {
    private final Pool pool;
    private final Executor ifRefused;
    private volatile @Nullable Runnable task;

    AdapterTimer(Pool pool, Runnable task, Executor ifRefused) {
      this.pool = pool;
      this.task = Objects.requireNonNull(task, "task");
      this.ifRefused = Objects.requireNonNull(ifRefused, "ifRefused");
    }

    @Override
    public boolean cancel() {
      pool.ensureStack();
      if (!pool.timers().cancel(this)) {
        return false;
      }
      task = null;
      return true;
    }

    @Override
    protected void fire() {
      Runnable t = task;
      if (t != null && !pool.publishContinuation(t, Placement.QUEUED)) {
        ifRefused.execute(t);
      }
    }

    @Override
    protected boolean survivesShutdown() {
      return false;
    }

    @Override
    protected void dropped() {
      Runnable t = task;
      if (t != null) {
        ifRefused.execute(t);
      }
    }
  }
}
