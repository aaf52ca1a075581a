package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.plan.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeOutputTest {
  @Test
  void fork_severalIterations_meanPerOperation() {
    Fork fork = NativeOutput.fork(List.of("10 40000 80000 7", "20 40000 120000 7"), 2, 7);
    assertEquals(3, fork.figure(Metric.TIME));
    assertEquals(7, fork.figure(Metric.CPU));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10 40000 80000 8", "10 40000 80000", "0 1 1 7", "fast", "1 2 3 7 9", ""})
  void fork_otherLine_refusedWithTheLine(String line) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> NativeOutput.fork(List.of(line), 1, 7))
            .getMessage();
    assertTrue(message.endsWith(": " + line), message);
  }

  @Test
  void fork_fewerIterations_refused() {
    assertThrows(IllegalArgumentException.class, () -> NativeOutput.fork(List.of("1 1 1 7"), 2, 7));
  }
}
