package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Row;
import java.nio.file.Path;
import java.util.List;
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
 * @param from raw data to write the page from, without any run; null to run
 */
record Settings(
    List<Row> rows,
    List<Integer> workers,
    boolean quick,
    int forks,
    @Nullable Path out,
    @Nullable Path page,
    @Nullable Path from) {
  Pace pace() {
    return quick ? Pace.SHORT : Pace.FULL;
  }

  int totalForks() {
    return forks
        * rows.stream()
            .flatMap(row -> row.cases().stream())
            .mapToInt(c -> c.lineup().all().size() * c.workers(workers).size())
            .sum();
  }
}
