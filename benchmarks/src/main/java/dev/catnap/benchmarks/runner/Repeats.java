package dev.catnap.benchmarks.runner;

import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs a fork again if others used the machine meanwhile, and keeps the least disturbed one. Which
 * figures are thrown away is decided by what others did, never by the figures. On a machine that is
 * never idle a run must end too: there are so many repeats in all.
 */
final class Repeats {
  /** Of one fork. */
  private static final int MOST = 3;

  private final int allowed;
  private int made;

  /**
   * For one run.
   *
   * @param allowed repeats in all
   */
  Repeats(int allowed) {
    this.allowed = allowed;
  }

  /** What runs once more. */
  @FunctionalInterface
  interface Attempt<T> {
    T run() throws RunnerException;
  }

  /**
   * Runs it.
   *
   * @param othersCores how many cores others kept busy; a hypervisor that gives them to another
   *     machine is one of the others
   */
  <T> T leastDisturbed(Attempt<T> attempt, ToDoubleFunction<T> othersCores) throws RunnerException {
    T best = attempt.run();
    for (int again = 0;
        again < MOST && made < allowed && othersCores.applyAsDouble(best) > Report.FOREIGN_CORES;
        again++) {
      made++;
      T next = attempt.run();
      if (othersCores.applyAsDouble(next) < othersCores.applyAsDouble(best)) {
        best = next;
      }
    }
    return best;
  }

  int made() {
    return made;
  }
}
