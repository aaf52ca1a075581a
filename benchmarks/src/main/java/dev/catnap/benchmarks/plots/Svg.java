package dev.catnap.benchmarks.plots;

import java.util.Locale;

/**
 * An SVG document, element by element. It has no background of its own: its colours are of middling
 * lightness, with a contrast of about 4 to white and to black alike, since a page cannot tell an
 * image which of the two it is shown on.
 */
final class Svg {
  static final String TEXT = "#7a828c";
  static final String SUBJECT = "#2f7fe0";

  /** For lines that only guide the eye. */
  static final String FAINT = "#7a828c55";

  private static final int TITLE_SIZE = 13;
  private static final int LABEL_SIZE = 11;

  private final int width;
  private final StringBuilder elements = new StringBuilder();

  Svg(int width) {
    this.width = width;
  }

  void title(double x, double y, String text) {
    text(x, y, "start", TITLE_SIZE, TEXT, text);
  }

  void left(double x, double y, String colour, String text) {
    text(x, y, "start", LABEL_SIZE, colour, text);
  }

  void centred(double x, double y, String text) {
    text(x, y, "middle", LABEL_SIZE, TEXT, text);
  }

  void right(double x, double y, String colour, String text) {
    text(x, y, "end", LABEL_SIZE, colour, text);
  }

  private void text(double x, double y, String anchor, int size, String colour, String text) {
    add(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>",
            x,
            y,
            anchor,
            size,
            colour,
            escaped(text)));
  }

  void line(double x1, double y1, double x2, double y2, String colour, double thickness) {
    add(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-width=\"%.1f\"/>",
            x1,
            y1,
            x2,
            y2,
            colour,
            thickness));
  }

  void box(double x, double y, double boxWidth, double height, String colour) {
    add(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
            x,
            y,
            boxWidth,
            height,
            colour));
  }

  void dot(double x, double y, String colour) {
    add(
        String.format(
            Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour));
  }

  private void add(String element) {
    elements.append("  ").append(element).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The document, once its height is known. */
  String document(double height) {
    return String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\""
                + " viewBox=\"0 0 %d %.0f\" font-family=\"sans-serif\">%n",
            width,
            height,
            width,
            height)
        + elements
        + "</svg>\n";
  }
}
