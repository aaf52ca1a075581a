package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Limit;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One line per target of every row and case, those that were not run included; with the number of
 * workers that targets are for, if it was run.
 */
final class PageSummary {
  private static final String NOTHING = "-";

  private final List<Outcome> outcomes;
  private final Map<Outcome, List<Claim>> ratios;
  private final Judge judge;
  private final boolean hasTargetWorkers;

  PageSummary(List<Outcome> outcomes, Map<Outcome, List<Claim>> ratios, Judge judge) {
    this.outcomes = outcomes;
    this.ratios = ratios;
    this.judge = judge;
    hasTargetWorkers =
        outcomes.stream()
            .map(Outcome::measured)
            .anyMatch(m -> m.program().sizes() == null && m.workers() == Judge.TARGET_WORKERS);
  }

  /** Whether this number of workers stands for the case. */
  boolean isShown(Measured measured) {
    return !hasTargetWorkers || Judge.isForTargets(measured);
  }

  @Override
  public String toString() {
    MarkdownTable table =
        new MarkdownTable(
            3, List.of("row", "case", "compared", "workers", "figure", "95%", "target", "verdict"));
    for (Row row : Rows.ALL) {
      for (Case program : row.cases()) {
        lines(row, program).forEach(table::line);
      }
    }
    Scaling scaling = new Scaling(judge);
    List<Claim> several = new ArrayList<>(scaling.summary(outcomes));
    if (several.stream().noneMatch(claim -> claim.row().equals(Scaling.ROW))) {
      table.line(empty(Scaling.ROW, "all C and V cases", "not run: needs --workers 2,8,64"));
    }
    several.addAll(new Families(judge).of(outcomes));
    several.forEach(claim -> table.line(line(claim)));
    return table.toString();
  }

  private List<List<String>> lines(Row row, Case program) {
    List<Outcome> run =
        outcomes.stream()
            .filter(outcome -> outcome.measured().program().equals(program))
            .filter(outcome -> isShown(outcome.measured()))
            .toList();
    if (run.isEmpty()) {
      return List.of(empty(row.id(), program.name(), "not run"));
    }
    List<List<String>> lines = new ArrayList<>();
    for (Outcome outcome : run) {
      if (outcome.measured().isComplete()) {
        ratios.getOrDefault(outcome, List.of()).forEach(claim -> lines.add(line(claim)));
      } else {
        lines.add(empty(row.id(), program.name(), "forks failed"));
      }
    }
    return lines;
  }

  private static List<String> empty(String row, String program, String why) {
    return List.of(row, program, why, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING);
  }

  private static List<String> line(Claim claim) {
    Limit limit = claim.limit();
    return List.of(
        claim.row(),
        claim.program(),
        claim.what(),
        Integer.toString(claim.workers()),
        Numbers.figure(claim.value()),
        Numbers.range(claim.interval()),
        limit == null ? NOTHING : limit.toString(),
        claim.verdict().toString());
  }
}
