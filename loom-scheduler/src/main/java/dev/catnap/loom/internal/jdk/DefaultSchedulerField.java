package dev.catnap.loom.internal.jdk;

import java.lang.reflect.Field;
import java.util.concurrent.ForkJoinPool;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Where the JDK keeps the scheduler of all virtual threads that are given none of their own.
 *
 * <p>The field is static and final, and compiled code has its value built in, with {@code -Xcomp}
 * from the first virtual thread on. So it is written before there is one; if there may have been
 * one, what was compiled must be dropped afterwards.
 */
public final class DefaultSchedulerField {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final String NAME = "DEFAULT_SCHEDULER";
  private static final String CANNOT =
      "Catnap cannot replace the default scheduler on JDK " + Runtime.version() + ": ";

  private final Object base;
  private final long offset;
  private final boolean mayBeBuiltIn;

  private DefaultSchedulerField(Field field, boolean mayBeBuiltIn) {
    this.mayBeBuiltIn = mayBeBuiltIn;
    base = UNSAFE.staticFieldBase(field);
    offset = UNSAFE.staticFieldOffset(field);
  }

  /**
   * The field of that name in {@code owner}.
   *
   * @throws UnsupportedOperationException if there is no such field, or one of another type
   * @throws IllegalStateException if the JDK cannot start the thread that its class needs
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
      boolean untouched = UNSAFE.shouldBeInitialized(owner);
      if (untouched) {
        Joins.tryThread();
      }
      UNSAFE.ensureClassInitialized(owner); // or its initialiser would overwrite what we write
      return new DefaultSchedulerField(field, !untouched);
    } catch (LinkageError e) {
      Throwable cause = e.getCause(); // a property that the JDK cannot read, for example
      throw unsupported((cause == null ? e : cause).toString(), e);
    } catch (OutOfMemoryError e) {
      throw new IllegalStateException(CANNOT + "a thread cannot be started: " + e.getMessage(), e);
    }
  }

  private static UnsupportedOperationException unsupported(String why, @Nullable Throwable cause) {
    return new UnsupportedOperationException(CANNOT + why, cause);
  }

  /** Whether code that is compiled already may go on with the value that was there at first. */
  public boolean mayBeBuiltIn() {
    return mayBeBuiltIn;
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
