package dev.catnap.coroutines;

import dev.catnap.spi.Placement;

/**
 * Holds one permit of a {@link Lane} and runs its tasks one after the other, until none waits. It
 * is a task of the lane below or of the scheduler, and is in one queue or on one thread at a time;
 * that hands its fields from thread to thread.
 *
 * <p>A runner that may not or should not stay on the scheduler is <i>evicted</i>: it goes on
 * outside, and keeps its permit meanwhile, so that the limit of the lane holds there too.
 */
final class LaneRunner implements Runnable {
  /**
   * Tasks in a row before others get a turn on the thread (G5), 16 as in kotlinx.coroutines' views.
   * A runner that declared blocking goes on: its thread is not one that others count on.
   */
  private static final int TURN = 16;

  private final Lane lane;
  private Runnable task;
  private boolean evicted;

  /** The job of the task is to be cancelled before it runs. */
  private boolean cancelsFirst;

  LaneRunner(Lane lane, Runnable first) {
    this.lane = lane;
    this.task = first;
  }

  /**
   * A task that came when the scheduler was shut down, its job already cancelled. Coroutines that
   * ignore that would come again and again: they must not keep a worker from its end.
   */
  record Refused(Runnable block) implements Runnable {
    @Override
    public void run() {
      block.run();
    }
  }

  /** The task that it runs next. */
  Runnable task() {
    return task;
  }

  /**
   * The scheduler does not run this runner: it goes on outside, and cancels the job of its task.
   */
  void evict() {
    cancelsFirst = true;
    leaveScheduler();
  }

  private void leaveScheduler() {
    evicted = true;
    lane.home().fallback().run(this);
  }

  @Override
  public void run() {
    boolean declared = lane.declaresBlocking() && lane.home().adapter().beginBlocking();
    try {
      runTasks();
    } finally {
      if (declared) {
        lane.home().adapter().endBlocking();
      }
    }
  }

  private void runTasks() {
    ThreadMarks marks = new ThreadMarks();
    for (int turn = 1; ; turn++) {
      boolean stopping = lane.home().isStopping();
      if (!evicted && (stopping || task instanceof Refused)) {
        leaveScheduler();
        return;
      }
      if (cancelsFirst || stopping) {
        cancelsFirst = false;
        lane.home().fallback().cancelJobOf(task);
      }
      runTask();
      if (!takeNext()) {
        return;
      }
      if (turn >= TURN && !lane.declaresBlocking()) {
        goOnLater();
        return;
      }
      marks.restore();
    }
  }

  /** What the task throws is for whoever runs us; the tasks behind it must not pay for it. */
  private void runTask() {
    boolean threw = true;
    try {
      task.run();
      threw = false;
    } finally {
      if (threw && takeNext()) {
        goOnLater();
      }
    }
  }

  /** False: there is none, and the permit is given back. */
  private boolean takeNext() {
    Runnable next = lane.queue().nextOrLeave();
    if (next == null) {
      return false;
    }
    task = next;
    return true;
  }

  /** Goes to the end of the queue that it came from. The caller must return. */
  private void goOnLater() {
    Lane below = lane.below();
    if (evicted) {
      leaveScheduler();
    } else if (below != null) {
      below
          .queue()
          .addBehind(this); // we are the task of one of its runners, which looks there next
    } else if (!republish()) {
      leaveScheduler();
    }
  }

  /** Our tasks were accepted before: they run on the scheduler also after its shutdown. */
  private boolean republish() {
    try {
      return lane.home().adapter().publishContinuation(this, Placement.QUEUED);
    } catch (OutOfMemoryError e) {
      return false;
    }
  }
}
