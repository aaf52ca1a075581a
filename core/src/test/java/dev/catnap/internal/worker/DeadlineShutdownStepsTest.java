package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.ShutdownReport;
import dev.catnap.ShutdownReport.Activity;
import dev.catnap.ShutdownReport.Outcome;
import dev.catnap.ShutdownReport.RunningThread;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** G6 within a time, one decision after the other: who is waited for, and who is told of. */
class DeadlineShutdownStepsTest {
  private static final RunningThread IN_TASK = thread(Activity.TASK);
  private static final RunningThread IN_HOOK = thread(Activity.HOOK);
  private static final RunningThread ENDS = thread(Activity.OTHER);

  /** What each look whether the end has come finds. */
  private final Queue<Boolean> ends = new ArrayDeque<>();

  private List<RunningThread> live = List.of();
  private int stops;

  private static RunningThread thread(Activity activity) {
    return new RunningThread(activity.name(), activity, Thread.State.RUNNABLE, List.of());
  }

  private ShutdownReport close(Boolean... looks) {
    ends.addAll(List.of(looks));
    Engine engine =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "name" -> "faked";
                      case "isOnOwnThread" -> false;
                      case "takeTimersLaterThan" -> List.of();
                      case "awaitTermination" -> ends.remove();
                      case "liveThreads" -> live;
                      case "shutdown", "joinThreads" -> null;
                      case "shutdownNow" -> {
                        stops++;
                        yield List.of();
                      }
                      default -> throw new AssertionError(method);
                    });
    ShutdownReport report = DeadlineShutdown.run(engine, Duration.ZERO, Duration.ZERO);
    assertTrue(ends.isEmpty(), "it has looked as often");
    return report;
  }

  @Test
  void whatIsOverInTimeIsNotStopped() {
    assertEquals(Outcome.DRAINED, close(true).outcome());
    assertEquals(0, stops);
  }

  @Test
  void whatIsOverAfterItWasStoppedIsNotToldOf() {
    live = List.of(IN_TASK);
    ShutdownReport report = close(false, true);
    assertEquals(Outcome.INTERRUPTED, report.outcome());
    assertEquals(List.of(), report.running());
    assertEquals(1, stops);
  }

  @Test
  void whoIsAboutToEndIsWaitedFor() {
    live = List.of(ENDS);
    ShutdownReport report = close(false, false, false, true);
    assertEquals(Outcome.INTERRUPTED, report.outcome());
    assertEquals(List.of(), report.running());
  }

  @Test
  void aShortHookIsWaitedFor() {
    live = List.of(IN_HOOK);
    ShutdownReport report = close(false, false, true);
    assertEquals(Outcome.INTERRUPTED, report.outcome());
    assertEquals(List.of(), report.running());
  }

  @Test
  void aTaskIsToldOfAtOnce_withTheHooksBesideIt_notWithWhoIsAboutToEnd() {
    live = List.of(ENDS, IN_TASK, IN_HOOK);
    ShutdownReport report = close(false, false);
    assertEquals(Outcome.STILL_RUNNING, report.outcome());
    assertEquals(List.of(IN_TASK, IN_HOOK), report.running());
    assertEquals(1, stops);
  }
}
