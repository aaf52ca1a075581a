package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Metric;
import java.util.random.RandomGenerator;

/** One figure of the forks of a scheduler, for what is computed from several cases. */
@FunctionalInterface
interface Draw {
  /** The median over all forks. */
  Draw MEDIANS = (measured, peer, metric) -> Statistics.median(measured.figures(peer, metric));

  /** The figure; asked twice, a resampling gives two. */
  double figure(Measured measured, Peer peer, Metric metric);

  /** The median over as many forks, drawn anew with replacement. */
  static Draw resampled(RandomGenerator random) {
    return (measured, peer, metric) -> {
      double[] all = measured.figures(peer, metric);
      double[] drawn = new double[all.length];
      for (int i = 0; i < drawn.length; i++) {
        drawn[i] = all[random.nextInt(all.length)];
      }
      return Statistics.median(drawn);
    };
  }
}
