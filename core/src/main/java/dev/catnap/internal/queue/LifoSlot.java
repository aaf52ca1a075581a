package dev.catnap.internal.queue;

import dev.catnap.internal.atomic.PaddedReference;
import org.jspecify.annotations.Nullable;

/**
 * Room for the one task that its worker runs next: the receiver of the message just sent finds its
 * data in the cache. The owner puts; owner and thieves take. Thieves look here last, but they do
 * look: a slot that only its owner can empty strands a task behind a blocking one (G1).
 */
public final class LifoSlot {
  private final PaddedReference<Runnable> task = new PaddedReference<>();

  /**
   * Owner only.
   *
   * @return the task that was here before, to be put into the deque by the caller; null: none
   */
  public @Nullable Runnable put(Runnable next) {
    if (task.getOpaque() == null) {
      // Only the owner fills the slot, so an empty one stays empty until this write. Release: what
      // the task reads was written before. The caller's PushFence does the rest.
      task.setRelease(next);
      return null;
    }
    return task.getAndSet(next);
  }

  /** Any thread. Takes the task, or null when empty or when another was faster. */
  public @Nullable Runnable take() {
    // The read avoids a contended write to empty slots; the swap decides between owner and thieves.
    return task.getOpaque() == null ? null : task.getAndSet(null);
  }

  /** Any thread; volatile, for the FinalCheck. */
  public boolean isEmpty() {
    return task.getVolatile() == null;
  }
}
