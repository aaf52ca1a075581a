package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param rows which rows, in order
 * @param workers with how many workers each
 * @param quick whether only to show that everything works
 * @param forks how many forks of each scheduler
 * @param out where to write raw data; null for nowhere
 * @param page where to write the page; null for nowhere
 * @param natives whether native peers run too
 * @param from raw data to write the page from, without any run; null to run
 */
record Settings(
    List<Row> rows,
    List<Integer> workers,
    boolean quick,
    int forks,
    @Nullable Path out,
    @Nullable Path page,
    boolean natives,
    @Nullable Path from) {
  Pace pace() {
    return quick ? Pace.SHORT : Pace.FULL;
  }

  /** Of all schedulers and of those native peers that can run. */
  int totalForks(Set<NativePeer> natives) {
    return forks
        * rows.stream()
            .flatMap(row -> row.cases().stream())
            .mapToInt(c -> peers(c, natives).size() * c.workers(workers).size())
            .sum();
  }

  /** In the order of their turns. */
  static List<Peer> peers(Case program, Set<NativePeer> natives) {
    List<Peer> peers = new ArrayList<>(program.lineup().all());
    program.nativePeers().stream().filter(natives::contains).forEach(peers::add);
    return peers;
  }
}
