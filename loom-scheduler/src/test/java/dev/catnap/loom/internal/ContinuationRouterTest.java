package dev.catnap.loom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.internal.jdk.JdkBridge;
import dev.catnap.loom.internal.jdk.JdkBridge.Submission;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.spi.SchedulerAdapter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** G2, F9: where a continuation goes that its scheduler cannot take, on a JDK that is told. */
@ExtendWith(NoThreadLeft.class)
class ContinuationRouterTest {
  private final List<Runnable> elsewhere = new ArrayList<>();
  private final Map<String, Object> saysOfTheJdk =
      new HashMap<>(Map.of("defaultScheduler", (Executor) elsewhere::add));

  @SuppressWarnings("UnnecessaryLambda") // told by its identity
  private final Runnable continuation = () -> {};

  /** As the JDK that runs this, but for what the test says. */
  private JdkBridge jdk() {
    JdkBridge real = JdkProbe.require();
    return proxy(
        JdkBridge.class,
        (self, method, arguments) ->
            saysOfTheJdk.containsKey(method.getName())
                ? saysOfTheJdk.get(method.getName())
                : method.invoke(real, arguments));
  }

  private static SchedulerAdapter withoutMemory() {
    return proxy(
        SchedulerAdapter.class,
        (self, method, arguments) -> {
          throw new OutOfMemoryError("of a test");
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Whether the JDK is told: JUnit takes the error for one of its own, and stops. */
  private boolean isRefusedWithoutMemory(Submission submission) {
    saysOfTheJdk.put("submissionOf", submission);
    ContinuationRouter router = new ContinuationRouter(jdk());
    try (WorkStealingScheduler scheduler =
        WorkStealingScheduler.builder().name("test").parallelism(1).build()) {
      router.bind(scheduler, withoutMemory(), false);
      router.execute(continuation);
      return false;
    } catch (OutOfMemoryError e) {
      return true;
    }
  }

  /** On JDK 21 whoever unparks it gets the error, and the thread is stranded. */
  @ParameterizedTest
  @EnumSource(names = {"CONTINUE", "YIELD"})
  void withoutMemory_whatTheJdkDoesNotSubmitAgainGoesOnElsewhere(Submission submission) {
    saysOfTheJdk.put("resubmitsWithoutMemory", false);
    assertFalse(isRefusedWithoutMemory(submission));
    assertEquals(List.of(continuation), elsewhere);
  }

  @ParameterizedTest
  @EnumSource(names = {"CONTINUE", "YIELD"})
  void withoutMemory_theJdkSubmitsItAgainIfItDoes(Submission submission) {
    saysOfTheJdk.put("resubmitsWithoutMemory", true);
    assertTrue(isRefusedWithoutMemory(submission));
    assertEquals(List.of(), elsewhere);
  }

  /** Nobody waits for it yet: {@code Thread.start} fails. */
  @Test
  void withoutMemoryNoneStarts() {
    saysOfTheJdk.put("resubmitsWithoutMemory", false);
    assertTrue(isRefusedWithoutMemory(Submission.START));
    assertEquals(List.of(), elsewhere);
  }

  /** Nor is memory asked for: it is not published here. */
  @Test
  void aThreadOfTheDefaultSchedulerStartsThere() {
    saysOfTheJdk.put("schedulerOf", saysOfTheJdk.get("defaultScheduler"));
    assertFalse(isRefusedWithoutMemory(Submission.START));
    assertEquals(List.of(continuation), elsewhere);
  }

  @ParameterizedTest
  @EnumSource(names = {"CONTINUE", "YIELD"})
  void beforeItIsBoundAllGoesElsewhere(Submission submission) {
    saysOfTheJdk.put("submissionOf", submission);
    new ContinuationRouter(jdk()).execute(continuation);
    assertEquals(List.of(continuation), elsewhere);
  }
}
