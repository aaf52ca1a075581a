package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.peers.OtherBuild;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The forks of a case with one number of workers. */
final class Measured {
  private final Case program;
  private final int workers;
  private final int wanted;
  private final List<Peer> lineup;
  private final Map<Peer, List<Fork>> forks = new HashMap<>();

  /**
   * Of all peers of the case.
   *
   * @param wanted how many forks of each
   */
  Measured(Case program, int workers, int wanted) {
    this(program, workers, wanted, program.lineup().all());
  }

  /**
   * Of some of the peers.
   *
   * @param wanted how many forks of each
   * @param lineup who was to run, native peers aside
   */
  Measured(Case program, int workers, int wanted, List<Peer> lineup) {
    this.program = program;
    this.workers = workers;
    this.wanted = wanted;
    this.lineup = List.copyOf(lineup);
  }

  void add(Peer peer, Fork fork) {
    forks.computeIfAbsent(peer, p -> new ArrayList<>()).add(fork);
  }

  Case program() {
    return program;
  }

  int workers() {
    return workers;
  }

  /** False if forks failed: then there is nothing to compare. */
  boolean isComplete() {
    return lineup.stream().allMatch(peer -> forks(peer).size() == wanted);
  }

  /** Whether all peers of the case were to run, so that its ratios have a meaning. */
  boolean isWhole() {
    return lineup.containsAll(program.lineup().all());
  }

  /** The other build that this one was to run beside, instead of the peers of the case. */
  @Nullable OtherBuild otherBuild() {
    for (Peer peer : lineup) {
      if (peer instanceof OtherBuild build) {
        return build;
      }
    }
    return null;
  }

  /** Who was to run, native peers aside. */
  List<Peer> lineup() {
    return lineup;
  }

  /** The lineup, and what was measured of the native peers: all that is shown. */
  List<Peer> peers() {
    List<Peer> peers = new ArrayList<>(lineup);
    program.nativePeers().stream().filter(peer -> !forks(peer).isEmpty()).forEach(peers::add);
    return peers;
  }

  /** The native peers of which no fork failed. */
  List<NativePeer> completeNatives() {
    return program.nativePeers().stream().filter(peer -> forks(peer).size() == wanted).toList();
  }

  /** How many forks of each there should be. */
  int wanted() {
    return wanted;
  }

  List<Fork> forks(Peer peer) {
    return forks.getOrDefault(peer, List.of());
  }

  /** One per fork. */
  double[] figures(Peer peer, Metric metric) {
    // Asked ten thousand times for an interval: without a stream.
    List<Fork> all = forks(peer);
    double[] figures = new double[all.size()];
    for (int i = 0; i < figures.length; i++) {
      figures[i] = all.get(i).figure(metric);
    }
    return figures;
  }

  /** The medians over all forks. */
  Standing standing() {
    return new Standing(
        program.lineup(), (peer, metric) -> Statistics.median(figures(peer, metric)));
  }

  /** The medians over as many forks, drawn anew with replacement, for each peer by itself. */
  Standing resampled(RandomGenerator random) {
    Map<Peer, int[]> drawn = new HashMap<>();
    return new Standing(
        program.lineup(),
        (peer, metric) -> {
          List<Fork> all = forks(peer);
          int[] picks =
              drawn.computeIfAbsent(
                  peer, p -> random.ints(all.size(), 0, Math.max(1, all.size())).toArray());
          double[] figures = new double[picks.length];
          for (int i = 0; i < picks.length; i++) {
            figures[i] = all.get(picks[i]).figure(metric);
          }
          return Statistics.median(figures);
        });
  }
}
