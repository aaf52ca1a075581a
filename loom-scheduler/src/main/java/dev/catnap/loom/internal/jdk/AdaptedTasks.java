package dev.catnap.loom.internal.jdk;

import dev.catnap.loom.internal.jdk.JdkBridge.Submission;
import java.lang.reflect.Field;
import java.util.concurrent.ForkJoinTask;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Looks into {@code ForkJoinTask.adapt(continuation)}. To a {@code ForkJoinPool} the JDK submits
 * continuations in that form: from JDK 26 on all of them, before only some. What is inside tells
 * whether it may be refused, and running it without the wrapper saves one of our own.
 *
 * <p>{@code java.util.concurrent} is not opened to us, but {@code Unsafe} is in the package that
 * carriers need anyway. Without that package this class cannot be initialised, and is not needed.
 */
final class AdaptedTasks {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();
  private static final Class<?> ADAPTED = ForkJoinTask.adapt(() -> {}).getClass();
  private static final long NO_FIELD = -1;
  private static final long RUNNABLE = offsetOfRunnable();

  private AdaptedTasks() {}

  /** Whether this JDK is built as expected. */
  static boolean areLookedInto() {
    return RUNNABLE != NO_FIELD;
  }

  /** The continuation inside; null if it is something else, or this JDK is built otherwise. */
  static @Nullable Runnable continuationIn(ForkJoinTask<?> task) {
    if (RUNNABLE == NO_FIELD || task.getClass() != ADAPTED) {
      return null;
    }
    Runnable inside = (Runnable) UNSAFE.getReference(task, RUNNABLE);
    boolean known =
        inside != null && ContinuationInternals.submissionOf(inside) != Submission.UNKNOWN;
    return known ? inside : null;
  }

  private static long offsetOfRunnable() {
    for (Field field : ADAPTED.getDeclaredFields()) {
      if (field.getType() == Runnable.class) {
        return UNSAFE.objectFieldOffset(field);
      }
    }
    return NO_FIELD;
  }
}
