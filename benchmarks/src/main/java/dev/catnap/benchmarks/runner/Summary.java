package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Limit;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The geometric means over the cases of a family that were run. */
final class Summary {
  private static final List<Metric> METRICS = List.of(Metric.TIME, Metric.CPU);

  private record Group(Family family, Peer reference, int workers) {}

  private final boolean judge;
  private final Map<Group, List<Standing>> standings = new LinkedHashMap<>();

  Summary(boolean judge) {
    this.judge = judge;
  }

  void add(Family family, Measured measured) {
    Peer reference = family.reference();
    if (reference != null && measured.isComplete() && isTimed(measured)) {
      standings
          .computeIfAbsent(new Group(family, reference, measured.workers()), g -> new ArrayList<>())
          .add(measured.standing());
    }
  }

  /** Where the time of an operation is not what counts, its ratio says nothing. */
  private static boolean isTimed(Measured measured) {
    return measured.program().columns().get(0) == Metric.TIME;
  }

  /** Empty if there is no such family. */
  @Override
  public String toString() {
    if (standings.isEmpty()) {
      return "";
    }
    TextTable table = new TextTable();
    table.line(List.of("geometric mean over the cases that were run", "", "target", ""));
    standings.forEach(
        (group, cases) -> METRICS.forEach(metric -> table.line(line(group, metric, cases))));
    return table.toString();
  }

  private List<String> line(Group group, Metric metric, List<Standing> cases) {
    Peer reference = group.reference();
    double mean =
        Statistics.geometricMean(
            cases.stream().mapToDouble(s -> s.of(reference, metric) / s.subject(metric)).toArray());
    Limit limit = group.family().target(metric);
    boolean judged = judge && group.workers() == Report.TARGET_WORKERS;
    return List.of(
        "%s (%d run), %d workers, %s: %s / catnap"
            .formatted(
                group.family().title(),
                cases.size(),
                group.workers(),
                metric.noun(),
                reference.label()),
        Numbers.figure(mean),
        limit.toString(),
        judged
            ? Verdict.of(limit, mean, new Statistics.Interval(mean, mean)).toString()
            : Verdict.NOT_JUDGED.toString());
  }
}
