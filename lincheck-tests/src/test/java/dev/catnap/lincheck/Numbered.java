package dev.catnap.lincheck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task that is nothing but a number: what queues are checked with. */
record Numbered(int number) implements Runnable {

  @Override
  public void run() {
    throw new AssertionError("not to be run");
  }

  /** Null for null: an empty queue. */
  static @Nullable Integer of(@Nullable Runnable task) {
    return task == null ? null : ((Numbered) task).number;
  }

  static List<Integer> of(Iterable<Runnable> tasks) {
    List<Integer> numbers = new ArrayList<>();
    for (Runnable t : tasks) {
      numbers.add(of(t));
    }
    return numbers;
  }
}
