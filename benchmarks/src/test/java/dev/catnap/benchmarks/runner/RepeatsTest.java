package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

class RepeatsTest {
  private static double leastOf(Repeats repeats, Double... othersCores) throws RunnerException {
    Deque<Double> attempts = new ArrayDeque<>(List.of(othersCores));
    return repeats.leastDisturbed(attempts::removeFirst, cores -> cores);
  }

  @Test
  void undisturbed_oneAttempt() throws RunnerException {
    Repeats repeats = new Repeats(9);
    assertEquals(0.1, leastOf(repeats, 0.1));
    assertEquals(0, repeats.made());
  }

  @Test
  void disturbed_againUntilItIsNot() throws RunnerException {
    Repeats repeats = new Repeats(9);
    assertEquals(0.0, leastOf(repeats, 1.5, 0.2, 0.0, 9.9));
    assertEquals(2, repeats.made());
  }

  @Test
  void alwaysDisturbed_theLeastOfFour() throws RunnerException {
    Repeats repeats = new Repeats(9);
    assertEquals(0.4, leastOf(repeats, 0.9, 0.4, 0.8, 0.5));
    assertEquals(3, repeats.made());
  }

  @Test
  void noMoreThanAllowed() throws RunnerException {
    Repeats repeats = new Repeats(4);
    assertEquals(0.5, leastOf(repeats, 0.8, 0.7, 0.6, 0.5));
    assertEquals(0.8, leastOf(repeats, 0.9, 0.8));
    assertEquals(0.9, leastOf(repeats, 0.9));
    assertEquals(4, repeats.made());
  }
}
