package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.peers.OtherBuild;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.H1Http;
import dev.catnap.benchmarks.rows.Rows;
import java.nio.file.Path;
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
 * @param from raw data to take rows for the page from, without any run; empty to run
 * @param against the checkout of another build, which runs instead of the peers; null for none
 */
record Settings(
    List<Row> rows,
    List<Integer> workers,
    boolean quick,
    int forks,
    @Nullable Path out,
    @Nullable Path page,
    boolean natives,
    List<Path> from,
    @Nullable Path against) {
  Pace pace() {
    return quick ? Pace.SHORT : Pace.FULL;
  }

  /** Whether servers are to be put under load. */
  boolean needsLoadGenerator() {
    return rows.stream().anyMatch(Rows.HTTP::contains);
  }

  /** Of all schedulers and of those native peers that can run. */
  int totalForks(Set<NativePeer> natives) {
    return rows.stream().mapToInt(row -> forks(row, natives)).sum();
  }

  private int forks(Row row, Set<NativePeer> natives) {
    int total = 0;
    for (Case program : row.cases()) {
      for (int number : workers(row, program)) {
        total += forks * (lineup(row, program, number).size() + natives(program, natives).size());
      }
    }
    return total;
  }

  /** About what all these forks take. */
  double totalSeconds(Set<NativePeer> natives) {
    double seconds = 0;
    for (Row row : rows) {
      boolean warmsUpServers = Rows.HTTP.contains(row) && !quick;
      double beside = warmsUpServers ? H1Http.SECONDS_BESIDE : 0;
      seconds += forks(row, natives) * (pace().secondsPerFork() + beside);
    }
    return seconds;
  }

  /** With how many workers a case runs: several only where something is summed up over them. */
  List<Integer> workers(Row row, Case program) {
    boolean onlyTargets =
        row.family().reference() == null && workers.contains(Judge.TARGET_WORKERS) && !quick;
    return program.workers(onlyTargets ? List.of(Judge.TARGET_WORKERS) : workers);
  }

  /**
   * Who runs, in the order of their turns. Beside the number of workers that targets are for, other
   * numbers show how Catnap and the peer of the whole family scale; that all others run too would
   * take hours, and no target asks for it. Two builds of Catnap run beside each other alone.
   */
  List<Peer> lineup(Row row, Case program, int number) {
    if (against != null) {
      Peer subject = program.lineup().subject();
      return List.of(subject, new OtherBuild(subject, against));
    }
    Peer reference = row.family().reference();
    boolean scales =
        number != Judge.TARGET_WORKERS
            && workers.contains(Judge.TARGET_WORKERS)
            && program.sizes() == null
            && !quick;
    return scales && reference != null
        ? List.of(program.lineup().subject(), reference)
        : program.lineup().all();
  }

  /** Those of them that can run, after the lineup. */
  static List<NativePeer> natives(Case program, Set<NativePeer> available) {
    return program.nativePeers().stream().filter(available::contains).toList();
  }
}
