package dev.catnap.loom.internal.jdk;

import dev.catnap.spi.WorkerThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * What this library asks of the JDK's virtual threads. One implementation per way in; today there
 * is one, by reflection. Thread-safe.
 */
public interface JdkBridge {

  /** What a {@code Runnable} is that the JDK handed to the scheduler of a virtual thread. */
  enum Submission {
    /** The first run, from {@code Thread.start}; the only one that may be refused. */
    START,
    /** The thread yielded. */
    YIELD,
    /** The thread was unparked, or got its monitor; or the JDK just makes sure that it runs. */
    CONTINUE,
    /** Not recognised. */
    UNKNOWN
  }

  /** A builder of virtual threads whose continuations go to {@code scheduler}. */
  Thread.Builder.OfVirtual newBuilder(Executor scheduler);

  /** The platform thread under the caller. */
  Thread currentPlatformThread();

  /** The virtual thread on that carrier at this moment; null: none, or that cannot be told. */
  @Nullable Thread mountedOn(Thread carrier);

  /** Interrupts a worker's thread, but not while that carries a virtual thread. */
  void interruptUnlessCarrying(Thread worker);

  /** Looks at a continuation and the state of its thread. */
  Submission submissionOf(Runnable task);

  /** The scheduler of the thread of a continuation; null: not recognised. */
  @Nullable Executor schedulerOf(Runnable task);

  /** Whether {@link #schedulerOf} knows the continuations of all virtual threads. */
  boolean tellsSchedulers();

  /**
   * Whether the JDK submits a continuation again for which there was no memory. Else the thread is
   * stranded.
   */
  boolean resubmitsWithoutMemory();

  /** Runs the virtual threads of nobody in particular; null if it cannot be had. */
  @Nullable Executor defaultScheduler();

  /**
   * The way to replace that for the whole JVM.
   *
   * @throws IllegalStateException if the JVM was started without the option that it takes
   * @throws UnsupportedOperationException if this JDK has no such way
   */
  DefaultSchedulerField defaultSchedulerField();

  /** What the JDK takes for a pool, in front of workers that are no carriers to it. */
  ForkJoinPool newFacade(ContinuationSink sink);

  /** Null if carrier threads can be made, else one sentence that says what is missing. */
  @Nullable String carriersMissing();

  /** Workers that the JDK knows as carriers. Only if {@link #carriersMissing} is null. */
  CarrierWorkers newCarrierWorkers(ContinuationSink sink);

  /** Workers of one scheduler, and the executor to make its virtual threads with. */
  interface CarrierWorkers {
    /** For {@link #newBuilder}. */
    ForkJoinPool scheduler();

    /** Makes the worker threads. */
    WorkerThreadFactory threadFactory(boolean daemon);
  }
}
