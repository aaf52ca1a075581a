package dev.catnap.benchmarks.runner;

import java.util.ArrayList;
import java.util.List;

/** A table of Markdown whose source is aligned too: text to the left, figures to the right. */
final class MarkdownTable {
  private final List<List<String>> lines = new ArrayList<>();
  private final int textColumns;

  /**
   * An empty table.
   *
   * @param textColumns how many of the first columns are text
   * @param headings of all columns
   */
  MarkdownTable(int textColumns, List<String> headings) {
    this.textColumns = textColumns;
    lines.add(List.copyOf(headings));
  }

  void line(List<String> cells) {
    lines.add(List.copyOf(cells));
  }

  @Override
  public String toString() {
    int columns = lines.get(0).size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(Math.max(3, widths[c]), line.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      for (int c = 0; c < columns; c++) {
        String cell = lines.get(i).get(c);
        String fill = " ".repeat(widths[c] - cell.length());
        text.append("| ").append(c < textColumns ? cell + fill : fill + cell).append(' ');
      }
      text.append("|\n");
      if (i == 0) {
        for (int c = 0; c < columns; c++) {
          String rule = "-".repeat(widths[c] + 1);
          text.append('|').append(c < textColumns ? rule + "-" : rule + ":");
        }
        text.append("|\n");
      }
    }
    return text.toString();
  }
}
