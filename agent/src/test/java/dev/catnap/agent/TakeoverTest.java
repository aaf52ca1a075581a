package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing that is thrown keeps the application from starting (F8, F9). */
class TakeoverTest {
  private static Instrumentation withoutMemory() {
    return (Instrumentation)
        Proxy.newProxyInstance(
            TakeoverTest.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (self, method, arguments) -> {
              throw new OutOfMemoryError("unable to create native thread (from the test)");
            });
  }

  @Test
  void anErrorIsSaidAndNoMore() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      Takeover.run(new AgentOptions(true, true), withoutMemory());
    } finally {
      System.setErr(before);
    }
    String why = "java.lang.OutOfMemoryError: unable to create native thread (from the test)";
    assertEquals(
        List.of(
            "catnap-agent: virtual threads stay on the JDK's scheduler: " + why,
            "catnap-agent: coroutines stay on the dispatchers of kotlinx.coroutines: " + why),
        written.toString(StandardCharsets.UTF_8).lines().toList());
  }
}
