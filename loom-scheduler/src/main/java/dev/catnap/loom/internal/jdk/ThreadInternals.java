package dev.catnap.loom.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Private members of {@code java.lang.Thread} and its neighbours, as constants that the JIT
 * compiler sees through. The initialiser throws {@link MissingInternalsException} if this JDK lacks
 * one that is needed.
 */
final class ThreadInternals {
  private static final MethodHandles.Lookup THREAD = lookupIn(Thread.class);
  private static final Class<?> VIRTUAL_THREAD = find("java.lang.VirtualThread");
  private static final MethodHandles.Lookup VIRTUAL = lookupIn(VIRTUAL_THREAD);

  private static final MethodHandle CURRENT_CARRIER = currentCarrier();
  private static final MethodHandle NEW_BUILDER = newBuilder();
  private static final MethodHandle SET_CONTEXT_LOADER = setContextLoader();

  /** The pair that keeps a virtual thread on its carrier; null where there is none. */
  private static final @Nullable MethodHandle PIN = onVirtual("disableSuspendAndPreempt");

  private static final @Nullable MethodHandle UNPIN = onVirtual("enableSuspendAndPreempt");

  /** Null where there is none. */
  private static final @Nullable MethodHandle CLEAR_INTERRUPT = clearInterrupt();

  private ThreadInternals() {}

  static Class<?> virtualThreadClass() {
    return VIRTUAL_THREAD;
  }

  static MethodHandles.Lookup virtualThreadLookup() {
    return VIRTUAL;
  }

  /**
   * As the first virtual thread would.
   *
   * @throws OutOfMemoryError if a thread of the JDK's own cannot be started; there will be no
   *     virtual threads in this JVM
   */
  static void initializeVirtualThreads() {
    try {
      Class<?> ignored = VIRTUAL.ensureInitialized(VIRTUAL_THREAD);
    } catch (IllegalAccessException e) {
      throw new MissingInternalsException("access to " + VIRTUAL_THREAD.getName(), e);
    }
  }

  /** The platform thread under the caller: itself, or the carrier of a virtual thread. */
  static Thread currentCarrierThread() {
    try {
      return (Thread) CURRENT_CARRIER.invokeExact();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static Thread.Builder.OfVirtual newBuilder(Executor scheduler) {
    try {
      return (Thread.Builder.OfVirtual) NEW_BUILDER.invokeExact(scheduler);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** As declared by Thread, whatever the class of {@code thread} has made of it. */
  static void setContextClassLoader(Thread thread, @Nullable ClassLoader loader) {
    try {
      SET_CONTEXT_LOADER.invokeExact(thread, loader);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** From here to {@link #unpin} the caller stays on its carrier. False: it cannot be had. */
  static boolean pin(Thread current) {
    if (PIN == null || UNPIN == null) {
      return false;
    }
    invoke(PIN, current);
    return true;
  }

  static void unpin(Thread current) {
    if (UNPIN != null) {
      invoke(UNPIN, current);
    }
  }

  private static void invoke(MethodHandle handle, Thread thread) {
    try {
      handle.invokeExact(thread);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Of any thread, if that can be had. */
  static void clearInterrupt(Thread thread) {
    if (CLEAR_INTERRUPT != null) {
      invoke(CLEAR_INTERRUPT, thread);
    }
  }

  static RuntimeException rethrow(Throwable t) {
    if (t instanceof RuntimeException e) {
      return e;
    }
    if (t instanceof Error e) {
      throw e;
    }
    return new IllegalStateException(t);
  }

  // ---- looking them up

  private static MethodHandles.Lookup lookupIn(Class<?> target) {
    try {
      return MethodHandles.privateLookupIn(target, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      throw new MissingInternalsException("access to " + target.getName(), e);
    }
  }

  /** Not initialised: until then no compiled code has the value of a static field built in. */
  private static Class<?> find(String name) {
    try {
      return Class.forName(name, false, Thread.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new MissingInternalsException("the class " + name, e);
    }
  }

  private static MethodHandle currentCarrier() {
    try {
      return THREAD.findStatic(
          Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
    } catch (ReflectiveOperationException e) {
      throw new MissingInternalsException("java.lang.Thread.currentCarrierThread()", e);
    }
  }

  private static MethodHandle newBuilder() {
    String name = "java.lang.ThreadBuilders$VirtualThreadBuilder";
    try {
      Class<?> type = find(name);
      return lookupIn(type)
          .findConstructor(type, MethodType.methodType(void.class, Executor.class))
          .asType(MethodType.methodType(Thread.Builder.OfVirtual.class, Executor.class));
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new MissingInternalsException("the constructor " + name + "(Executor)", e);
    }
  }

  private static MethodHandle setContextLoader() {
    try {
      // Not virtual: CarrierThread overrides it with a refusal.
      return THREAD.findSpecial(
          Thread.class,
          "setContextClassLoader",
          MethodType.methodType(void.class, ClassLoader.class),
          Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new MissingInternalsException("java.lang.Thread.setContextClassLoader()", e);
    }
  }

  private static @Nullable MethodHandle clearInterrupt() {
    try {
      return THREAD.findVirtual(Thread.class, "clearInterrupt", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static @Nullable MethodHandle onVirtual(String name) {
    try {
      return VIRTUAL
          .findVirtual(VIRTUAL_THREAD, name, MethodType.methodType(void.class))
          .asType(MethodType.methodType(void.class, Thread.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
