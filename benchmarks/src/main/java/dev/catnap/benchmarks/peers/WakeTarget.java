package dev.catnap.benchmarks.peers;

import dev.catnap.SchedulerStats;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something idle that can be woken by handing it a task.
 *
 * @param publisher hands over a task, from a thread that is none of its workers
 * @param asleep whether all its threads sleep, as far as it can tell; if it cannot, true
 * @param threads how the names of its threads begin
 * @param stats its own counts; null if it has none
 */
public record WakeTarget(
    Consumer<Runnable> publisher,
    BooleanSupplier asleep,
    List<String> threads,
    @Nullable Supplier<SchedulerStats> stats) {

  /** Copies the list. */
  public WakeTarget {
    threads = List.copyOf(threads);
  }

  /**
   * One that does not count.
   *
   * @param publisher hands over a task
   * @param asleep whether all its threads sleep
   * @param threads how the names of its threads begin
   */
  public WakeTarget(Consumer<Runnable> publisher, BooleanSupplier asleep, String... threads) {
    this(publisher, asleep, List.of(threads), null);
  }

  /** One that cannot tell whether it sleeps. */
  static WakeTarget of(Consumer<Runnable> publisher, String... threads) {
    return new WakeTarget(publisher, () -> true, threads);
  }
}
