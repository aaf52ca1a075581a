package dev.catnap.benchmarks.measure;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class CoreToCoreTest {
  /** From a cache that both share to another socket; more if threads take turns on a processor. */
  @Test
  void aWayTakesNanoseconds() throws InterruptedException {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1);
    long nanos = CoreToCore.nanos().orElseThrow();
    assertTrue(nanos > 0 && nanos < 1_000_000, nanos + " ns");
  }
}
