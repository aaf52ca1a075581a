package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What is handed back is neither run nor lost (G2), however much comes meanwhile. */
class SweepTest {
  private final Sweep sweep = new Sweep();

  @Test
  void itTakesNoMoreThanThereWasWhenItCame() {
    int[] looks = {0};
    sweep.take(
        3,
        () -> {
          assertTrue(++looks[0] <= 3, "a task came for each that it took, and it went on");
          return () -> {};
        });
    assertEquals(3, sweep.taken().size());
  }

  @Test
  void itEndsWhereAWorkerTookTheRest() {
    Runnable first = () -> {};
    Queue<Runnable> queue = new ArrayDeque<>(List.of(first));
    sweep.take(3, queue::poll);
    assertEquals(List.of(first), sweep.taken());
  }
}
