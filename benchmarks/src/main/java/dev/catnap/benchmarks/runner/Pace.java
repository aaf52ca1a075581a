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
 */
record Pace(int warmups, int iterations, TimeValue length, int forks) {
  /** Three iterations in, the JIT has settled; CPU time ticks are 1% of a second. */
  static final Pace FULL = new Pace(3, 5, TimeValue.seconds(1), 5);

  /** As little as shows that everything works. */
  static final Pace SHORT = new Pace(1, 1, TimeValue.milliseconds(100), 1);

  /** With fewer forks there is no spread to speak of. */
  static final int LEAST_FORKS = 3;

  double secondsPerFork() {
    double startAndExit = 1;
    return startAndExit
        + (warmups + iterations) * length.convertTo(TimeUnit.MILLISECONDS) / 1_000.0;
  }
}
