package dev.catnap.internal.atomic;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Where the JVM has laid out the fields of a class. */
public final class Offsets {
  private Offsets() {}

  /** In bytes. By reflection: the compiler warns of the class, and cannot be told not to. */
  public static long of(Field f) {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Method offset = type.getMethod("objectFieldOffset", Field.class);
      return (long) offset.invoke(instance.get(null), f);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(f.toString(), e);
    }
  }

  /** In bytes; of a reference, the most. */
  public static int sizeOf(Field f) {
    Class<?> type = f.getType();
    if (type == boolean.class || type == byte.class) {
      return 1;
    }
    return type == int.class ? Integer.BYTES : Long.BYTES;
  }
}
