package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.OtherBuild;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * This build beside another one, in one run. Above 1 this one is better.
 *
 * @param judge makes the claims; there are no targets
 */
record Builds(Judge judge) {
  /** What is compared in each case. */
  static List<Ratio> ratios(OtherBuild other) {
    return Families.METRICS.stream()
        .map(
            metric ->
                new Ratio(
                    s -> text(metric, other), s -> s.of(other, metric) / s.subject(metric), null))
        .toList();
  }

  /** The geometric means, for each number of workers. */
  List<Claim> of(List<Outcome> outcomes) {
    Map<Integer, List<Measured>> byWorkers =
        outcomes.stream()
            .map(Outcome::measured)
            .filter(m -> m.isComplete() && m.otherBuild() != null && m.program().isTimed())
            .collect(Collectors.groupingBy(Measured::workers, TreeMap::new, Collectors.toList()));
    List<Claim> claims = new ArrayList<>();
    byWorkers.forEach(
        (workers, cases) ->
            Families.METRICS.forEach(metric -> claims.add(mean(workers, metric, cases))));
    return claims;
  }

  private Claim mean(int workers, Metric metric, List<Measured> cases) {
    return judge.of(
        "",
        "geometric mean of %d cases".formatted(cases.size()),
        workers,
        text(metric, other(cases.get(0))),
        Families.mean(cases, Builds::other, metric),
        null,
        false);
  }

  private static OtherBuild other(Measured measured) {
    return Objects.requireNonNull(measured.otherBuild());
  }

  private static String text(Metric metric, OtherBuild other) {
    return "%s: %s / %s".formatted(metric.noun(), other.label(), other.subject().label());
  }
}
