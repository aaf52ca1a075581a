package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Row;
import java.util.List;
import java.util.Map;

/**
 * What came of a run.
 *
 * @param environment where and when
 * @param quick whether the figures mean nothing
 * @param outcomes the cases, in the order in which they ran
 */
record RunData(Map<String, String> environment, boolean quick, List<Outcome> outcomes) {
  /** The rows that ran, each once. */
  List<Row> rows() {
    return outcomes.stream().map(Outcome::row).distinct().toList();
  }

  /** As if nothing else had run. */
  RunData only(Row row) {
    return new RunData(
        environment, quick, outcomes.stream().filter(o -> o.row().equals(row)).toList());
  }
}
