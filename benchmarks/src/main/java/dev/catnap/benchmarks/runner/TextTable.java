package dev.catnap.benchmarks.runner;

import java.util.ArrayList;
import java.util.List;

/** A table of text with aligned columns: the first to the left, the others to the right. */
final class TextTable {
  private static final String INDENT = "  ";
  private static final String GAP = "  ";

  private final List<List<String>> lines = new ArrayList<>();

  void line(List<String> cells) {
    lines.add(List.copyOf(cells));
  }

  @Override
  public String toString() {
    int columns = lines.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int c = 0; c < line.size(); c++) {
        widths[c] = Math.max(widths[c], line.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder(INDENT);
      for (int c = 0; c < line.size(); c++) {
        String fill = " ".repeat(widths[c] - line.get(c).length());
        row.append(c == 0 ? line.get(c) + fill : GAP + fill + line.get(c));
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
