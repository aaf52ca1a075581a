package dev.catnap.coroutines;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a task can leave behind on its thread, as the scheduler found or made it for the first task
 * of a {@link LaneRunner}. The scheduler puts it right between its own tasks; between the tasks of
 * a runner, this does (G7). By one thread at a time.
 */
final class ThreadMarks {
  private String name = "";
  private int priority;
  private @Nullable ClassLoader loader;

  /** Nothing is allocated here: a runner that is about to run has tasks that could not be told. */
  void remember() {
    Thread thread = Thread.currentThread();
    name = thread.getName();
    priority = thread.getPriority();
    loader = thread.getContextClassLoader();
  }

  /** On the same thread. The interrupt status is not here: it may be for who lent the thread. */
  void restore() {
    Thread thread = Thread.currentThread();
    if (!Objects.equals(thread.getName(), name)) {
      thread.setName(name);
    }
    if (thread.getPriority() != priority) {
      thread.setPriority(priority);
    }
    if (thread.getContextClassLoader() != loader) {
      thread.setContextClassLoader(loader);
    }
  }
}
