package dev.catnap.loom.internal.jdk;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts of threads that may carry. The status of a carrier is that of the virtual thread on
 * it: set by somebody else, it makes each park of a pinned one return at once, since the virtual
 * thread clears its own status only.
 */
final class CarrierInterrupts {
  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";

  /** Between mount and unmount a frame of this method is on the carrier's own stack. */
  private static final String RUN = "runContinuation";

  private CarrierInterrupts() {}

  /**
   * Interrupts what runs on the thread, if that is no virtual thread.
   *
   * <pre>
   *   T1 carrier                       T2
   *                                    it carries nothing
   *   mounts, which clears its status
   *                                    interrupts it
   *                                    it carries: clears the status again
   * </pre>
   *
   * @param mountedOn what a carrier carries; null: none, or that cannot be told
   */
  static void interruptUnlessCarrying(Thread worker, Function<Thread, @Nullable Thread> mountedOn) {
    if (carries(worker)) {
      return;
    }
    worker.interrupt();
    if (carries(worker)) {
      Thread carried = mountedOn.apply(worker);
      if (carried == null || !carried.isInterrupted()) { // else the status is its own
        ThreadInternals.clearInterrupt(worker);
      }
    }
  }

  private static boolean carries(Thread worker) {
    return Arrays.stream(worker.getStackTrace())
        .anyMatch(f -> f.getMethodName().equals(RUN) && f.getClassName().equals(VIRTUAL_THREAD));
  }
}
