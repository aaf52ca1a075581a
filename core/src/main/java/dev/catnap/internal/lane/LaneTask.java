package dev.catnap.internal.lane;

import dev.catnap.spi.Parker;
import org.jspecify.annotations.Nullable;

/**
 * A task on its way through a lane, in one {@link TaskList} at a time:
 *
 * <pre>
 *   (none)  to line      by its submitter, which waits: there is no place
 *   (none)  to waiting   by its submitter: accepted
 *   line    to waiting   by whoever made a place: accepted, and the submitter is woken
 *   line    to (none)    the submitter gives up; or the lane closes, which refuses it
 *   waiting to begun     by the thread that runs it next
 *   waiting to (none)    withdrawn by its submitter or a cancel; or handed back by shutdownNow
 *   begun   to (none)    by the thread that ran it
 * </pre>
 *
 * The lock of the lane guards all fields but the volatile ones.
 */
public final class LaneTask {
  final Runnable task;

  @Nullable TaskList list;
  @Nullable LaneTask previous;
  @Nullable LaneTask next;

  /** Who runs it, while it is begun. */
  @Nullable Thread runBy;

  /** Somebody is about to interrupt {@link #runBy}; it must not go on to another task before. */
  volatile boolean interruptUnderWay;

  // Of one that is in the line; written before it gets there.
  @Nullable Thread submitter;
  @Nullable Parker parker;

  /** It has left the line, and not because its submitter gave up. */
  volatile boolean decided;

  /** Decided: the lane was closed. Written before {@link #decided}. */
  boolean refused;

  /** Was accepted when this one made place for it: its submitter is to be woken. */
  @Nullable LaneTask successor;

  LaneTask(Runnable task) {
    this.task = task;
  }
}
