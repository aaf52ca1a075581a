package dev.catnap.loom.internal.jdk;

import java.lang.reflect.Field;
import java.util.concurrent.ForkJoinPool;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Where the JDK keeps the scheduler of all virtual threads that are given none of their own.
 *
 * <p>The field is static and final, and compiled code has its value built in: it may be written
 * only before the JIT compiler has seen a virtual thread, which is before {@code main}.
 */
public final class DefaultSchedulerField {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final String NAME = "DEFAULT_SCHEDULER";

  private final Object base;
  private final long offset;

  private DefaultSchedulerField(Field field) {
    base = UNSAFE.staticFieldBase(field);
    offset = UNSAFE.staticFieldOffset(field);
  }

  /**
   * The field of that name in {@code owner}.
   *
   * @throws UnsupportedOperationException if there is no such field, or one of another type
   */
  static DefaultSchedulerField of(Class<?> owner) {
    String what = "the field " + owner.getName() + "." + NAME;
    Field field;
    try {
      field = owner.getDeclaredField(NAME);
    } catch (NoSuchFieldException e) {
      throw unsupported("it lacks " + what, e);
    }
    if (field.getType() != ForkJoinPool.class) {
      throw unsupported(what + " is of another type: " + field.getType().getName(), null);
    }
    try {
      UNSAFE.ensureClassInitialized(owner); // or its initialiser would overwrite what we write
      return new DefaultSchedulerField(field);
    } catch (LinkageError e) {
      throw unsupported(e.toString(), e);
    }
  }

  private static UnsupportedOperationException unsupported(String why, @Nullable Throwable cause) {
    return new UnsupportedOperationException(
        "Catnap cannot replace the default scheduler on JDK " + Runtime.version() + ": " + why,
        cause);
  }

  /** What is there now. */
  public ForkJoinPool get() {
    return (ForkJoinPool) UNSAFE.getReferenceVolatile(base, offset);
  }

  /** Virtual threads that are made from now on go there. */
  public void set(ForkJoinPool scheduler) {
    UNSAFE.putReferenceVolatile(base, offset, scheduler);
  }
}
