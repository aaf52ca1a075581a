package dev.catnap.internal.worker;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads that keep nothing of who happens to need them. Up to JDK 23 a new thread refers to
 * the protection domains of all that is on the stack, and so to the class loader of whoever
 * submitted the task for which a spare was started, as long as it lives. A privileged call ends
 * that walk over the stack at ourselves.
 */
final class Privileged {
  /** Looked up, for {@code AccessController} is to be removed; null: it has been. */
  private static final @Nullable MethodHandle DO_PRIVILEGED = find();

  private Privileged() {}

  private static @Nullable MethodHandle find() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Class.forName("java.security.AccessController"),
              "doPrivileged",
              MethodType.methodType(Object.class, PrivilegedAction.class))
          .asType(MethodType.methodType(Thread.class, PrivilegedAction.class));
    } catch (ReflectiveOperationException e) {
      return null; // a JDK without it keeps no such things
    }
  }

  /** What {@code make} returns or throws. */
  static Thread newThread(PrivilegedAction<Thread> make) {
    if (DO_PRIVILEGED == null) {
      return make.run();
    }
    try {
      return (Thread) DO_PRIVILEGED.invokeExact(make);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError("a checked exception of make", t);
    }
  }
}
