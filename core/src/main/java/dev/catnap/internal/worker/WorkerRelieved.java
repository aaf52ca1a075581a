package dev.catnap.internal.worker;

import java.util.Arrays;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Tells Flight Recorder who kept a worker so long that a spare had to take its place (G9). */
final class WorkerRelieved {
  /** Not with every JDK: an image may be linked without that module. */
  private static final boolean RECORDABLE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private WorkerRelieved() {}

  /**
   * By the sentinel, before a spare is called. So the event class must not be touched as long as
   * nobody records: its initialiser boots Flight Recorder, which takes ten times as long as
   * noticing the worker did.
   */
  static void report(Pool pool, Worker worker) {
    Thread thread = worker.thread();
    if (RECORDABLE && thread != null && FlightRecorder.isInitialized()) {
      Recorded event = new Recorded();
      if (event.isEnabled()) {
        event.fill(pool, thread);
        event.commit();
      }
    }
  }

  @Name("dev.catnap.WorkerRelieved")
  @Label("Worker Relieved")
  @Category("Catnap")
  @Description(
      "A worker did not come back from a task while others waited, and a spare took its place")
  @StackTrace(false) // it would be that of the sentinel
  @SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
  private static final class Recorded extends Event {
    @Label("Scheduler")
    @Nullable String scheduler;

    @Label("Worker Thread")
    @Nullable Thread worker;

    @Label("Culprit")
    @Description("The virtual thread that the worker carries, or the worker's own thread")
    @Nullable Thread culprit;

    @Label("Culprit State")
    @Nullable String state;

    @Label("Stack of the Culprit")
    @Nullable String stack;

    void fill(Pool pool, Thread thread) {
      Thread carried = pool.config().locator().carriedBy(thread);
      Thread found = carried != null ? carried : thread;
      scheduler = pool.name();
      worker = thread;
      culprit = found;
      state = found.getState().toString();
      stack =
          Arrays.stream(found.getStackTrace())
              .map(StackTraceElement::toString)
              .collect(Collectors.joining("\n"));
    }
  }
}
