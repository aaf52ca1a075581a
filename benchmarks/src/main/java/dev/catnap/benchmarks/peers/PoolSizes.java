package dev.catnap.benchmarks.peers;

import java.lang.management.ManagementFactory;
import java.util.List;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * Gives the schedulers that a JVM has only once the same number of workers as the others: by system
 * properties, which they read when their classes are initialised. A benchmark checks that this
 * worked, since a comparison of two workers with eight would look like any other.
 */
public final class PoolSizes {
  /** {@code CORE_POOL_SIZE} in kotlinx.coroutines' {@code scheduling/Tasks.kt}. */
  private static final String DEFAULT_DISPATCHER = "kotlinx.coroutines.scheduler.core.pool.size";

  /** {@code VirtualThread.createDefaultForkJoinPoolScheduler} of the JDK. */
  private static final String VIRTUAL_THREADS = "jdk.virtualThreadScheduler.parallelism";

  private PoolSizes() {}

  /**
   * The arguments of a JVM in which every scheduler has that many workers.
   *
   * @param workers how many
   * @return arguments for the command line
   */
  public static List<String> jvmArgs(int workers) {
    return List.of(
        "-D" + DEFAULT_DISPATCHER + "=" + workers, "-D" + VIRTUAL_THREADS + "=" + workers);
  }

  static void requireDefaultDispatcher(int workers) {
    require("Dispatchers.Default", Integer.getInteger(DEFAULT_DISPATCHER, -1), workers);
  }

  static void requireVirtualThreads(int workers) {
    require(
        "the JDK's virtual thread scheduler",
        ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class).getParallelism(),
        workers);
  }

  private static void require(String what, int actual, int workers) {
    if (actual != workers) {
      throw new IllegalStateException(
          what
              + " has "
              + actual
              + " workers, not "
              + workers
              + "; start with "
              + jvmArgs(workers));
    }
  }
}
