package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.loom.testing.Side;
import dev.catnap.loom.testing.Side.VirtualThreads;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G7, G12: a scoped value stays with the virtual thread that bound it, wherever that goes on. */
@ExtendWith(NoThreadLeft.class)
@EnabledForJreRange(
    min = JRE.JAVA_25,
    disabledReason = "ScopedValue is a preview before JDK 25, or not there")
class ScopedValuesTest {
  private static final int THREADS = 50;

  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Side#available")
  void itIsSeenByItsThreadAlone(Side side) throws Exception {
    ScopedValueByReflection value = new ScopedValueByReflection();
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    try (VirtualThreads on = side.open(2)) {
      for (int i = 0; i < THREADS; i++) {
        String mine = "value " + i;
        threads.add(on.ofVirtual().start(() -> value.where(mine, () -> look(value, mine, wrong))));
        threads.add(on.ofVirtual().start(() -> look(value, "none", wrong)));
      }
      Deadline.join(threads.toArray(Thread[]::new));
    }
    assertEquals(List.of(), List.copyOf(wrong));
  }

  private static void look(
      ScopedValueByReflection value, String expected, ConcurrentLinkedQueue<String> wrong) {
    for (int n = 0; n < 20; n++) {
      String seen = value.orElse("none");
      if (!seen.equals(expected)) {
        wrong.add(seen + " instead of " + expected);
      }
      if (n % 5 == 0) {
        sleep(); // another worker may carry it afterwards
      } else {
        Thread.yield();
      }
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** {@code java.lang.ScopedValue}: these classes are for JDK 21 too. */
  private static final class ScopedValueByReflection {
    private final Object value;
    private final Method where;
    private final Method run;
    private final Method orElse;

    ScopedValueByReflection() throws ReflectiveOperationException {
      Class<?> type = Class.forName("java.lang.ScopedValue");
      value = type.getMethod("newInstance").invoke(null);
      where = type.getMethod("where", type, Object.class);
      run = Class.forName("java.lang.ScopedValue$Carrier").getMethod("run", Runnable.class);
      orElse = type.getMethod("orElse", Object.class);
    }

    void where(String bound, Runnable body) {
      Object ignored = call(() -> run.invoke(where.invoke(null, value, bound), body));
    }

    String orElse(String other) {
      return (String) call(() -> orElse.invoke(value, other));
    }

    private static Object call(Callable<Object> reflective) {
      try {
        return reflective.call();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
