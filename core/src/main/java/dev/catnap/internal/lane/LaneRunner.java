package dev.catnap.internal.lane;

import dev.catnap.internal.worker.Containment;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks of a lane, one after the other, until none waits or enough others run: a task of the
 * scheduler, in one declared blocking section, so that another worker has the right to run
 * meanwhile, and it keeps nobody waiting however many follow each other (G5).
 */
public final class LaneRunner implements Runnable {
  private final Lane lane;
  private final Containment containment = new Containment();

  /** Of a submitter on a worker, which finds no place. */
  private @Nullable LaneTask oldest;

  LaneRunner(Lane lane) {
    this.lane = lane;
  }

  /** By such a submitter: runs at least this task, which has begun. */
  void help(LaneTask task) {
    oldest = task;
    lane.onTop().execute(this);
    if (lane.scheduler().isStopping()) { // it was for the submitter's task as well
      Thread.currentThread().interrupt();
    }
  }

  // From here to its run nothing may keep a task from that which has begun: neither an error, nor
  // that its interrupt is cleared.
  @Override
  public void run() {
    Thread self = Thread.currentThread();
    LaneTask helped = oldest;
    LaneTask task = helped != null ? helped : lane.queue().next(self);
    if (task == null) {
      return; // enough others run, or have run everything
    }
    containment.remember(self);
    boolean declared = declare();
    try {
      while (task != null) {
        runTask(task);
        task = helped != null ? nextUnlessOthersCome(self) : lane.queue().next(self);
      }
    } finally {
      if (declared) {
        lane.scheduler().endBlocking();
      }
    }
  }

  private boolean declare() {
    try {
      return lane.scheduler().beginBlocking();
    } catch (OutOfMemoryError | StackOverflowError e) { // on top of a task that joins, perhaps
      return false; // the sentinel sees to those that wait
    }
  }

  private @Nullable LaneTask nextUnlessOthersCome(Thread self) {
    if (!lane.queue().needsRunner() || lane.publishRunner()) {
      return null;
    }
    return lane.queue().nextForHelper(self);
  }

  /** One task sees nothing of the one before (G7). */
  private void runTask(LaneTask task) {
    try {
      task.task.run();
    } catch (Throwable t) {
      lane.reportUncaught(t);
    }
    lane.finished(task);
    boolean ignored = containment.clearInterrupt();
    containment.restore();
  }
}
