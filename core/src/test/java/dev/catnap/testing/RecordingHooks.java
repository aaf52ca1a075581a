package dev.catnap.testing;

import dev.catnap.WorkerHooks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes down what is called on which thread, and does what a test asks for. */
public final class RecordingHooks implements WorkerHooks {

  /** The four hooks. */
  public enum Event {
    /** onThreadStart. */
    START,
    /** onPark. */
    PARK,
    /** onUnpark. */
    UNPARK,
    /** onThreadStop. */
    STOP
  }

  private final Map<Thread, List<Event>> events = new ConcurrentHashMap<>();
  private final Map<Event, AtomicInteger> counts = new EnumMap<>(Event.class);
  private final Map<Event, Runnable> actions = new ConcurrentHashMap<>();
  private final Queue<String> misplaced = new ConcurrentLinkedQueue<>();

  /** Nothing was called. */
  public RecordingHooks() {
    for (Event event : Event.values()) {
      counts.put(event, new AtomicInteger());
    }
  }

  /** From now on this hook also does that. */
  public void on(Event event, Runnable action) {
    actions.put(event, action);
  }

  @Override
  public void onThreadStart(int worker) {
    called(Event.START, worker);
  }

  @Override
  public void onPark(int worker) {
    called(Event.PARK, worker);
  }

  @Override
  public void onUnpark(int worker) {
    called(Event.UNPARK, worker);
  }

  @Override
  public void onThreadStop(int worker) {
    called(Event.STOP, worker);
  }

  private void called(Event event, int worker) {
    Thread self = Thread.currentThread();
    if (!self.getName().endsWith("-worker-" + worker)) {
      misplaced.add(event + " of worker " + worker + " on " + self);
    }
    events.computeIfAbsent(self, t -> Collections.synchronizedList(new ArrayList<>())).add(event);
    counts.get(event).incrementAndGet();
    Runnable action = actions.get(event);
    if (action != null) {
      action.run();
    }
  }

  /** How often it was called. */
  public int count(Event event) {
    return counts.get(event).get();
  }

  /** All on which something was called. */
  public Set<Thread> threads() {
    return events.keySet();
  }

  /** When all are over: START, then PARK and UNPARK in turns, then STOP; each on its own thread. */
  public void assertWellFormed() {
    if (!misplaced.isEmpty()) {
      throw new AssertionError(misplaced.toString());
    }
    events.forEach(
        (thread, seen) -> {
          String all = seen.toString();
          if (!all.matches("\\[START, (PARK, UNPARK, )*STOP]")) {
            throw new AssertionError(thread + ": " + all);
          }
        });
  }

  /** Throws what a {@code Runnable} may not declare. */
  public static void sneak(Throwable t) {
    if (t instanceof Error e) {
      throw e;
    }
    if (t instanceof RuntimeException e) {
      throw e;
    }
    throw new AssertionError("neither an Error nor a RuntimeException", t);
  }

  /** The same for what calls something that declares an exception. */
  public static void call(Callable<?> section) {
    try {
      Object ignored = section.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
