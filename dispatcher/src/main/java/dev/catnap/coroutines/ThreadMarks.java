package dev.catnap.coroutines;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a task can leave behind on its thread, as the scheduler found or made it for the first task
 * of a {@link LaneRunner}. The scheduler puts it right between its own tasks; between the tasks of
 * a runner, this does (G7). Not thread-safe: for the thread that made it.
 */
final class ThreadMarks {
  private final Thread thread = Thread.currentThread();
  private final String name = thread.getName();
  private final int priority = thread.getPriority();
  private final @Nullable ClassLoader loader = thread.getContextClassLoader();

  void restore() {
    boolean ignored = Thread.interrupted(); // was for the task before, or for nobody
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
