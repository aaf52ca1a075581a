package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import java.util.List;
import java.util.Map;

/** Made-up figures: Catnap, Default, and a floor that takes 5 us. */
final class SampleCase {
  private static final double FLOOR_MICROS = 5;

  private SampleCase() {}

  static Measured measured(double[] catnap, double[] peer) {
    Case program =
        new Case(
            "made up",
            SampleCase.class,
            "none",
            Map.of(),
            new Lineup(
                CoroutinePeer.CATNAP, List.of(CoroutinePeer.DEFAULT), CoroutinePeer.UNCONFINED),
            List.of(Metric.TIME),
            List.of(
                Ratio.bestPeer(Metric.TIME).atLeast(1.3),
                Ratio.ofOverhead(CoroutinePeer.DEFAULT, Metric.TIME).atMost(0.5)));
    Measured measured = new Measured(program, Judge.TARGET_WORKERS, catnap.length);
    for (int i = 0; i < catnap.length; i++) {
      add(measured, CoroutinePeer.CATNAP, catnap[i]);
      add(measured, CoroutinePeer.DEFAULT, peer[i]);
      add(measured, CoroutinePeer.UNCONFINED, FLOOR_MICROS);
    }
    return measured;
  }

  private static void add(Measured measured, Peer peer, double micros) {
    measured.add(
        peer, new Fork(Map.of(Metric.TIME, micros, Metric.CPU, 2 * micros, Metric.FOREIGN, 0.0)));
  }
}
