package dev.catnap;

import dev.catnap.internal.worker.DeadlineShutdown;
import dev.catnap.internal.worker.Pool;
import dev.catnap.spi.CommonSchedulerProvider;
import java.time.Duration;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler that is shared by all in the class loader of Catnap and below it. It outlives who
 * needs it first, and keeps nothing of that: neither its class loader nor its thread group.
 */
final class CommonScheduler {
  /**
   * Set before the end asks for the scheduler, so there are two ways for a first use that races
   * with it, and in both no thread is left, nor started later:
   *
   * <pre>
   *   T1 uses it first                T2 ends it
   *   builds it: no end yet
   *                                   isEnding, asks for it: waits for T1's
   *                                   closes it
   * or
   *                                   isEnding
   *   builds it: without threads
   * </pre>
   */
  private static volatile boolean isEnding;

  /** A virtual thread that waits for it leaves its carrier. */
  private static final ReentrantLock BUILDING = new ReentrantLock();

  /** For what a provider that failed may have given the workers to do: it is interrupted. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static volatile @Nullable WorkStealingScheduler instance;

  private CommonScheduler() {}

  static WorkStealingScheduler get() {
    WorkStealingScheduler built = instance;
    return built != null ? built : buildOnce();
  }

  /**
   * Not by the initialiser of a class: where that fails, as a thread cannot be started just then,
   * it has failed for as long as the JVM lives.
   */
  private static WorkStealingScheduler buildOnce() {
    BUILDING.lock();
    try {
      if (BUILDING.getHoldCount() > 1) {
        throw new IllegalStateException("who configures the common scheduler must not ask for it");
      }
      WorkStealingScheduler built = instance;
      if (built == null) {
        built = build();
        instance = built;
      }
      return built;
    } finally {
      BUILDING.unlock();
    }
  }

  static ShutdownReport end(Duration drain, Duration interrupt) {
    DeadlineShutdown.check(drain, interrupt);
    isEnding = true;
    return DeadlineShutdown.run(get().engine(), drain, interrupt);
  }

  private static WorkStealingScheduler build() {
    Thread caller = Thread.currentThread();
    ClassLoader callers = caller.getContextClassLoader();
    boolean set = setLoader(caller, WorkStealingScheduler.class.getClassLoader());
    try {
      return buildHere();
    } finally {
      if (set) {
        caller.setContextClassLoader(callers);
      }
    }
  }

  /** False: a thread of the JDK that lets nobody set it, and has none of an application's. */
  private static boolean setLoader(Thread thread, ClassLoader loader) {
    try {
      thread.setContextClassLoader(loader);
      return true;
    } catch (SecurityException e) {
      return false;
    }
  }

  /** All that is made here takes the context class loader of this thread. */
  private static WorkStealingScheduler buildHere() {
    WorkStealingScheduler.Builder builder =
        WorkStealingScheduler.builder().name("catnap").group(topmostGroup());
    CommonSchedulerProvider provider = configured(builder);
    Pool pool = isEnding ? ended(builder) : new Pool(builder.config());
    WorkStealingScheduler built = new WorkStealingScheduler(pool, false);
    if (provider != null) {
      tell(provider, built);
    }
    return built;
  }

  private static void tell(CommonSchedulerProvider provider, WorkStealingScheduler built) {
    try {
      provider.built(built);
    } catch (Throwable t) {
      ShutdownReport ignored = DeadlineShutdown.run(built.engine(), Duration.ZERO, GRACE);
      throw t;
    }
  }

  /** Who is in charge; null: nobody, it has the defaults. */
  private static @Nullable CommonSchedulerProvider configured(
      WorkStealingScheduler.Builder builder) {
    ClassLoader own = WorkStealingScheduler.class.getClassLoader();
    var providers = ServiceLoader.load(CommonSchedulerProvider.class, own).iterator();
    for (; ; ) {
      try {
        if (!providers.hasNext()) {
          return null;
        }
        CommonSchedulerProvider provider = providers.next();
        if (provider.configure(builder)) {
          return provider;
        }
      } catch (UnsupportedClassVersionError e) {
        // Made for a newer JDK, such as the virtual-thread face on JDK 17: it cannot be in charge.
      } catch (ServiceConfigurationError e) {
        boolean isForNewer = e.getCause() instanceof UnsupportedClassVersionError; // from JDK 27 on
        if (!isForNewer) {
          throw new IllegalStateException("no common scheduler: " + e.getMessage(), e);
        }
      }
    }
  }

  private static Pool ended(WorkStealingScheduler.Builder builder) {
    Pool pool = builder.poolWithoutThreads();
    pool.shutdown();
    return pool;
  }

  /** Below it are those of applications. */
  private static ThreadGroup topmostGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (ThreadGroup g = group; g != null; g = g.getParent()) {
      group = g;
    }
    return group;
  }
}
