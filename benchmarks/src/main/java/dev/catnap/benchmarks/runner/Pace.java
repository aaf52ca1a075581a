package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How long a fork measures. Schedulers are bimodal from process to process, so time is better spent
 * on more forks than on longer ones.
 *
 * @param warmups iterations that are thrown away
 * @param iterations iterations that count
 * @param length of each
 * @param forks of each scheduler, unless asked otherwise
 * @param secondsBeside what a fork takes besides
 */
record Pace(int warmups, int iterations, TimeValue length, int forks, double secondsBeside) {
  /**
   * Six seconds in, the JIT has settled, whoever is measured; two seconds in it has not, and not
   * for everybody alike (docs/measurements.md). All rows in less than two hours: what takes half a
   * night is run once and then no more.
   */
  static final Pace FULL = new Pace(9, 3, TimeValue.milliseconds(700), 3, 1);

  /**
   * As long, where the mean over iterations is what counts: the shorter they are, the fewer are
   * disturbed. The ticks of CPU time and of the machine's are 3% of one.
   */
  private static final Pace FULL_OF_MEANS = new Pace(20, 7, TimeValue.milliseconds(300), 3, 1);

  /** As little as shows that everything works: one operation, if it is longer than that. */
  static final Pace SHORT = new Pace(0, 1, TimeValue.milliseconds(1), 1, 0.3);

  /** With fewer forks there is no spread to speak of. */
  static final int LEAST_FORKS = 3;

  /** For a histogram an iteration must be long. */
  Pace forCase(Case program) {
    return equals(FULL) && program.columns().get(0) == Metric.TIME ? FULL_OF_MEANS : this;
  }

  double secondsPerFork() {
    return secondsBeside
        + (warmups + iterations) * length.convertTo(TimeUnit.MILLISECONDS) / 1_000.0;
  }
}
