package dev.catnap.loom.internal;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.spi.CommonSchedulerProvider;
import org.jspecify.annotations.Nullable;

/** Makes the workers of the common scheduler able to carry virtual threads, if the JVM lets us. */
public final class CommonCarriers implements CommonSchedulerProvider {
  private static volatile @Nullable WorkerRig rig;

  /** For {@link java.util.ServiceLoader}. */
  public CommonCarriers() {}

  @Override
  public boolean configure(WorkStealingScheduler.Builder builder) {
    if (!JdkProbe.isOpen()) {
      return false;
    }
    WorkerRig made = WorkerRig.best();
    made.configure(builder, true);
    rig = made;
    return true;
  }

  /**
   * What the common scheduler was made with. Call it after that exists.
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
