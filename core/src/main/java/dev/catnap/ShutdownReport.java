package dev.catnap;

import java.time.Duration;
import java.util.List;

/**
 * What {@link WorkStealingScheduler#close(Duration, Duration)} did in each of its phases, and what
 * was left in the end. Immutable.
 *
 * @param name the scheduler's name
 * @param outcome the phase after which all tasks were over
 * @param drainTook the time spent waiting for tasks to end by themselves
 * @param interruptTook the time spent waiting for interrupted tasks; zero if none was interrupted
 * @param takenBack the tasks that were accepted and will not run: delayed ones that were due after
 *     the time to drain, and what had not begun when that was over; what {@code shutdownNow} would
 *     return, and without those that another call has taken back
 * @param running the threads that still ran a task or a hook at the end, or else those that had not
 *     ended for another reason; they and the scheduler end when that does. Empty also while another
 *     thread holds a {@link CurrentThreadScheduler} and runs none of its tasks
 */
public record ShutdownReport(
    String name,
    Outcome outcome,
    Duration drainTook,
    Duration interruptTook,
    List<Runnable> takenBack,
    List<RunningThread> running) {

  /** Copies the lists. */
  public ShutdownReport {
    takenBack = List.copyOf(takenBack);
    running = List.copyOf(running);
  }

  /** The phase after which all tasks were over. */
  public enum Outcome {
    /**
     * In time; by themselves, if no other call has interrupted them. The scheduler has terminated.
     */
    DRAINED,
    /** After they had been interrupted. The scheduler has terminated. */
    INTERRUPTED,
    /** Not in time: see {@link ShutdownReport#running}. The scheduler has not terminated. */
    STILL_RUNNING
  }

  /** What a thread runs. */
  public enum Activity {
    /** A task. */
    TASK("a task"),
    /** A method of {@link WorkerHooks}. */
    HOOK("a hook"),
    /**
     * Neither: it is about to begin or to end, or runs other code that the application has given to
     * the scheduler, such as a thread factory or an uncaught-exception handler.
     */
    OTHER("neither a task nor a hook");

    private final String text;

    Activity(String text) {
      this.text = text;
    }
  }

  /**
   * A thread that did not react to the interrupt.
   *
   * @param name its name; that of the virtual thread, if it carries one
   * @param activity what it runs
   * @param state its state
   * @param stack where it is, the innermost frame first
   */
  public record RunningThread(
      String name, Activity activity, Thread.State state, List<StackTraceElement> stack) {

    /** Copies the stack. */
    public RunningThread {
      stack = List.copyOf(stack);
    }
  }

  /** Several lines for a log, with the stacks. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(name);
    switch (outcome) {
      case DRAINED -> text.append(" drained within ").append(drainTook);
      case INTERRUPTED ->
          text.append(" did not drain within ")
              .append(drainTook)
              .append(", and was over ")
              .append(interruptTook)
              .append(" after the interrupt");
      case STILL_RUNNING ->
          text.append(" did not drain within ")
              .append(drainTook)
              .append(", and ")
              .append(running.size())
              .append(" threads still run ")
              .append(interruptTook)
              .append(" after the interrupt");
    }
    text.append("; ").append(takenBack.size()).append(" tasks taken back");
    for (RunningThread t : running) {
      text.append('\n').append(t.name).append(" in ").append(t.activity.text);
      text.append(", ").append(t.state);
      for (StackTraceElement frame : t.stack) {
        text.append("\n    at ").append(frame);
      }
    }
    return text.toString();
  }
}
