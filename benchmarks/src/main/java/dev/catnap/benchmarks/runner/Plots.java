package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Standing;
import dev.catnap.benchmarks.plots.BarPlot;
import dev.catnap.benchmarks.plots.LinePlot;
import dev.catnap.benchmarks.runner.Statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The plots of a row: of its first two columns that have a range. */
final class Plots {
  private static final int PANELS = 2;

  private Plots() {}

  /** All schedulers beside the best peer. */
  static String bars(List<Measured> cases) {
    BarPlot plot = new BarPlot();
    for (Measured measured : cases) {
      plot.add(
          measured.program().name() + ", " + measured.workers() + " workers",
          metrics(measured).stream().map(metric -> panel(measured, metric)).toList());
    }
    return plot.document();
  }

  private static List<Metric> metrics(Measured measured) {
    return measured.program().columns().stream().filter(Metric::isRanged).limit(PANELS).toList();
  }

  private static BarPlot.Panel panel(Measured measured, Metric metric) {
    Standing standing = measured.standing();
    double best = standing.of(standing.bestPeer(metric), metric);
    Peer subject = measured.program().lineup().subject();
    List<BarPlot.Bar> bars = new ArrayList<>();
    for (Peer peer : measured.peers()) {
      Interval range = Statistics.range(measured.figures(peer, metric));
      double value = standing.of(peer, metric);
      bars.add(
          new BarPlot.Bar(
              peer.label(),
              peer.equals(subject),
              value,
              range.low(),
              range.high(),
              Numbers.figure(value) + " " + Numbers.range(range)));
    }
    return new BarPlot.Panel(metric.heading(), best, bars);
  }

  /** All schedulers with more and more workers; the cases have the same lineup. */
  static String lines(List<Series> cases) {
    List<Peer> peers = cases.get(0).program().lineup().all();
    LinePlot plot = new LinePlot(peers.stream().map(Peer::label).toList());
    for (Series series : cases) {
      plot.add(
          series.program().name(),
          metrics(series.byWorkers().firstEntry().getValue()).stream()
              .map(metric -> panel(series, peers, metric))
              .toList());
    }
    return plot.document();
  }

  private static LinePlot.Panel panel(Series series, List<Peer> peers, Metric metric) {
    return new LinePlot.Panel(
        metric.heading(), peers.stream().map(peer -> line(series, peer, metric)).toList());
  }

  private static List<LinePlot.Point> line(Series series, Peer peer, Metric metric) {
    List<LinePlot.Point> points = new ArrayList<>();
    for (Map.Entry<Integer, Measured> entry : series.byWorkers().entrySet()) {
      double[] figures = entry.getValue().figures(peer, metric);
      if (figures.length == 0) {
        continue; // it did not run with that number
      }
      Interval range = Statistics.range(figures);
      points.add(
          new LinePlot.Point(
              entry.getKey(), Statistics.median(figures), range.low(), range.high()));
    }
    return points;
  }
}
