package dev.catnap.samples.guide;

import dev.catnap.Flavor;
import dev.catnap.samples.guide.ChoosingAPool.Alone;
import dev.catnap.samples.guide.ChoosingAPool.Beside;
import dev.catnap.samples.guide.ChoosingAPool.Case;
import dev.catnap.samples.guide.ChoosingAPool.Extent;
import dev.catnap.samples.guide.ChoosingAPool.Figure;
import dev.catnap.samples.guide.ChoosingAPool.Load;
import dev.catnap.samples.guide.ChoosingAPool.Place;
import dev.catnap.samples.guide.ChoosingAPool.Row;
import dev.catnap.samples.guide.ChoosingAPool.Together;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tables of the page about choosing, and whether the work was what the page says. */
final class ChoosingAPoolReport {
  static final String BEGIN =
      "<!-- Measured: written by samples/run choosing-a-pool --page; do not edit. -->";
  static final String END = "<!-- End of what is measured. -->";

  /** Work may cost so much more or less than the page says. */
  private static final double TOLERANCE = 0.2;

  private static final List<Figure> ANSWERS =
      List.of(Figure.P50_MICROS, Figure.P99_MICROS, Figure.LIGHT_P99_MICROS);
  private static final List<Figure> LATE = List.of(Figure.LATE_P50_MICROS, Figure.LATE_P99_MICROS);

  private final Extent extent;
  private final Map<Case, List<Row>> rows;
  private final String command;

  ChoosingAPoolReport(Extent extent, Map<Case, List<Row>> rows, String command) {
    this.extent = extent;
    this.rows = rows;
    this.command = command;
  }

  /** What stands in the page. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(environment());
    lines.add("");
    table(
        lines,
        "server alone, at " + percent(ChoosingAPool.SERVER_SHARE),
        ChoosingAPool.flavors(),
        Figure.LIST_MILLIS,
        String.format(Locale.ROOT, "list of %.0f ms, ms", listMillis()));
    lines.add("");
    comparisons(lines, "list");
    for (Load load : Load.values()) {
      comparison(
          lines,
          name(load) + ": stealing / thread per core",
          new Alone(load, Flavor.WORK_STEALING),
          new Alone(load, Flavor.THREAD_PER_CORE),
          Figure.LIST_MILLIS);
    }
    lines.add("");
    table(
        lines,
        "server at " + percent(ChoosingAPool.SERVER_SHARE_BESIDE) + " beside computations",
        ChoosingAPool.pools(),
        Figure.COMPUTATIONS,
        "computations, per s");
    lines.add("");
    comparisons(lines, "computations");
    for (Load load : Load.values()) {
      for (Beside beside : List.of(Beside.IN_PARTS, Beside.AS_ONE)) {
        comparison(lines, load, beside, Place.ITS_BACKGROUND, Place.THE_SAME_POOL);
        comparison(lines, load, beside, Place.ANOTHER_POOL, Place.THE_SAME_POOL);
        comparison(lines, load, beside, Place.ANOTHER_POOL, Place.ITS_BACKGROUND);
      }
    }
    return lines;
  }

  private List<String> environment() {
    List<String> lines = new ArrayList<>();
    lines.add("| | |");
    lines.add("|---|---|");
    lines.add("| date | " + LocalDate.now(ZoneOffset.UTC) + " |");
    lines.add("| command | `samples/run " + command.strip() + "` |");
    lines.add("| commit | " + System.getProperty("samples.commit", "unknown") + " |");
    lines.add("| processor | " + processor() + " x " + extent.workers() + " |");
    lines.add(
        "| system | "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + ", load average before "
            + System.getProperty("samples.load", "unknown")
            + " |");
    lines.add(
        "| JDK | " + System.getProperty("java.vendor.version") + " " + Runtime.version() + " |");
    lines.add(
        String.format(
            Locale.ROOT,
            "| extent | %d rounds of all rows, %.1f s for each latency; median [least..most] of the"
                + " rounds |",
            extent.rounds(),
            extent.seconds()));
    lines.add(
        String.format(
            Locale.ROOT,
            "| server | %d workers, %d connections; 50 %% is %,.0f requests per second |",
            extent.workers(),
            extent.connections(),
            extent.requestsPerSecond(ChoosingAPool.SERVER_SHARE)));
    lines.add(
        "| a step, of 10 us | " + spread(of(rows.keySet().stream(), Figure.STEP_MICROS)) + " us |");
    for (Beside beside : List.of(Beside.IN_PARTS, Beside.AS_ONE)) {
      lines.add(
          String.format(Locale.ROOT, "| a task of a computation, of %.0f ms | ", taskMillis(beside))
              + spread(of(all(beside), Figure.TASK_MILLIS))
              + " ms |");
    }
    for (Load load : Load.values()) {
      lines.add(
          "| work of the busiest worker, thread per core, "
              + name(load)
              + " | "
              + spread(of(Stream.of(new Alone(load, Flavor.THREAD_PER_CORE)), Figure.BUSIEST))
              + " % |");
    }
    return lines;
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch"); // no such file here
    }
  }

  private void table(
      List<String> lines, String what, List<? extends Case> cases, Figure done, String nameOfDone) {
    lines.add(
        "| "
            + what
            + " | p50, us | p99, us | p99 of the light, us | "
            + nameOfDone
            + " | sent late, p50, us | sent late, p99, us |");
    lines.add("|---|---|---|---|---|---|---|");
    for (Case each : cases) {
      List<Figure> figures = Stream.of(ANSWERS, List.of(done), LATE).flatMap(List::stream).toList();
      lines.add(
          "| "
              + name(each)
              + figures.stream()
                  .map(figure -> " | " + spread(of(Stream.of(each), figure)))
                  .collect(Collectors.joining())
              + " |");
    }
  }

  private static void comparisons(List<String> lines, String nameOfDone) {
    lines.add("| ratio | p50 | p99 | p99 of the light | " + nameOfDone + " |");
    lines.add("|---|---|---|---|---|");
  }

  private void comparison(List<String> lines, Load load, Beside beside, Place one, Place other) {
    comparison(
        lines,
        name(load) + ", " + name(beside) + ": " + name(one) + " / " + name(other),
        new Together(load, beside, one),
        new Together(load, beside, other),
        Figure.COMPUTATIONS);
  }

  /** Round by round: what a round has in common does not count. */
  private void comparison(List<String> lines, String name, Case one, Case other, Figure done) {
    StringBuilder line = new StringBuilder("| " + name);
    for (Figure figure : Stream.concat(ANSWERS.stream(), Stream.of(done)).toList()) {
      double[] ones = of(Stream.of(one), figure);
      double[] others = of(Stream.of(other), figure);
      double[] ratios =
          IntStream.range(0, ones.length).mapToDouble(r -> ones[r] / others[r]).sorted().toArray();
      boolean below = ratios[ratios.length - 1] < 1;
      boolean above = ratios[0] > 1;
      String verdict =
          below || above
              ? (below == (figure == Figure.COMPUTATIONS) ? "worse" : "better")
              : "level";
      line.append(" | ")
          .append(ratio(ratios[ratios.length / 2]))
          .append(" [")
          .append(ratio(ratios[0]))
          .append("..")
          .append(ratio(ratios[ratios.length - 1]))
          .append("] ")
          .append(verdict);
    }
    lines.add(line + " |");
  }

  private static String name(Case measured) {
    return switch (measured) {
      case Alone(Load load, Flavor flavor) ->
          name(load) + ", " + (flavor == Flavor.WORK_STEALING ? "stealing" : "thread per core");
      case Together(Load load, Beside beside, _) when beside == Beside.NONE ->
          name(load) + ", no computations";
      case Together(Load load, Beside beside, Place place) ->
          name(load) + ", " + name(beside) + ", " + name(place);
    };
  }

  private static String name(Load load) {
    return load.name().toLowerCase(Locale.ROOT);
  }

  private static String name(Beside beside) {
    return String.format(Locale.ROOT, "tasks of %.0f ms", taskMillis(beside));
  }

  private static String name(Place place) {
    return switch (place) {
      case THE_SAME_POOL -> "one pool";
      case ITS_BACKGROUND -> "background";
      case ANOTHER_POOL -> "two pools";
    };
  }

  private static double taskMillis(Beside beside) {
    return ChoosingAPool.PARTS * ChoosingAPool.PART_MICROS / 1e3 / beside.parts;
  }

  /** What the list takes at least. */
  private double listMillis() {
    return extent.listOfEach()
        * extent.connections()
        * ServerLoad.STEPS
        * ChoosingAPool.STEP_MICROS
        / extent.workers()
        / 1e3;
  }

  /** Every way in which the work was not what the page says; none if all is well. */
  List<String> untrue() {
    List<String> lines = new ArrayList<>();
    for (Case each : rows.keySet()) {
      double step = median(of(Stream.of(each), Figure.STEP_MICROS));
      if (isOff(step, ChoosingAPool.STEP_MICROS)) {
        lines.add(
            name(each) + ": a step of 10 us took " + String.format(Locale.ROOT, "%.2f us", step));
      }
      if (each instanceof Together(_, Beside beside, _) && beside != Beside.NONE) {
        double task = median(of(Stream.of(each), Figure.TASK_MILLIS));
        if (isOff(task, taskMillis(beside))) {
          lines.add(name(each) + ": a task took " + String.format(Locale.ROOT, "%.2f ms", task));
        }
      } else if (each instanceof Alone) {
        double list = Arrays.stream(of(Stream.of(each), Figure.LIST_MILLIS)).min().orElseThrow();
        if (list < listMillis() * (1 - TOLERANCE)) {
          lines.add(name(each) + ": the list took " + String.format(Locale.ROOT, "%.1f ms", list));
        }
      }
    }
    return lines;
  }

  private static boolean isOff(double measured, double said) {
    return Math.abs(measured - said) > TOLERANCE * said;
  }

  /** Writes the tables between the marks of the page. */
  void write() throws IOException {
    if (!untrue().isEmpty()) {
      throw new IllegalStateException("the page is not written, for it would not be true");
    }
    Path page = Path.of(System.getProperty("samples.home"), "docs", "guide", "choosing.md");
    Files.writeString(page, between(Files.readString(page)));
  }

  /** The page with these tables in the place of what it had. */
  String between(String page) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("the page lacks its marks: " + BEGIN + ", " + END);
    }
    return page.substring(0, begin)
        + BEGIN
        + "\n\n"
        + String.join("\n", lines())
        + "\n\n"
        + page.substring(end);
  }

  private static Stream<Case> all(Beside beside) {
    return ChoosingAPool.pools().stream().filter(each -> each.beside() == beside).map(each -> each);
  }

  /** Of each round; none if the cases have no such figure. */
  private double[] of(Stream<? extends Case> cases, Figure figure) {
    return cases
        .flatMap(each -> rows.getOrDefault(each, List.of()).stream())
        .flatMap(row -> Stream.ofNullable(row.figures().get(figure)))
        .mapToDouble(value -> value)
        .toArray();
  }

  private static double median(double[] figures) {
    return Arrays.stream(figures).sorted().toArray()[figures.length / 2];
  }

  private static String spread(double[] figures) {
    if (figures.length == 0) {
      return "-";
    }
    return number(median(figures))
        + " ["
        + number(Arrays.stream(figures).min().orElseThrow())
        + ".."
        + number(Arrays.stream(figures).max().orElseThrow())
        + "]";
  }

  private static String ratio(double ratio) {
    return ratio < 0.1
        ? String.format(Locale.ROOT, "%.3f", ratio)
        : String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static String number(double figure) {
    return figure < 100
        ? String.format(Locale.ROOT, "%.1f", figure)
        : String.format(Locale.ROOT, "%,.0f", figure);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }
}
