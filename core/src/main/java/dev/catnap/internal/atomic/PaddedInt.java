package dev.catnap.internal.atomic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** An {@code int} alone on its cache lines. */
@SuppressWarnings("unused")
public final class PaddedInt extends IntField {
  private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

  public PaddedInt(int initial) {
    super(initial);
  }
}

/** The field between its two paddings. */
abstract class IntField extends Padding {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(IntField.class, "value", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // through VALUE
  private int value;

  IntField(int initial) {
    value = initial;
  }

  public final int getOpaque() {
    return (int) VALUE.getOpaque(this);
  }

  public final int getVolatile() {
    return (int) VALUE.getVolatile(this);
  }

  public final void setVolatile(int v) {
    VALUE.setVolatile(this, v);
  }

  public final boolean compareAndSet(int expected, int v) {
    return VALUE.compareAndSet(this, expected, v);
  }

  /** Adds {@code delta} and returns the value before, with volatile effects. */
  public final int getAndAdd(int delta) {
    return (int) VALUE.getAndAdd(this, delta);
  }

  /** Writes {@code v} and returns the value before, with volatile effects. */
  public final int getAndSet(int v) {
    return (int) VALUE.getAndSet(this, v);
  }
}
