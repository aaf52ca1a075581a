package dev.catnap.benchmarks.peers;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Something idle that can be woken by handing it a task.
 *
 * @param publisher hands over a task, from a thread that is none of its workers
 * @param asleep whether all its threads sleep, as far as it can tell; if it cannot, true
 */
public record WakeTarget(Consumer<Runnable> publisher, BooleanSupplier asleep) {

  /** One that cannot tell whether it sleeps. */
  static WakeTarget of(Consumer<Runnable> publisher) {
    return new WakeTarget(publisher, () -> true);
  }
}
