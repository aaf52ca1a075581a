package dev.catnap.loom.internal;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.DefaultSchedulerField;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.loom.internal.jdk.Joins;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;

/**
 * Makes a scheduler of Catnap the default for the virtual threads of the whole JVM; for the agent,
 * which loads this class by its name and knows it as a {@link Runnable}.
 */
public final class JvmScheduler implements Runnable {
  private static final String NAME = "catnap-virtual";
  private static final Duration TRIAL = Duration.ofSeconds(10);

  /** For the agent. */
  public JvmScheduler() {}

  /**
   * To be called once, before {@code main}. Either virtual threads run on Catnap after it, or all
   * is as it was.
   *
   * @throws IllegalStateException if this JVM is not opened to us, or its settings are not those of
   *     a scheduler
   * @throws UnsupportedOperationException if this JDK has no way to replace the scheduler
   */
  @Override
  public void run() {
    DefaultSchedulerField field = JdkProbe.require().defaultSchedulerField();
    WorkerRig rig = WorkerRig.best();
    WorkStealingScheduler scheduler = build(rig);
    ForkJoinPool before = field.get();
    field.set(rig.facade());
    if (!carries(scheduler)) {
      field.set(before);
      scheduler.shutdown();
      throw new UnsupportedOperationException(
          "Catnap cannot replace the default scheduler on JDK "
              + Runtime.version()
              + ": virtual threads do not go to what its field has");
    }
  }

  private static WorkStealingScheduler build(WorkerRig rig) {
    JvmSettings settings = JvmSettings.read();
    WorkStealingScheduler.Builder builder =
        WorkStealingScheduler.builder()
            .name(NAME)
            .parallelism(settings.parallelism())
            .maxThreads(settings.maxThreads());
    rig.configure(builder, true);
    WorkStealingScheduler scheduler = builder.build();
    rig.bindAsDefault(scheduler);
    return scheduler;
  }

  /** Whether a virtual thread that is made in the usual way gets there: no guess about the JDK. */
  private static boolean carries(WorkStealingScheduler scheduler) {
    boolean[] onWorker = new boolean[1];
    Thread trial = Thread.ofVirtual().start(() -> onWorker[0] = scheduler.adapter().isWorker());
    return Joins.uninterruptibly(trial, TRIAL) && onWorker[0];
  }
}
