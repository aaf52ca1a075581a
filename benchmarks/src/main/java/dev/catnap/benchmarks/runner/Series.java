package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * A case with several numbers of workers.
 *
 * @param row its row
 * @param program the case
 * @param byWorkers its forks; at least two
 */
record Series(Row row, Case program, SortedMap<Integer, Measured> byWorkers) {

  /** Of the cases whose forks all came back, in order. */
  static List<Series> of(List<Outcome> outcomes) {
    Map<Case, Series> all = new LinkedHashMap<>();
    for (Outcome outcome : outcomes) {
      Measured measured = outcome.measured();
      if (measured.isComplete()) {
        all.computeIfAbsent(measured.program(), c -> new Series(outcome.row(), c, new TreeMap<>()))
            .byWorkers()
            .put(measured.workers(), measured);
      }
    }
    List<Series> several = new ArrayList<>(all.values());
    several.removeIf(series -> series.byWorkers().size() < 2);
    return several;
  }

  boolean has(int workers) {
    return byWorkers.containsKey(workers);
  }

  boolean hasAll(List<Integer> workers) {
    return byWorkers.keySet().containsAll(workers);
  }

  String label() {
    return row.id() + " " + program.name();
  }

  /** Catnap's figure with so many workers as a multiple of that with another number. */
  ToDoubleFunction<Draw> growth(int base, int workers, Metric metric) {
    Peer subject = program.lineup().subject();
    Measured from = Objects.requireNonNull(byWorkers.get(base));
    Measured to = Objects.requireNonNull(byWorkers.get(workers));
    return draw -> draw.figure(to, subject, metric) / draw.figure(from, subject, metric);
  }
}
