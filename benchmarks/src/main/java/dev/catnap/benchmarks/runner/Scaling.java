package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Limit;
import dev.catnap.benchmarks.plan.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Row S1, which has no benchmark of its own: every C and V case with more workers than cores,
 * beside itself with two. And the cases that have such a target for numbers of workers of their
 * own.
 *
 * @param judge holds them against their targets
 */
record Scaling(Judge judge) {
  static final String ROW = "S1";
  static final String HEADING = "with more workers";
  static final String TITLE =
      "every C and V row again with more workers than cores (the pod with a small share of a big"
          + " node)";

  private static final List<Metric> METRICS = List.of(Metric.TIME, Metric.CPU);
  private static final Set<Integer> JUDGED = Set.of(8, 64);
  private static final Limit GROWTH = Limit.atMost(1.2);

  /** Where peers that wake or spin too many threads collapse. */
  private static final int MANY = 64;

  private static final Limit LEAD = Limit.atLeast(10);

  /** Per family, number of workers and metric the case that grew most; and the lead over peers. */
  List<Claim> summary(List<Outcome> outcomes) {
    List<Claim> claims = new ArrayList<>();
    for (List<Series> family : families(outcomes).values()) {
      for (int workers : sizes(family)) {
        for (Metric metric : METRICS) {
          claims.add(worst(family, workers, metric));
        }
      }
    }
    claims.addAll(lead(outcomes));
    claims.addAll(ownSizes(outcomes));
    return claims;
  }

  /** What each case costs, as a multiple of what it costs with two workers. */
  List<Claim> cases(List<Outcome> outcomes) {
    List<Claim> claims = new ArrayList<>();
    for (List<Series> family : families(outcomes).values()) {
      for (Series series : family) {
        for (int workers : sizes(List.of(series))) {
          for (Metric metric : METRICS) {
            claims.add(
                judge.of(
                    ROW,
                    series.label(),
                    workers,
                    growthText(metric, Judge.TARGET_WORKERS),
                    series.growth(Judge.TARGET_WORKERS, workers, metric),
                    GROWTH,
                    JUDGED.contains(workers)));
          }
        }
      }
    }
    return claims;
  }

  private static String growthText(Metric metric, int base) {
    return metric.noun() + ": catnap / catnap with " + base;
  }

  private static Map<Family, List<Series>> families(List<Outcome> outcomes) {
    Map<Family, List<Series>> families = new LinkedHashMap<>();
    for (Series series : Series.of(outcomes)) {
      Family family = series.row().family();
      if (family.reference() != null
          && series.program().isTimed()
          && series.has(Judge.TARGET_WORKERS)) {
        families.computeIfAbsent(family, f -> new ArrayList<>()).add(series);
      }
    }
    return families;
  }

  private static Set<Integer> sizes(List<Series> all) {
    Set<Integer> sizes = new TreeSet<>();
    all.forEach(series -> sizes.addAll(series.byWorkers().keySet()));
    sizes.removeIf(workers -> workers <= Judge.TARGET_WORKERS);
    return sizes;
  }

  private Claim worst(List<Series> all, int workers, Metric metric) {
    List<Series> family = all.stream().filter(series -> series.has(workers)).toList();
    ToDoubleFunction<Draw> greatest =
        draw ->
            family.stream()
                .mapToDouble(
                    s -> s.growth(Judge.TARGET_WORKERS, workers, metric).applyAsDouble(draw))
                .max()
                .orElse(Double.NaN);
    String title = all.get(0).row().family().title();
    return judge.of(
        ROW,
        "the worst of %s (%d run)".formatted(title, family.size()),
        workers,
        growthText(metric, Judge.TARGET_WORKERS),
        greatest,
        GROWTH,
        JUDGED.contains(workers));
  }

  private List<Claim> lead(List<Outcome> outcomes) {
    List<Measured> cases =
        outcomes.stream()
            .filter(outcome -> outcome.row().family().equals(Family.COROUTINES))
            .map(Outcome::measured)
            .filter(
                measured ->
                    measured.workers() == MANY
                        && measured.isComplete()
                        && measured.program().isTimed())
            .toList();
    if (cases.isEmpty()) {
      return List.of();
    }
    Peer reference = Objects.requireNonNull(Family.COROUTINES.reference());
    return List.of(
        judge.of(
            ROW,
            Families.meanOf(Family.COROUTINES, cases),
            MANY,
            "time: %s / catnap".formatted(reference.label()),
            Families.mean(cases, m -> reference, Metric.TIME),
            LEAD,
            true));
  }

  /** The time with the most of a case's own numbers of workers beside that with the fewest. */
  List<Claim> ownSizes(List<Outcome> outcomes) {
    List<Claim> claims = new ArrayList<>();
    for (Series series : Series.of(outcomes)) {
      var sizes = series.program().sizes();
      if (sizes != null && sizes.growth().isPresent() && series.hasAll(sizes.workers())) {
        int least = series.byWorkers().firstKey();
        int most = series.byWorkers().lastKey();
        claims.add(
            judge.of(
                series.row().id(),
                series.program().name(),
                most,
                growthText(sizes.metric(), least),
                series.growth(least, most, sizes.metric()),
                Limit.atMost(sizes.growth().getAsDouble()),
                true));
      }
    }
    return claims;
  }
}
