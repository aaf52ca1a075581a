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

  LaneRunner(Lane lane) {
    this.lane = lane;
  }

  @Override
  public void run() {
    Thread self = Thread.currentThread();
    LaneTask task = lane.queue().next(self);
    if (task == null) {
      return; // enough others run, or have run everything
    }
    containment.remember(self);
    boolean declared = lane.scheduler().beginBlocking();
    try {
      for (; task != null; task = lane.queue().next(self)) {
        runTask(task);
      }
    } finally {
      if (declared) {
        lane.scheduler().endBlocking();
      }
    }
  }

  /** By a submitter on a worker, which finds no place: runs at least this task. */
  void help(LaneTask oldest) {
    Thread self = Thread.currentThread();
    containment.remember(self);
    boolean declared = lane.scheduler().beginBlocking();
    try {
      for (LaneTask task = oldest; task != null; task = nextUnlessOthersCome(self)) {
        runTask(task);
      }
    } finally {
      if (declared) {
        lane.scheduler().endBlocking();
      }
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
    containment.clearInterrupt();
    try {
      task.task.run();
    } catch (Throwable t) {
      lane.reportUncaught(t);
    }
    lane.finished(task);
    containment.clearInterrupt();
    containment.restore();
  }
}
