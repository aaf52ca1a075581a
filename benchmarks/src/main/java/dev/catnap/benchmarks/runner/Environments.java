package dev.catnap.benchmarks.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Where and when the rows ran: what is the same for all, and then a line for each run. */
final class Environments {
  private final List<RunData> runs;
  private final List<String> shared = new ArrayList<>();
  private final List<String> own = new ArrayList<>();

  Environments(List<RunData> runs) {
    this.runs = runs;
    Set<String> names = new LinkedHashSet<>();
    runs.forEach(run -> names.addAll(run.environment().keySet()));
    for (String name : names) {
      (values(name).size() == 1 ? shared : own).add(name);
    }
  }

  private Set<String> values(String name) {
    return runs.stream().map(run -> value(run, name)).collect(Collectors.toSet());
  }

  private static String value(RunData run, String name) {
    return run.environment().getOrDefault(name, "-");
  }

  private Map<List<String>, List<String>> rowsByFacts() {
    Map<List<String>, List<String>> rows = new LinkedHashMap<>();
    for (RunData run : runs) {
      List<String> facts = own.stream().map(name -> value(run, name)).toList();
      List<String> ids = rows.computeIfAbsent(facts, f -> new ArrayList<>());
      run.rows().forEach(row -> ids.add(row.id()));
    }
    return rows;
  }

  /** As Markdown. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    MarkdownTable same = new MarkdownTable(2, List.of("environment", ""));
    shared.forEach(name -> same.line(List.of(name, value(runs.get(0), name))));
    text.append(same);
    if (!own.isEmpty()) {
      List<String> headings = new ArrayList<>(List.of("rows"));
      headings.addAll(own);
      MarkdownTable lines = new MarkdownTable(headings.size(), headings);
      rowsByFacts()
          .forEach(
              (facts, rows) -> {
                List<String> cells = new ArrayList<>(List.of(String.join(", ", rows)));
                cells.addAll(facts);
                lines.line(cells);
              });
      text.append('\n').append(lines);
    }
    return text.toString();
  }
}
