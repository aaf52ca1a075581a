package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The geometric means over the cases of a family that were run.
 *
 * @param judge holds them against their targets
 */
record Families(Judge judge) {
  static final String HEADING = "over all cases that were run";

  static final List<Metric> METRICS = List.of(Metric.TIME, Metric.CPU);

  private record Group(Family family, Peer reference, int workers) {}

  List<Claim> of(List<Outcome> outcomes) {
    Map<Group, List<Measured>> groups = new LinkedHashMap<>();
    for (Outcome outcome : outcomes) {
      Family family = outcome.row().family();
      Peer reference = family.reference();
      Measured measured = outcome.measured();
      if (reference != null && measured.isComplete() && measured.program().isTimed()) {
        groups
            .computeIfAbsent(
                new Group(family, reference, measured.workers()), g -> new ArrayList<>())
            .add(measured);
      }
    }
    List<Claim> claims = new ArrayList<>();
    groups.forEach(
        (group, cases) -> METRICS.forEach(metric -> claims.add(claim(group, metric, cases))));
    return claims;
  }

  private Claim claim(Group group, Metric metric, List<Measured> cases) {
    return judge.of(
        "",
        meanOf(group.family(), cases),
        group.workers(),
        "%s: %s / catnap".formatted(metric.noun(), group.reference().label()),
        mean(cases, m -> group.reference(), metric),
        group.family().target(metric),
        group.workers() == Judge.TARGET_WORKERS);
  }

  static String meanOf(Family family, List<Measured> cases) {
    return "geometric mean of %s (%d run)".formatted(family.title(), cases.size());
  }

  /** How many times Catnap's figure the reference's is. */
  static ToDoubleFunction<Draw> mean(
      List<Measured> cases, Function<Measured, Peer> reference, Metric metric) {
    return draw ->
        Statistics.geometricMean(
            cases.stream()
                .mapToDouble(
                    m ->
                        draw.figure(m, reference.apply(m), metric)
                            / draw.figure(m, m.program().lineup().subject(), metric))
                .toArray());
  }
}
