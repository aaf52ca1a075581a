package dev.catnap.benchmarks.plots;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * How figures change with the number of workers: one block for each case, in it one panel for each
 * metric, in it one line for each scheduler, with whiskers from the least to the greatest fork.
 * Both axes are logarithmic: a line that is level costs the same with any number of workers.
 */
public final class LinePlot {
  private static final int WIDTH = 900;
  private static final int PANEL_WIDTH = 340;
  private static final int PANEL_HEIGHT = 150;
  private static final int MARGIN = 70;
  private static final int GAP = 90;
  private static final double DECADE = 10;

  /** The first is Catnap's. */
  private static final List<String> COLOURS =
      List.of(Svg.SUBJECT, "#c9731d", "#3c9a50", "#9a6ee0", "#cf4a54", "#8d96a0");

  private final Svg svg = new Svg(WIDTH);
  private final List<String> legend;
  private double y;

  /**
   * A scheduler with one number of workers.
   *
   * @param workers how many
   * @param value the median over forks
   * @param low the least
   * @param high the greatest
   */
  public record Point(int workers, double value, double low, double high) {}

  /**
   * One metric.
   *
   * @param heading its name and unit
   * @param lines the points of each scheduler, in the order of the legend
   */
  public record Panel(String heading, List<List<Point>> lines) {

    /** Copies the list. */
    public Panel {
      lines = List.copyOf(lines);
    }

    private DoubleStream lows() {
      return lines.stream().flatMap(List::stream).mapToDouble(Point::low).filter(v -> v > 0);
    }

    private DoubleStream highs() {
      return lines.stream().flatMap(List::stream).mapToDouble(Point::high).filter(v -> v > 0);
    }

    private int leastWorkers() {
      return lines.stream().flatMap(List::stream).mapToInt(Point::workers).min().orElse(1);
    }

    private int mostWorkers() {
      return lines.stream().flatMap(List::stream).mapToInt(Point::workers).max().orElse(2);
    }
  }

  /**
   * An empty plot.
   *
   * @param schedulers their names, Catnap's first
   */
  public LinePlot(List<String> schedulers) {
    legend = List.copyOf(schedulers);
    y = 16;
    double x = MARGIN;
    for (int i = 0; i < legend.size(); i++) {
      svg.line(x, y - 4, x + 16, y - 4, colour(i), thickness(i));
      svg.left(x + 20, y, colour(i), legend.get(i));
      x += 110;
    }
  }

  private static String colour(int line) {
    return COLOURS.get(line % COLOURS.size());
  }

  private static double thickness(int line) {
    return line == 0 ? 3 : 1.5;
  }

  /**
   * Adds a block.
   *
   * @param title the case
   * @param panels its metrics, of which two have room
   */
  public void add(String title, List<Panel> panels) {
    y += 30;
    svg.title(0, y, title);
    y += 18;
    for (int i = 0; i < panels.size(); i++) {
      if (panels.get(i).highs().findAny().isPresent()) {
        draw(panels.get(i), MARGIN + i * (double) (PANEL_WIDTH + GAP));
      }
    }
    y += 6 + PANEL_HEIGHT + 18;
  }

  private void draw(Panel panel, double left) {
    Axis across = new Axis(panel.leastWorkers(), panel.mostWorkers(), left, left + PANEL_WIDTH);
    double top = y + 6;
    double least = floorOfDecade(panel.lows().min().orElse(1));
    double most = DECADE * floorOfDecade(panel.highs().max().orElse(1));
    Axis up = new Axis(least, most, top + PANEL_HEIGHT, top);
    svg.left(left, y, Svg.TEXT, panel.heading());
    for (double tick = least; tick <= most * 1.01; tick *= DECADE) {
      svg.line(left, up.at(tick), left + PANEL_WIDTH, up.at(tick), Svg.FAINT, 1);
      svg.right(left - 5, up.at(tick) + 4, Svg.TEXT, number(tick));
    }
    panel.lines().stream()
        .flatMap(List::stream)
        .mapToInt(Point::workers)
        .distinct()
        .forEach(n -> svg.centred(across.at(n), top + PANEL_HEIGHT + 14, n + " workers"));
    // Catnap last, on top of the others.
    for (int i = panel.lines().size() - 1; i >= 0; i--) {
      draw(panel.lines().get(i), i, across, up);
    }
  }

  private void draw(List<Point> points, int line, Axis across, Axis up) {
    List<Point> positive = points.stream().filter(p -> p.low() > 0).toList();
    for (int i = 0; i < positive.size(); i++) {
      Point point = positive.get(i);
      double x = across.at(point.workers());
      svg.line(x, up.at(point.low()), x, up.at(point.high()), colour(line), 1);
      svg.dot(x, up.at(point.value()), colour(line));
      if (i > 0) {
        Point before = positive.get(i - 1);
        double fromX = across.at(before.workers());
        svg.line(
            fromX, up.at(before.value()), x, up.at(point.value()), colour(line), thickness(line));
      }
    }
  }

  private static double floorOfDecade(double value) {
    return Math.pow(DECADE, Math.floor(Math.log10(value)));
  }

  private static String number(double decade) {
    return decade >= 1 ? String.format(Locale.ROOT, "%,.0f", decade) : "" + decade;
  }

  /** A logarithmic axis from a pixel to another. */
  private record Axis(double least, double most, double from, double to) {
    double at(double value) {
      return from + (to - from) * Math.log(value / least) / Math.log(most / least);
    }
  }

  /**
   * The plot.
   *
   * @return an SVG document
   */
  public String document() {
    return svg.document(y + 4);
  }
}
