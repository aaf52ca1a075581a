package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.plan.Standing;
import java.util.ArrayList;
import java.util.List;

/** The tables of one case. */
final class Report {
  /**
   * So many cores busy with something else warrant a warning; fewer are lost in the clocks' ticks.
   */
  static final double FOREIGN_CORES = 0.1;

  private final Judge judge;

  Report(Judge judge) {
    this.judge = judge;
  }

  String of(Outcome outcome) {
    Row row = outcome.row();
    Measured measured = outcome.measured();
    Case program = measured.program();
    StringBuilder text = new StringBuilder();
    text.append(row.id()).append("  ").append(row.title()).append(": ").append(program.name());
    text.append("; ").append(measured.workers()).append(" workers\n");
    text.append(figures(measured));
    if (measured.isComplete()) {
      List<Claim> claims = judge.of(outcome);
      text.append(claims.isEmpty() ? "" : "\n" + ratios(claims));
    } else {
      text.append("  not compared: forks failed\n");
    }
    return text.append(foreign(measured)).toString();
  }

  private static TextTable figures(Measured measured) {
    Case program = measured.program();
    TextTable table = new TextTable();
    List<String> headings = new ArrayList<>(List.of("per operation"));
    for (Metric metric : program.columns()) {
      headings.add(metric.heading());
      if (metric.isRanged()) {
        headings.add("[range]");
      }
      if (hasFloor(measured, metric)) {
        headings.add("over floor");
      }
    }
    table.line(headings);
    for (Peer peer : measured.peers()) {
      table.line(figures(measured, peer));
    }
    return table;
  }

  private static List<String> figures(Measured measured, Peer peer) {
    Case program = measured.program();
    Standing standing = measured.standing();
    boolean isFloor = peer.equals(program.lineup().floor());
    List<String> cells = new ArrayList<>();
    cells.add(name(measured, peer));
    for (Metric metric : program.columns()) {
      double[] figures = measured.figures(peer, metric);
      cells.add(Numbers.figure(Statistics.median(figures)));
      if (metric.isRanged()) {
        cells.add(Numbers.range(Statistics.range(figures)));
      }
      if (hasFloor(measured, metric)) {
        cells.add(
            isFloor || peer instanceof NativePeer
                ? ""
                : Numbers.figure(standing.overhead(peer, metric)));
      }
    }
    return cells;
  }

  /** What a peer is called in a table. */
  static String name(Measured measured, Peer peer) {
    if (peer instanceof NativePeer) {
      return peer.label() + " (native)";
    }
    return peer.label() + (peer.equals(measured.program().lineup().floor()) ? " (floor)" : "");
  }

  /** Only of the first column: a floor's allocations are nobody's measure. */
  private static boolean hasFloor(Measured measured, Metric metric) {
    Peer floor = measured.program().lineup().floor();
    return floor != null
        && measured.lineup().contains(floor)
        && metric == measured.program().columns().get(0);
  }

  private static TextTable ratios(List<Claim> claims) {
    TextTable table = new TextTable();
    table.line(List.of("ratio of medians", "", "[95%]", "target", ""));
    claims.forEach(claim -> table.line(claim.cells()));
    return table;
  }

  /** What was computed from several cases; empty of nothing. */
  static String of(String heading, List<Claim> claims) {
    if (claims.isEmpty()) {
      return "";
    }
    TextTable table = new TextTable();
    table.line(List.of(heading, "", "[95%]", "target", ""));
    claims.forEach(claim -> table.line(claim.cellsWithCase()));
    return table.toString();
  }

  private static String foreign(Measured measured) {
    double most = foreignCores(measured);
    return most > FOREIGN_CORES
        ? "  WARNING: the machine was not idle: others used up to "
            + Numbers.figure(most)
            + " cores during a fork\n"
        : "";
  }

  /** The most that others took from a fork. */
  static double foreignCores(Measured measured) {
    return measured.lineup().stream()
        .mapToDouble(peer -> Statistics.range(measured.figures(peer, Metric.FOREIGN)).high())
        .max()
        .orElse(Double.NaN);
  }
}
