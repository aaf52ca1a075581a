package dev.catnap.coroutines;

import java.util.function.BooleanSupplier;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;

/**
 * Holds one permit of a {@link Lane} and runs its tasks one after the other, until none waits. It
 * is a task of the lane below or of the scheduler, and is in one queue or on one thread at a time;
 * that hands its fields from thread to thread.
 *
 * <p>A runner that the scheduler does not run, or that should not stay there, is <i>evicted</i>: it
 * goes on outside, and cancels the job of each task before it runs it. It keeps its permit
 * meanwhile, so that the limit of the lane holds there too.
 */
final class LaneRunner implements Runnable, BooleanSupplier {
  /**
   * Tasks in a row before others get a turn on the thread (G5), 16 as in kotlinx.coroutines' views.
   * A runner that declared blocking goes on: its thread is not one that others count on. Unless it
   * is one that is lent, and wanted back.
   */
  private static final int TURN = 16;

  private final Lane lane;
  private final ThreadMarks marks = new ThreadMarks();
  private Runnable task;
  private boolean evicted;

  /** See {@link Lane#standBehind}. */
  private boolean stoodBehind;

  /** Without a permit: should it get one, it begins with the task that is the oldest then. */
  LaneRunner(Lane lane, Runnable newest) {
    this.lane = lane;
    this.task = newest;
  }

  void beginWith(Runnable oldest) {
    task = oldest;
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

  /** For the thread that has this runner in its hands: to go on outside. */
  void evict() {
    evicted = true;
    lane.home().fallback().run(this);
  }

  @Override
  public void run() {
    if (lane.declaresBlocking()) {
      runDeclared();
    } else {
      runTasks();
    }
  }

  /** A method of its own, by whose name BlockHound knows that tasks may block. */
  private void runDeclared() {
    boolean declared = lane.home().adapter().beginBlocking(this);
    try {
      runTasks();
    } finally {
      if (declared) {
        lane.home().adapter().endBlocking();
      }
    }
  }

  /**
   * Whether the task that runs here is at its end: its coroutine has completed, and resumes who
   * waits for that. Until then, what it dispatches is for others: it may block for an hour.
   */
  @Override
  public boolean getAsBoolean() {
    if (task instanceof LaneRunner inner) {
      return inner.getAsBoolean();
    }
    CoroutineContext context = ContextTask.contextOf(task);
    Job job = context == null ? null : context.get(Job.Key);
    return job != null && job.isCompleted();
  }

  private void runTasks() {
    marks.remember();
    for (int turn = 1; ; turn++) {
      if (evicted) {
        cancelTask();
      } else if (task instanceof Refused || lane.home().adapter().isStopping()) {
        leave();
        return;
      }
      runTask();
      if (!takeNext()) {
        return;
      }
      boolean mayGoOn = lane.home().adapter().clearInterrupt();
      boolean isTurnOver = turn >= TURN && !lane.declaresBlocking();
      if ((isTurnOver || !mayGoOn) && goOnLater()) {
        return;
      }
      marks.restore();
    }
  }

  private void leave() {
    boolean stands = false;
    if (!stoodBehind) {
      stoodBehind = true; // before it is published: from there on another thread may have it
      try {
        stands = lane.standBehind(this);
      } catch (OutOfMemoryError e) {
        // Then it does not wait for the others.
      }
    }
    if (!stands) {
      evict();
    }
  }

  private void cancelTask() {
    if (task instanceof LaneRunner inner) {
      inner.evicted = true; // it is outside with us, and its tasks are too
    } else {
      lane.home().fallback().cancelJobOf(task);
    }
  }

  /** What the task throws is for whoever runs us; the tasks behind it must not pay for it. */
  private void runTask() {
    boolean threw = true;
    try {
      task.run();
      threw = false;
    } finally {
      if (threw && takeNext() && !goOnLater()) {
        evict();
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
    if (lane.mayBlock()) {
      lane.home().adapter().blockingGoesOn(); // whoever was resumed at the end does not wait for it
    }
    return true;
  }

  /**
   * Goes to the end of the queue that it came from, and the caller must return. What is there was
   * accepted before, so it runs on the scheduler also after its shutdown.
   *
   * @return false: there is no memory for a place there, and the caller goes on
   */
  private boolean goOnLater() {
    if (evicted) {
      evict();
      return true;
    }
    Lane below = lane.below();
    boolean accepted = true;
    try {
      if (below != null) {
        // We are the task of one of its runners, which looks there as soon as we return.
        below.queue().addBehind(this);
      } else {
        accepted = lane.republish(this);
      }
    } catch (OutOfMemoryError e) {
      return false;
    }
    if (!accepted) {
      evict();
    }
    return true;
  }
}
