package dev.catnap.internal.atomic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** An {@code int} alone on its cache lines. */
@SuppressWarnings("unused")
public final class PaddedInt extends IntField {
  private byte q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q0a, q0b, q0c, q0d, q0e, q0f;
  private byte q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q1a, q1b, q1c, q1d, q1e, q1f;
  private byte q20, q21, q22, q23, q24, q25, q26, q27, q28, q29, q2a, q2b, q2c, q2d, q2e, q2f;
  private byte q30, q31, q32, q33, q34, q35, q36, q37, q38, q39, q3a, q3b, q3c, q3d, q3e, q3f;
  private byte q40, q41, q42, q43, q44, q45, q46, q47, q48, q49, q4a, q4b, q4c, q4d, q4e, q4f;
  private byte q50, q51, q52, q53, q54, q55, q56, q57, q58, q59, q5a, q5b, q5c, q5d, q5e, q5f;
  private byte q60, q61, q62, q63, q64, q65, q66, q67, q68, q69, q6a, q6b, q6c, q6d, q6e, q6f;
  private byte q70, q71, q72, q73, q74, q75, q76, q77, q78, q79, q7a, q7b, q7c, q7d, q7e, q7f;

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

  public final void setRelease(int v) {
    VALUE.setRelease(this, v);
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
