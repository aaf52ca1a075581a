package dev.catnap.loom.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Which virtual thread a carrier carries, for dumps and recordings. A thread does not know what is
 * mounted on it, only the other way round, so this goes through all virtual threads of the JVM:
 * slow if there are many, and free for those that run. Not with {@code
 * -Djdk.trackAllThreads=false}.
 *
 * <p>{@code jdk.internal.vm}, where the JDK keeps its list of threads, is not opened to us, but
 * {@code Unsafe} is in the package that carriers need anyway.
 */
final class MountedThreads {
  /** Null: this JDK is built otherwise. */
  private static final @Nullable Handles HANDLES = Handles.find();

  private MountedThreads() {}

  /** At this moment; null: none, or that cannot be told. */
  static @Nullable Thread on(Thread carrier) {
    Handles handles = HANDLES;
    if (handles == null) {
      return null;
    }
    try {
      return handles.mountedIn((Object) handles.root.invoke(), carrier);
    } catch (Throwable t) {
      throw ThreadInternals.rethrow(t);
    }
  }

  private record Handles(
      MethodHandle root, MethodHandle threads, MethodHandle children, MethodHandle carrierThread) {

    static @Nullable Handles find() {
      try {
        MethodHandles.Lookup lookup = trustedLookup();
        Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
        Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
        MethodType stream = MethodType.methodType(Stream.class);
        return new Handles(
            lookup.findStatic(containers, "root", MethodType.methodType(container)),
            lookup.findVirtual(container, "threads", stream),
            lookup.findVirtual(container, "children", stream),
            lookup.findGetter(ThreadInternals.virtualThreadClass(), "carrierThread", Thread.class));
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null; // less is known, nothing breaks
      }
    }

    private static MethodHandles.Lookup trustedLookup() throws NoSuchFieldException {
      Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
      Unsafe unsafe = Unsafe.getUnsafe();
      Object lookup =
          unsafe.getReference(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field));
      return (MethodHandles.Lookup) lookup;
    }

    @Nullable Thread mountedIn(Object container, Thread carrier) throws Throwable {
      for (Object thread : ((Stream<?>) threads.invoke(container)).toList()) {
        if (((Thread) thread).isVirtual() && (Thread) carrierThread.invoke(thread) == carrier) {
          return (Thread) thread;
        }
      }
      for (Object child : ((Stream<?>) children.invoke(container)).toList()) {
        Thread found = mountedIn(child, carrier);
        if (found != null) {
          return found;
        }
      }
      return null;
    }
  }
}
