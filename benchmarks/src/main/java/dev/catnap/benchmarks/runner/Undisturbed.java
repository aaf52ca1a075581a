package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.measure.ForeignLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/**
 * Those iterations of a fork while which the machine was ours: others come for a part of a second,
 * and a fork is two. Which are left out is decided by what others did, never by the figures.
 */
final class Undisturbed {
  /** At least one in so many stays. */
  private static final int LEAST_SHARE = 4;

  private Undisturbed() {}

  /** The same result without the others. */
  static RunResult of(RunResult fork) {
    List<BenchmarkResult> results = new ArrayList<>();
    for (BenchmarkResult result : fork.getBenchmarkResults()) {
      BenchmarkResult kept =
          new BenchmarkResult(
              result.getParams(),
              least(result.getIterationResults(), Undisturbed::othersCores),
              result.getMetadata());
      result.getBenchmarkResults().values().forEach(kept::addBenchmarkResult);
      results.add(kept);
    }
    return new RunResult(fork.getParams(), results);
  }

  /** Of all, those that were not disturbed; of many that were, the quarter that was least. */
  static <T> List<T> least(Collection<T> iterations, ToDoubleFunction<T> othersCores) {
    List<T> sorted = new ArrayList<>(iterations);
    sorted.sort(Comparator.comparingDouble(othersCores));
    int kept = (sorted.size() + LEAST_SHARE - 1) / LEAST_SHARE;
    while (kept < sorted.size()
        && othersCores.applyAsDouble(sorted.get(kept)) <= Report.FOREIGN_CORES) {
      kept++;
    }
    return sorted.subList(0, kept);
  }

  private static double othersCores(IterationResult iteration) {
    var foreign = iteration.getSecondaryResults().get(ForeignLoad.LABEL);
    return foreign == null ? 0 : foreign.getScore();
  }
}
