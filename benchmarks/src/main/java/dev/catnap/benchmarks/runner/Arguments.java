package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.OtherBuild;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the command line. */
final class Arguments {
  static final String USAGE =
      """
      Usage: benchmarks/run [ROW ...] [OPTION ...]
        ROW             rows to run, such as C1; if none is given, %s
        --short         at most two minutes: shows that everything works, the figures mean nothing
        --workers LIST  numbers of workers, such as 2,8,64; 2 if not given (targets are for 2)
        --forks N       JVMs per scheduler, at least %d without --short; %d if not given
        --http          also %s, for which wrk must be installed
        --native        also Rayon, Go and Tokio, each if its Debian packages are there
        --out FILE      writes raw data and the environment as JSON
        --page          writes docs/performance-results.md with its plots; --page FILE.md elsewhere.
                        What each JVM measured goes to results/ beside it, a file for each row; of rows
                        that do not run this time the page has what is there
        --from FILE     takes rows for the page from the raw data of an earlier run, without a run
        --against DIR   Catnap alone, beside Catnap as it was built in another checkout, such as a worktree
                        of an earlier commit
        --no-build      runs what was built before
        --help          this
      """
          .formatted(ids(Rows.USUAL), Pace.LEAST_FORKS, Pace.FULL.forks(), ids(Rows.HTTP));

  static final Path PAGE =
      Path.of(System.getProperty("catnap.benchmarks.docs", "docs"), "performance-results.md");

  private final List<Row> rows = new ArrayList<>();
  private List<Integer> workers = List.of(2);
  private boolean quick;
  private boolean http;
  private boolean natives;
  private @Nullable Integer forks;
  private @Nullable Path out;
  private @Nullable Path page;
  private @Nullable Path against;
  private final List<Path> from = new ArrayList<>();

  private Arguments() {}

  /**
   * Reads them.
   *
   * @param args the command line, without what the script takes for itself
   * @return the settings
   * @throws IllegalArgumentException with a sentence for the user
   */
  static Settings parse(List<String> args) {
    Arguments parsed = new Arguments();
    Deque<String> left = new ArrayDeque<>(args);
    while (!left.isEmpty()) {
      parsed.next(left.removeFirst(), left);
    }
    return parsed.settings();
  }

  private void next(String arg, Deque<String> left) {
    switch (arg) {
      case "--short" -> quick = true;
      case "--http" -> http = true;
      case "--native" -> natives = true;
      case "--workers" ->
          workers = Stream.of(value(arg, left).split(",", -1)).map(n -> count(arg, n)).toList();
      case "--forks" -> forks = count(arg, value(arg, left));
      case "--out" -> out = Path.of(value(arg, left));
      case "--page" -> page = isPage(left.peekFirst()) ? Path.of(left.removeFirst()) : PAGE;
      case "--against" -> against = Path.of(value(arg, left));
      case "--from" -> from.add(Path.of(value(arg, left)));
      default -> rows.add(row(arg));
    }
  }

  private Settings settings() {
    int leastForks = quick ? 1 : Pace.LEAST_FORKS;
    int chosenForks = forks != null ? forks : (quick ? Pace.SHORT : Pace.FULL).forks();
    if (chosenForks < leastForks) {
      throw new IllegalArgumentException(
          "fewer than " + leastForks + " forks show no spread: " + chosenForks);
    }
    List<Row> chosen = new ArrayList<>(rows.isEmpty() ? Rows.USUAL : rows);
    if (http) {
      Rows.HTTP.stream().filter(row -> !chosen.contains(row)).forEach(chosen::add);
    }
    if (against != null) {
      requireComparable(against, chosen);
    }
    return new Settings(
        chosen,
        workers,
        quick,
        chosenForks,
        out,
        page == null && !from.isEmpty() ? PAGE : page,
        natives,
        from,
        against);
  }

  /** Now, and not in the middle of a run: that there is another build, and a JVM for each. */
  private void requireComparable(Path checkout, List<Row> chosen) {
    if (quick || natives || page != null || !from.isEmpty()) {
      throw new IllegalArgumentException(
          "--against is for a run of two builds, without --short, --native, --page and --from");
    }
    if (chosen.stream().anyMatch(Rows.HTTP::contains)) {
      throw new IllegalArgumentException(
          "--against cannot run " + ids(Rows.HTTP) + ", whose servers have JVMs of their own");
    }
    List<Path> ignored = OtherBuild.classes(checkout);
  }

  private static boolean isPage(@Nullable String value) {
    return value != null && value.endsWith(".md");
  }

  private static String value(String option, Deque<String> left) {
    String value = left.pollFirst();
    if (value == null) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return value;
  }

  private static int count(String option, String value) {
    try {
      int count = Integer.parseInt(value);
      if (count > 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // The same sentence as for zero.
    }
    throw new IllegalArgumentException(option + " needs numbers above zero: " + value);
  }

  private static Row row(String id) {
    return Rows.ALL.stream()
        .filter(row -> row.id().equalsIgnoreCase(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no row or option " + id + "; rows: " + ids(Rows.ALL)));
  }

  private static String ids(List<Row> rows) {
    return rows.stream().map(Row::id).collect(Collectors.joining(", "));
  }
}
