package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads what {@link RawData} wrote; the rows must still have the same cases and peers. */
final class SavedRun {

  private SavedRun() {}

  /**
   * Reads a run.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it is no raw data of these rows
   */
  static RunData read(Path file) throws IOException {
    try {
      return run(object(Json.parse(Files.readString(file))));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private static RunData run(Map<?, ?> run) {
    Map<String, String> environment = new LinkedHashMap<>();
    object(run.get("environment"))
        .forEach((name, value) -> environment.put(text(name), text(value)));
    List<Outcome> outcomes = new ArrayList<>();
    for (Object element : array(run.get("cases"))) {
      outcomes.add(outcome(object(element)));
    }
    return new RunData(environment, Boolean.TRUE.equals(run.get("short")), outcomes);
  }

  private static Outcome outcome(Map<?, ?> saved) {
    String id = text(saved.get("row"));
    String name = text(saved.get("case"));
    Row row = find(Rows.ALL.stream().filter(r -> r.id().equals(id)).findFirst().orElse(null), id);
    Case program =
        find(
            row.cases().stream().filter(c -> c.name().equals(name)).findFirst().orElse(null), name);
    Map<?, ?> forks = object(saved.get("forks"));
    List<Peer> lineup =
        program.lineup().all().stream().filter(peer -> forks.containsKey(peer.label())).toList();
    Measured measured =
        new Measured(program, count(saved.get("workers")), count(saved.get("wanted")), lineup);
    if (!lineup.contains(program.lineup().subject())) {
      throw new IllegalArgumentException("raw data without Catnap's figures of " + id + " " + name);
    }
    for (Peer peer : lineup) {
      for (Object fork : array(forks.get(peer.label()))) {
        measured.add(peer, fork(object(fork)));
      }
    }
    for (Peer peer : program.nativePeers()) {
      Object found = forks.get(peer.label());
      for (Object fork : found == null ? List.of() : array(found)) {
        measured.add(peer, fork(object(fork)));
      }
    }
    return new Outcome(row, measured);
  }

  private static Fork fork(Map<?, ?> saved) {
    Map<Metric, Double> figures = new EnumMap<>(Metric.class);
    for (Metric metric : Metric.values()) {
      if (saved.get(metric.name()) instanceof Double figure) {
        figures.put(metric, figure);
      }
    }
    return new Fork(figures);
  }

  private static <T> T find(@Nullable T found, String name) {
    if (found == null) {
      throw new IllegalArgumentException("raw data of other rows: there is no " + name);
    }
    return found;
  }

  private static Map<?, ?> object(@Nullable Object value) {
    return expect(Map.class, value);
  }

  private static List<?> array(@Nullable Object value) {
    return expect(List.class, value);
  }

  private static String text(@Nullable Object value) {
    return expect(String.class, value);
  }

  private static int count(@Nullable Object value) {
    return expect(Double.class, value).intValue();
  }

  private static <T> T expect(Class<T> type, @Nullable Object value) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "not raw data of a run: " + type.getSimpleName() + " expected");
    }
    return Objects.requireNonNull(type.cast(value));
  }
}
