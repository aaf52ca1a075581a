package dev.catnap.benchmarks.plan;

import dev.catnap.benchmarks.peers.Peer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who runs in a case.
 *
 * @param subject Catnap
 * @param peers whom it is compared with
 * @param floor the same work without a scheduler; null where that has no meaning
 */
public record Lineup(Peer subject, List<Peer> peers, @Nullable Peer floor) {

  /** Copies the list. */
  public Lineup {
    peers = List.copyOf(peers);
  }

  /**
   * In the order in which their forks take turns and tables show them.
   *
   * @return the subject, the peers, the floor
   */
  public List<Peer> all() {
    List<Peer> all = new ArrayList<>();
    all.add(subject);
    all.addAll(peers);
    if (floor != null) {
      all.add(floor);
    }
    return all;
  }
}
