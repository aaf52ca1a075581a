package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that was compared, and what came of it.
 *
 * @param row the row, such as C1; empty for means over rows
 * @param program the case
 * @param workers how many workers there were
 * @param what what was divided by what
 * @param value the ratio of medians; NaN where it has no meaning
 * @param interval the 95% interval
 * @param limit what it must reach; null if it is only reported
 * @param verdict whether it does
 */
record Claim(
    String row,
    String program,
    int workers,
    String what,
    double value,
    Statistics.Interval interval,
    @Nullable Limit limit,
    Verdict verdict) {

  /** What, figure, interval, target, verdict. */
  List<String> cells() {
    return cells(what);
  }

  /** The same for tables of several cases or numbers of workers. */
  List<String> cellsWithCase() {
    return cells("%s, %d workers, %s".formatted(program, workers, what));
  }

  private List<String> cells(String first) {
    return List.of(
        first,
        Numbers.figure(value),
        Numbers.range(interval),
        limit == null ? "" : limit.toString(),
        verdict.toString());
  }
}
