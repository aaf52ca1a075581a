package dev.catnap.loom.internal;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.DefaultSchedulerField;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.loom.internal.jdk.Joins;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;

/**
 * Makes a scheduler of Catnap the default for the virtual threads of the whole JVM; for the agent,
 * which loads this class by its name and knows it as a {@link Supplier}.
 */
public final class JvmScheduler implements Supplier<WorkStealingScheduler> {
  private static final Duration TRIAL = Duration.ofSeconds(10);

  private final String name;
  private final int parallelism;
  private final int spares;
  private final Runnable dropCompiled;

  /**
   * For the agent.
   *
   * @param name of the scheduler, the beginning of its workers' names
   * @param parallelism if the JDK's property does not say it
   * @param spares how many threads there may be beside the parallelism, if the JDK's property does
   *     not say how many in all
   * @param dropCompiled makes the JVM compile {@code java.lang.VirtualThread} anew, wherever it is
   *     inlined; an exception says why it cannot
   */
  public JvmScheduler(String name, int parallelism, int spares, Runnable dropCompiled) {
    this.name = name;
    this.parallelism = parallelism;
    this.spares = spares;
    this.dropCompiled = dropCompiled;
  }

  /**
   * To be called once, before {@code main}. Either virtual threads run on Catnap after it, or all
   * is as it was.
   *
   * @return where they run
   * @throws IllegalStateException if this JVM is not opened to us, its settings are not those of a
   *     scheduler, or a thread cannot be started
   * @throws UnsupportedOperationException if this JDK has no way to replace the scheduler
   */
  @Override
  public WorkStealingScheduler get() {
    JvmSettings settings = JvmSettings.read(parallelism, spares);
    DefaultSchedulerField field = JdkProbe.requireUntried().defaultSchedulerField();
    WorkerRig rig = WorkerRig.untried();
    WorkStealingScheduler scheduler = build(rig, settings);
    ForkJoinPool before = field.get();
    boolean moved = false;
    try {
      field.set(rig.facade());
      if (field.mayBeBuiltIn()) {
        dropCompiled.run();
      }
      JdkProbe.require(); // makes the first virtual thread
      moved = carries(scheduler);
    } finally {
      if (!moved) {
        field.set(before);
        dropCompiled.run(); // if it throws the scheduler stays: somebody may be sent there
        scheduler.shutdown();
      }
    }
    if (!moved) {
      throw new UnsupportedOperationException(
          "Catnap cannot replace the default scheduler on JDK "
              + Runtime.version()
              + ": virtual threads do not go to what its field has");
    }
    return scheduler;
  }

  private WorkStealingScheduler build(WorkerRig rig, JvmSettings settings) {
    WorkStealingScheduler.Builder builder =
        WorkStealingScheduler.builder()
            .name(name)
            .parallelism(settings.parallelism())
            .maxThreads(settings.maxThreads());
    return rig.buildDefault(builder);
  }

  /** Whether a virtual thread that is made in the usual way gets there: no guess about the JDK. */
  private static boolean carries(WorkStealingScheduler scheduler) {
    boolean[] onWorker = new boolean[1];
    Thread trial = Thread.ofVirtual().start(() -> onWorker[0] = scheduler.adapter().isWorker());
    return Joins.uninterruptibly(trial, TRIAL) && onWorker[0];
  }
}
