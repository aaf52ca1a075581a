package dev.catnap.benchmarks.plan;

import dev.catnap.benchmarks.peers.Peer;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.ToDoubleBiFunction;

/**
 * One figure per peer and metric: the medians over forks, or those of a resampling.
 *
 * @param lineup who ran
 * @param figures the figures
 */
public record Standing(Lineup lineup, ToDoubleBiFunction<Peer, Metric> figures) {

  /**
   * A figure.
   *
   * @param peer of whom
   * @param metric which
   * @return the figure
   */
  public double of(Peer peer, Metric metric) {
    return figures.applyAsDouble(peer, metric);
  }

  /**
   * Catnap's figure.
   *
   * @param metric which
   * @return the figure
   */
  public double subject(Metric metric) {
    return of(lineup.subject(), metric);
  }

  /**
   * The peer with the least figure, which is the best in all metrics.
   *
   * @param metric which
   * @return one of the peers
   */
  public Peer bestPeer(Metric metric) {
    return lineup.peers().stream()
        .min(Comparator.comparingDouble(peer -> of(peer, metric)))
        .orElseThrow();
  }

  /**
   * What a scheduler adds to the work itself.
   *
   * @param peer the scheduler
   * @param metric time or CPU time
   * @return the figure above the floor's
   */
  public double overhead(Peer peer, Metric metric) {
    return of(peer, metric) - floor(metric);
  }

  /**
   * The floor's figure.
   *
   * @param metric which
   * @return the figure
   */
  public double floor(Metric metric) {
    return of(Objects.requireNonNull(lineup.floor(), "no floor"), metric);
  }
}
