package dev.catnap.loom.internal.jdk;

import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * JDK 21 to 28: the scheduler of a virtual thread is an {@code Executor}, and only its constructor
 * is hidden.
 */
final class ReflectiveBridge implements JdkBridge {
  static final JdkBridge INSTANCE = new ReflectiveBridge();

  private static final int FIRST_THAT_RESUBMITS = 24;

  private ReflectiveBridge() {}

  @Override
  public Thread.Builder.OfVirtual newBuilder(Executor scheduler) {
    return ThreadInternals.newBuilder(scheduler);
  }

  @Override
  public Thread currentPlatformThread() {
    return ThreadInternals.currentCarrierThread();
  }

  @Override
  public @Nullable Thread mountedOn(Thread carrier) {
    return JdkProbe.isExported() ? MountedThreads.on(carrier) : null;
  }

  @Override
  public void interruptUnlessCarrying(Thread worker) {
    CarrierInterrupts.interruptUnlessCarrying(worker, this::mountedOn);
  }

  @Override
  public Submission submissionOf(Runnable task) {
    return ContinuationInternals.submissionOf(task);
  }

  @Override
  public @Nullable Executor schedulerOf(Runnable task) {
    return ContinuationInternals.schedulerOf(task);
  }

  @Override
  public boolean tellsSchedulers() {
    return ContinuationInternals.tellsSchedulers()
        && (carriersMissing() != null || AdaptedTasks.areLookedInto());
  }

  @Override
  public boolean resubmitsWithoutMemory() {
    return Runtime.version().feature() >= FIRST_THAT_RESUBMITS;
  }

  @Override
  public @Nullable Executor defaultScheduler() {
    try {
      Field field = ThreadInternals.virtualThreadClass().getDeclaredField("DEFAULT_SCHEDULER");
      field.setAccessible(true);
      return (Executor) field.get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  @Override
  public DefaultSchedulerField defaultSchedulerField() {
    JdkProbe.requireExport();
    return DefaultSchedulerField.of(ThreadInternals.virtualThreadClass());
  }

  @Override
  public ForkJoinPool newFacade(ContinuationSink sink) {
    return new SchedulerFacade(sink);
  }

  @Override
  public @Nullable String carriersMissing() {
    return JdkProbe.carriersMissing();
  }

  @Override
  public CarrierWorkers newCarrierWorkers(ContinuationSink sink) {
    return new CarrierThreads(sink);
  }
}
