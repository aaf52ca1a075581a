package dev.catnap.loom.internal;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.spi.CommonSchedulerProvider;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the workers of the common scheduler able to carry virtual threads, if the JVM lets us. */
public final class CommonCarriers implements CommonSchedulerProvider {
  private static volatile @Nullable WorkerRig rig;

  private @Nullable WorkerRig configured;

  /** For {@link java.util.ServiceLoader}. */
  public CommonCarriers() {}

  @Override
  public boolean configure(WorkStealingScheduler.Builder builder) {
    if (!JdkProbe.isOpen()) {
      return false;
    }
    WorkerRig made = WorkerRig.best();
    made.configure(builder, true);
    configured = made;
    return true;
  }

  /** Also for those who never ask for virtual threads: its workers are carriers all the same. */
  @Override
  public void built(WorkStealingScheduler scheduler) {
    WorkerRig made = Objects.requireNonNull(configured, "built before it is configured");
    made.bind(scheduler);
    rig = made;
  }

  /**
   * What the common scheduler was made with, bound to it. Call it after that exists.
   *
   * @throws IllegalStateException or UnsupportedOperationException if that cannot carry virtual
   *     threads
   */
  public static WorkerRig rig() {
    WorkerRig made = rig;
    if (made != null) {
      return made;
    }
    JdkProbe.require(); // the usual reason, in its own words
    throw new IllegalStateException(
        "the common scheduler was not made by the virtual-thread face: another"
            + " CommonSchedulerProvider was faster, java.lang was opened too late, or this library"
            + " is not in the class loader in which Catnap's core is");
  }
}
