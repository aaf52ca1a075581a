package dev.catnap.benchmarks.plan;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.peers.VirtualPeer;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are summed up by the geometric mean of their ratios to one peer.
 *
 * @param title the name in the summary
 * @param reference whom all its rows are compared with; null if they have no common peer
 * @param timeTarget what the mean must reach in time
 * @param cpuTarget what it must reach in CPU time
 */
public record Family(String title, @Nullable Peer reference, double timeTarget, double cpuTarget) {
  public static final Family COROUTINES = new Family("C rows", CoroutinePeer.DEFAULT, 1.35, 1.5);
  public static final Family VIRTUAL_THREADS = new Family("V rows", VirtualPeer.JDK, 1.3, 1.4);
  public static final Family OTHER = new Family("other rows", null, Double.NaN, Double.NaN);

  /**
   * What the geometric mean must reach.
   *
   * @param metric time or CPU time
   * @return the least ratio
   */
  public Limit target(Metric metric) {
    return Limit.atLeast(metric == Metric.CPU ? cpuTarget : timeTarget);
  }
}
