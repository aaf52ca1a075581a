package dev.catnap.internal.atomic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A {@code long} alone on its cache lines. */
@SuppressWarnings("unused")
public final class PaddedLong extends LongField {
  private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

  public PaddedLong(long initial) {
    super(initial);
  }
}

/** The field between its two paddings. */
abstract class LongField extends Padding {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(LongField.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // through VALUE
  private long value;

  LongField(long initial) {
    value = initial;
  }

  public final long getPlain() {
    return (long) VALUE.get(this);
  }

  public final long getOpaque() {
    return (long) VALUE.getOpaque(this);
  }

  public final long getAcquire() {
    return (long) VALUE.getAcquire(this);
  }

  public final long getVolatile() {
    return (long) VALUE.getVolatile(this);
  }

  public final void setVolatile(long v) {
    VALUE.setVolatile(this, v);
  }

  public final void setOpaque(long v) {
    VALUE.setOpaque(this, v);
  }

  public final void setRelease(long v) {
    VALUE.setRelease(this, v);
  }

  public final boolean compareAndSet(long expected, long v) {
    return VALUE.compareAndSet(this, expected, v);
  }

  /** Adds {@code delta} and returns the value before, with volatile effects. */
  public final long getAndAdd(long delta) {
    return (long) VALUE.getAndAdd(this, delta);
  }
}
