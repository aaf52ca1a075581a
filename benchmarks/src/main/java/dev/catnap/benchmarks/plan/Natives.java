package dev.catnap.benchmarks.plan;

import dev.catnap.benchmarks.peers.NativePeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The native programs that do the same as a case. They are beside its lineup, not in it: none is
 * ever its best peer, and without them it is complete.
 *
 * @param command the case in their own words, with its numbers
 * @param result what one operation gives
 * @param peers who has such a program
 * @param limits what Catnap's time may be as a multiple of theirs; of most it is only reported
 */
public record Natives(
    String command, long result, List<NativePeer> peers, Map<NativePeer, Limit> limits) {

  /** Copies the collections. */
  public Natives {
    peers = List.copyOf(peers);
    limits = Map.copyOf(limits);
  }

  /**
   * Without limits.
   *
   * @param command the case in their own words, with its numbers
   * @param result what one operation gives
   * @param peers who has such a program
   * @return programs that are only reported
   */
  public static Natives reported(String command, long result, NativePeer... peers) {
    return new Natives(command, result, List.of(peers), Map.of());
  }

  /**
   * What is compared with one that was measured.
   *
   * @param peer one of the peers
   * @return time and CPU time
   */
  public List<Ratio> ratios(NativePeer peer) {
    List<Ratio> ratios = new ArrayList<>();
    Ratio time = Ratio.ofPeer(peer, Metric.TIME);
    Limit limit = limits.get(peer);
    ratios.add(limit == null ? time : new Ratio(time.text(), time.value(), limit));
    ratios.add(Ratio.ofPeer(peer, Metric.CPU));
    return ratios;
  }
}
