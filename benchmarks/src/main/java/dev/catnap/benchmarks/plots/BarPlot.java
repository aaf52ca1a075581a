package dev.catnap.benchmarks.plots;

import java.util.ArrayList;
import java.util.List;

/**
 * Bars with whiskers from the least to the greatest fork, in multiples of the best peer: one block
 * for each case, in it one panel for each metric, in it one bar for each scheduler. Bars that would
 * dwarf the others are cut, and end in an arrow; their figures are beside them.
 */
public final class BarPlot {
  private static final int WIDTH = 900;
  private static final int LABELS = 110;
  private static final int PANEL = 390;
  private static final int BARS = 235;
  private static final int BAR = 12;
  private static final int STEP = 18;

  /** Enough to see who is slow; how slow is in the figures. */
  private static final double MOST = 4;

  private static final String PEER = "#8d96a080";

  private final Svg svg = new Svg(WIDTH);
  private double y;

  /**
   * One scheduler.
   *
   * @param label its name
   * @param isSubject whether it is Catnap, which stands out
   * @param value the median over forks
   * @param low the least
   * @param high the greatest
   * @param text the figures
   */
  public record Bar(
      String label, boolean isSubject, double value, double low, double high, String text) {}

  /**
   * One metric.
   *
   * @param heading its name and unit
   * @param best the best peer's figure
   * @param bars all schedulers
   */
  public record Panel(String heading, double best, List<Bar> bars) {

    /** Copies the list. */
    public Panel {
      bars = List.copyOf(bars);
    }
  }

  /**
   * Adds a block.
   *
   * @param title the case
   * @param panels its metrics, of which two have room
   */
  public void add(String title, List<Panel> panels) {
    y += 22;
    svg.title(0, y, title);
    y += 18;
    double bottom = y;
    for (int i = 0; i < panels.size(); i++) {
      bottom = Math.max(bottom, draw(panels.get(i), LABELS + i * (double) (PANEL + 10), i == 0));
    }
    y = bottom + 14;
  }

  private double draw(Panel panel, double x, boolean labelled) {
    double unit = panel.best() > 0 ? panel.best() : 1;
    double most =
        Math.min(MOST, panel.bars().stream().mapToDouble(b -> b.high() / unit).max().orElse(1));
    double scale = BARS / Math.max(1, most);
    svg.left(x, y, Svg.TEXT, panel.heading());
    double top = y + 6;
    double bottom = top + panel.bars().size() * (double) STEP;
    for (int tick = 0; tick <= Math.max(1, most); tick++) {
      double at = x + tick * scale;
      svg.line(at, top, at, bottom, tick == 1 ? Svg.TEXT : Svg.FAINT, 1);
      svg.centred(at, bottom + 12, tick + (tick == 1 ? " = best peer" : ""));
    }
    double row = top;
    for (Bar bar : panel.bars()) {
      if (labelled) {
        svg.right(x - 6, row + BAR, bar.isSubject() ? Svg.SUBJECT : Svg.TEXT, bar.label());
      }
      if (!Double.isNaN(bar.value())) {
        draw(bar, x, row + (STEP - BAR) / 2.0, unit, scale);
      }
      row += STEP;
    }
    return bottom + 12;
  }

  private void draw(Bar bar, double x, double top, double unit, double scale) {
    double end = BARS + 4;
    double length = Math.min(end, bar.value() / unit * scale);
    String colour = bar.isSubject() ? Svg.SUBJECT : PEER;
    svg.box(x, top, length, BAR, colour);
    double middle = top + BAR / 2.0;
    double low = Math.min(end, bar.low() / unit * scale);
    double high = Math.min(end, bar.high() / unit * scale);
    svg.line(x + low, middle, x + high, middle, Svg.TEXT, 1.5);
    List<Double> ends = new ArrayList<>(List.of(low));
    if (high < end) {
      ends.add(high);
    } else {
      svg.line(x + end - 4, middle - 4, x + end + 2, middle, Svg.TEXT, 1.5);
      svg.line(x + end - 4, middle + 4, x + end + 2, middle, Svg.TEXT, 1.5);
    }
    for (double at : ends) {
      svg.line(x + at, middle - 4, x + at, middle + 4, Svg.TEXT, 1.5);
    }
    svg.left(x + BARS + 10, top + BAR - 2, bar.isSubject() ? Svg.SUBJECT : Svg.TEXT, bar.text());
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
