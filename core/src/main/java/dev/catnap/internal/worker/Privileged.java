package dev.catnap.internal.worker;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes threads that keep nothing of who happens to need them. Up to JDK 23 a new thread refers to
 * the protection domains of all that is on the stack, and so to the class loader of whoever
 * submitted the task for which a spare was started, as long as it lives. A privileged call ends
 * that walk over the stack at ourselves.
 */
final class Privileged {
  /** Later ones keep no such things, and one day will not have the class. */
  private static final boolean IS_NEEDED = Runtime.version().feature() < 24;

  private Privileged() {}

  /** What {@code make} returns or throws. */
  static Thread newThread(PrivilegedAction<Thread> make) {
    return IS_NEEDED ? newThreadPrivileged(make) : make.run();
  }

  /** Called directly: by a method handle, and a model checker does not follow the thread. */
  @SuppressWarnings("removal")
  private static Thread newThreadPrivileged(PrivilegedAction<Thread> make) {
    return AccessController.doPrivileged(make);
  }
}
