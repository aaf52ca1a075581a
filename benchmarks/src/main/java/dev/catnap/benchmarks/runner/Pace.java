package dev.catnap.benchmarks.runner;

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
  /** Three iterations in, the JIT has settled; CPU time ticks are 1% of a second. */
  static final Pace FULL = new Pace(3, 5, TimeValue.seconds(1), 5, 1);

  /** As little as shows that everything works: one operation, if it is longer than that. */
  static final Pace SHORT = new Pace(0, 1, TimeValue.milliseconds(1), 1, 0.3);

  /** With fewer forks there is no spread to speak of. */
  static final int LEAST_FORKS = 3;

  double secondsPerFork() {
    return secondsBeside
        + (warmups + iterations) * length.convertTo(TimeUnit.MILLISECONDS) / 1_000.0;
  }
}
