package dev.catnap.internal.atomic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A reference alone on its cache lines; {@code null} until first written.
 *
 * @param <T> what it refers to
 */
@SuppressWarnings("unused")
public final class PaddedReference<T> extends ReferenceField<T> {
  private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;
}

/** The field between its two paddings. */
@SuppressWarnings("unchecked") // the handle reads what the typed methods wrote
abstract class ReferenceField<T> extends Padding {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(ReferenceField.class, "value", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // through VALUE
  private @Nullable Object value;

  public final @Nullable T getOpaque() {
    return (T) VALUE.getOpaque(this);
  }

  public final @Nullable T getVolatile() {
    return (T) VALUE.getVolatile(this);
  }

  public final void setRelease(@Nullable T v) {
    VALUE.setRelease(this, v);
  }

  public final void setVolatile(@Nullable T v) {
    VALUE.setVolatile(this, v);
  }

  public final boolean compareAndSet(@Nullable T expected, @Nullable T v) {
    return VALUE.compareAndSet(this, expected, v);
  }

  /** Writes {@code v} and returns the value before, with volatile effects. */
  public final @Nullable T getAndSet(@Nullable T v) {
    return (T) VALUE.getAndSet(this, v);
  }
}
