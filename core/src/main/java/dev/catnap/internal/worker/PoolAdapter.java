package dev.catnap.internal.worker;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.Timer;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

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
  public boolean clearInterrupt() {
    return pool.clearInterrupt();
  }

  @Override
  public boolean isStopping() {
    return pool.shutdownSequence().isStopping();
  }

  @Override
  public void arm(Timer timer, long delayNanos) {
    ((AdapterTimer) timer).arm(pool.home(), delayNanos);
  }

  @Override
  public boolean runUrgently(Runnable task) {
    return pool.home().runUrgently(Objects.requireNonNull(task, "task"));
  }

  @Override
  public <T extends TaskReclaimer> T attach(Class<T> type, Supplier<? extends T> make) {
    return pool.shutdownSequence().attach(type, make);
  }
}
