package dev.catnap.internal.blocking;

import dev.catnap.internal.atomic.PaddedReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Room for the task that a spare is called for. It runs beside all workers that have a right to
 * run, in a declared blocking section of its own.
 *
 * <p>The caller offers the task, then notifies the spare (latch SPARE to NOTIFIED). If that fails,
 * it withdraws the task; if that fails too, the spare has got it, because it was notified by
 * somebody else meanwhile. The spare looks here when it was notified, and only then:
 *
 * <pre>
 *   T1 calls                          T2 spare                       T3 addresses a task to T2
 *   offers
 *                                                                    SPARE to NOTIFIED
 *                                     NOTIFIED to AWAKE, takes
 *   not SPARE: nobody is notified
 *   nothing to withdraw: it is taken
 * </pre>
 *
 * Each task comes out once, to the spare or to its caller: both do it by one CAS. A worker that is
 * handed a right, retires, or gets a new thread need not look: its caller withdraws.
 */
public final class Handover {
  private final PaddedReference<Runnable> task = new PaddedReference<>();

  /**
   * Any thread.
   *
   * @param offered the task
   * @param notifySpare makes the spare look; false: it is none, or none any more
   * @return false: nobody gets the task, it is still the caller's
   */
  public boolean call(Runnable offered, BooleanSupplier notifySpare) {
    return task.compareAndSet(null, offered) // else it is being called for something else
        && (notifySpare.getAsBoolean() || !task.compareAndSet(offered, null));
  }

  /** The spare, after it was notified. */
  public @Nullable Runnable take() {
    return task.getVolatile() == null ? null : task.getAndSet(null);
  }
}
