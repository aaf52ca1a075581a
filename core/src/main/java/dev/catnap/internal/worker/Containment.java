package dev.catnap.internal.worker;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what one task does to its thread from the next (G7): interrupt flag, name, priority,
 * context class loader. Thread locals stay, they are how libraries cache; and so does an
 * uncaught-exception handler. Reads four fields per task, and writes only what was changed. Not
 * thread-safe: the worker's own thread calls it.
 */
public final class Containment {
  private @Nullable Thread thread;
  private String name = "";
  private int priority;
  private @Nullable ClassLoader loader;
  private boolean borrowed;

  /** Nothing remembered. */
  public Containment() {}

  /** The same for a thread that is the worker's for a while: an interrupt may be for its owner. */
  void borrow(Thread self) {
    borrowed = true;
    remember(self);
  }

  /** Remembers the state that later tasks find. */
  public void remember(Thread self) {
    thread = self;
    name = self.getName();
    priority = self.getPriority();
    loader = self.getContextClassLoader();
  }

  /** It is the worker's no more, and nothing of it is kept. */
  void giveBack() {
    thread = null;
    name = "";
    loader = null;
  }

  /**
   * An interrupt that was meant for the task before, or for nobody, is not for the next. False: the
   * thread is a borrowed one, and its status stays.
   */
  public boolean clearInterrupt() {
    if (!borrowed) {
      boolean ignored = Thread.interrupted();
    }
    return !borrowed;
  }

  /** What a task that waits has changed. */
  record Traits(String name, int priority, @Nullable ClassLoader loader) {}

  /** Before a task that waits makes room for others: what they must not see; null: nothing. */
  @Nullable Traits suspend() {
    Thread t = Objects.requireNonNull(thread);
    if (t.getName() == name && t.getPriority() == priority && t.getContextClassLoader() == loader) {
      return null;
    }
    Traits traits = new Traits(t.getName(), t.getPriority(), t.getContextClassLoader());
    restore();
    return traits;
  }

  /** Afterwards: it goes on with what it had. */
  void resume(@Nullable Traits traits) {
    if (traits != null) {
      Thread t = Objects.requireNonNull(thread);
      t.setName(traits.name);
      t.setPriority(traits.priority);
      t.setContextClassLoader(traits.loader);
    }
  }

  /** Puts back what was changed since {@link #remember}. */
  public void restore() {
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
