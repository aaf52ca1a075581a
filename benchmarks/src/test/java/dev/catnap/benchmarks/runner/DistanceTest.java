package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DistanceTest {
  @Test
  void theRunHasTheLeastAndTheMost() {
    Iterator<Long> found = List.of(61L, 235L, 61L).iterator();
    Distance distance = new Distance(() -> OptionalLong.of(found.next()));
    assertEquals("-", distance.toString(), "before the first fork");
    assertEquals(" (core to core, ns: 61)", distance.measure());
    assertEquals("61", distance.toString());
    assertEquals(" (core to core, ns: 235)", distance.measure());
    assertEquals(" (core to core, ns: 61)", distance.measure());
    assertEquals("61 to 235", distance.toString());
  }

  @Test
  void oneProcessorHasNone() {
    Distance distance = new Distance(OptionalLong::empty);
    assertEquals("", distance.measure());
    assertEquals("-", distance.toString());
  }
}
