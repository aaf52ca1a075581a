package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class UndisturbedTest {
  private static List<Double> leastOf(Double... othersCores) {
    return Undisturbed.least(List.of(othersCores), cores -> cores);
  }

  @Test
  void undisturbed_allOfThem() {
    assertEquals(List.of(0.0, 0.05, 0.1), leastOf(0.05, 0.1, 0.0));
  }

  @Test
  void someDisturbed_theOthers() {
    assertEquals(List.of(0.0, 0.1), leastOf(0.9, 0.1, 1.2, 0.0, 0.3));
  }

  @Test
  void allDisturbed_theLeastQuarter() {
    assertEquals(List.of(0.2, 0.3), leastOf(0.9, 0.3, 1.2, 0.4, 0.2, 0.5, 0.6));
    assertEquals(List.of(0.4), leastOf(0.4));
  }
}
