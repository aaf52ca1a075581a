package dev.catnap.benchmarks.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CheckTest {
  @Test
  void eachIs_allEqual_sum() {
    assertEquals(6, Check.eachIs(2, new long[] {2, 2, 2}));
  }

  @Test
  void eachIs_errorsThatCancelOut_fails() {
    long[] parts = {1, 3, 2};
    assertThrows(IllegalStateException.class, () -> Check.eachIs(2, parts));
  }
}
