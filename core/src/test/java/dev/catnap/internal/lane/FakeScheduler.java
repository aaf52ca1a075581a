package dev.catnap.internal.lane;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.Timer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Keeps what is published until the test runs it, and refuses it or fails when told to. */
final class FakeScheduler implements SchedulerAdapter {
  final ArrayDeque<Runnable> published = new ArrayDeque<>();

  /** Called by each publish before it does anything. */
  Runnable beforePublish = () -> {};

  /** Called by each section before it begins. */
  Runnable beforeSection = () -> {};

  boolean closed;
  boolean stopping;
  int sections;

  @Override
  public void ensureStack() {
    // There is always enough.
  }

  @Override
  public boolean publish(Runnable task, Placement placement) {
    beforePublish.run();
    return !closed && published.add(task);
  }

  @Override
  public boolean publishDeclared(Runnable task, Placement placement) {
    return publish(task, placement);
  }

  @Override
  public boolean publishContinuation(Runnable task, Placement placement) {
    return publish(task, placement);
  }

  @Override
  public boolean publishTo(int worker, Runnable task) {
    throw new UnsupportedOperationException("lanes address no worker");
  }

  @Override
  public boolean publishContinuationTo(int worker, Runnable task) {
    throw new UnsupportedOperationException("lanes address no worker");
  }

  @Override
  public List<SchedulerAdapter> homes() {
    return List.of();
  }

  @Override
  public int home() {
    throw new UnsupportedOperationException("its workers steal");
  }

  void runNext() {
    published.remove().run();
  }

  @Override
  public boolean isWorker() {
    return true;
  }

  @Override
  public boolean beginBlocking() {
    beforeSection.run();
    sections++;
    return true;
  }

  @Override
  public boolean beginBlocking(BooleanSupplier isEnding) {
    return beginBlocking();
  }

  @Override
  public void blockingGoesOn() {}

  @Override
  public void endBlocking() {
    sections--;
  }

  @Override
  public boolean clearInterrupt() {
    throw new UnsupportedOperationException("lanes run one task as one");
  }

  @Override
  public boolean isStopping() {
    return stopping;
  }

  @Override
  public void arm(Timer timer, long delayNanos) {
    throw new UnsupportedOperationException("lanes arm no timers");
  }

  @Override
  public boolean runUrgently(Runnable task) {
    throw new UnsupportedOperationException("lanes arm no timers");
  }

  @Override
  public <T extends TaskReclaimer> T attach(Class<T> type, Supplier<? extends T> make) {
    throw new UnsupportedOperationException("lanes attach nothing");
  }
}
