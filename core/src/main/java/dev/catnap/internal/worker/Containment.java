package dev.catnap.internal.worker;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what one task does to its thread from the next (G7): interrupt flag, name, priority,
 * context class loader. Thread locals stay; they are how libraries cache. Reads four fields per
 * task, and writes only what was changed. Not thread-safe: the worker's own thread calls it.
 */
final class Containment {
  private @Nullable Thread thread;
  private String name = "";
  private int priority;
  private @Nullable ClassLoader loader;

  /** Remembers the state that later tasks find. */
  void remember(Thread self) {
    thread = self;
    name = self.getName();
    priority = self.getPriority();
    loader = self.getContextClassLoader();
  }

  /** An interrupt that was meant for the task before, or for nobody, is not for the next. */
  void clearInterrupt() {
    boolean ignored = Thread.interrupted();
  }

  void restore() {
    Thread t = Objects.requireNonNull(thread);
    if (t.getName() != name) {
      t.setName(name);
    }
    if (t.getPriority() != priority) {
      t.setPriority(priority);
    }
    if (t.getContextClassLoader() != loader) {
      t.setContextClassLoader(loader);
    }
  }
}
