package dev.catnap.loom.internal.jdk;

import dev.catnap.loom.internal.jdk.JdkBridge.Submission;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a continuation is that the JDK hands over: a start or a continue, which look the same.
 *
 * <p>The JDK submits one {@code Runnable} per virtual thread, at present a method reference, so its
 * class is learned by looking at one, and its thread is the only field of that class. {@code
 * VirtualThread.state} then tells: it is STARTED from {@code start()} until the first run and never
 * again, and YIELDED between a yield and the next run. A JDK on which one of these cannot be found
 * gives {@link Submission#UNKNOWN} or {@link Submission#CONTINUE}, which are never refused.
 */
final class ContinuationInternals {
  private static final int NO_STATE = -1;

  private static final @Nullable Class<?> TASK_CLASS = taskClass();

  /** From the task to the state of its thread; null if one of the fields is not where it was. */
  private static final @Nullable MethodHandle STATE = ofThreadOfTask("state", int.class);

  /** From the task to the scheduler of its thread; null as above. */
  private static final @Nullable MethodHandle SCHEDULER =
      ofThreadOfTask("scheduler", Executor.class);

  private static final int STARTED = constant("STARTED");
  private static final int YIELDED = constant("YIELDED");

  private ContinuationInternals() {}

  static Submission submissionOf(Runnable task) {
    if (task.getClass() != TASK_CLASS) {
      return Submission.UNKNOWN;
    }
    int state = state(task);
    if (state == NO_STATE) {
      return Submission.CONTINUE;
    }
    if (state == STARTED) {
      return Submission.START;
    }
    return state == YIELDED ? Submission.YIELD : Submission.CONTINUE;
  }

  /** Null: not recognised. */
  static @Nullable Executor schedulerOf(Runnable task) {
    if (task.getClass() != TASK_CLASS || SCHEDULER == null) {
      return null;
    }
    try {
      return (Executor) SCHEDULER.invokeExact(task);
    } catch (Throwable t) {
      throw ThreadInternals.rethrow(t);
    }
  }

  static boolean tellsSchedulers() {
    return SCHEDULER != null;
  }

  private static int state(Runnable task) {
    if (STATE == null) {
      return NO_STATE;
    }
    try {
      return (int) STATE.invokeExact(task);
    } catch (Throwable t) {
      throw ThreadInternals.rethrow(t);
    }
  }

  // ---- learning

  /**
   * Starts a virtual thread on a scheduler that looks at what it gets and refuses: no thread is
   * left.
   */
  private static @Nullable Class<?> taskClass() {
    AtomicReference<@Nullable Class<?>> seen = new AtomicReference<>();
    Executor looksAndRefuses =
        task -> {
          seen.set(task.getClass());
          throw new RejectedExecutionException("only a look at what this JDK submits");
        };
    try {
      ThreadInternals.newBuilder(looksAndRefuses).start(() -> {});
    } catch (RejectedExecutionException expected) {
      return seen.get();
    }
    return null;
  }

  /** Reads a field of the thread of a task. */
  private static @Nullable MethodHandle ofThreadOfTask(String name, Class<?> type) {
    Class<?> taskClass = TASK_CLASS;
    if (taskClass == null) {
      return null;
    }
    try {
      for (Field field : taskClass.getDeclaredFields()) {
        if (field.getType() == ThreadInternals.virtualThreadClass()) {
          return through(field, name, type);
        }
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // see above: less is known, nothing breaks
    }
    return null;
  }

  private static MethodHandle through(Field threadOfTask, String name, Class<?> type)
      throws ReflectiveOperationException {
    threadOfTask.setAccessible(true);
    MethodHandle thread = MethodHandles.lookup().unreflectGetter(threadOfTask);
    MethodHandle value =
        ThreadInternals.virtualThreadLookup()
            .findGetter(ThreadInternals.virtualThreadClass(), name, type);
    return MethodHandles.filterReturnValue(thread, value)
        .asType(MethodType.methodType(type, Runnable.class));
  }

  private static int constant(String name) {
    try {
      return (int)
          ThreadInternals.virtualThreadLookup()
              .findStaticGetter(ThreadInternals.virtualThreadClass(), name, int.class)
              .invoke();
    } catch (Throwable t) {
      return Integer.MIN_VALUE; // no state
    }
  }
}
