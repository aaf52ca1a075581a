package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.OtherBuild;
import dev.catnap.benchmarks.plan.Limit;
import dev.catnap.benchmarks.plan.Natives;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.runner.Statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds figures against targets.
 *
 * @param strict false if the figures mean nothing
 */
record Judge(boolean strict) {
  /** The performance page states its targets for this number, on two cores. */
  static final int TARGET_WORKERS = 2;

  /** The ratios of a case, none if forks failed. */
  List<Claim> of(Outcome outcome) {
    Measured measured = outcome.measured();
    OtherBuild other = measured.otherBuild();
    if (!measured.isComplete() || (other == null && !measured.isWhole())) {
      return List.of();
    }
    boolean judged = isForTargets(measured);
    return (other != null ? Builds.ratios(other) : ratios(measured))
        .stream()
            .map(
                ratio -> {
                  double value = ratio.value().applyAsDouble(measured.standing());
                  return claim(
                      outcome.row().id(),
                      measured.program().name(),
                      measured.workers(),
                      ratio.text().apply(measured.standing()),
                      value,
                      Statistics.interval(measured, ratio),
                      ratio.limit(),
                      judged);
                })
            .toList();
  }

  private static List<Ratio> ratios(Measured measured) {
    List<Ratio> ratios = new ArrayList<>(measured.program().ratios());
    Natives natives = measured.program().natives();
    if (natives != null) {
      measured.completeNatives().forEach(peer -> ratios.addAll(natives.ratios(peer)));
    }
    return ratios;
  }

  /** Whether the targets of its ratios are for this number of workers. */
  static boolean isForTargets(Measured measured) {
    return measured.program().sizes() != null || measured.workers() == TARGET_WORKERS;
  }

  /** Something computed from several cases. */
  Claim of(
      String row,
      String program,
      int workers,
      String what,
      ToDoubleFunction<Draw> value,
      @Nullable Limit limit,
      boolean judged) {
    return claim(
        row,
        program,
        workers,
        what,
        value.applyAsDouble(Draw.MEDIANS),
        Statistics.intervalOf(value),
        limit,
        judged);
  }

  private Claim claim(
      String row,
      String program,
      int workers,
      String what,
      double value,
      Interval interval,
      @Nullable Limit limit,
      boolean judged) {
    Verdict verdict = strict && judged ? Verdict.of(limit, value, interval) : Verdict.NOT_JUDGED;
    return new Claim(row, program, workers, what, value, interval, limit, verdict);
  }
}
