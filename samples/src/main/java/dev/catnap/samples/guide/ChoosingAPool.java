package dev.catnap.samples.guide;

import dev.catnap.Flavor;
import dev.catnap.WorkStealingScheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Measures what the page about choosing says: the same server on workers that steal and on a thread
 * per core, under even and uneven load; and its answers beside long computations, in one pool and
 * in two, under both loads.
 */
public final class ChoosingAPool {
  static final double STEP_MICROS = 10;

  /** A computation, in parts or as one task. */
  static final int PARTS = 15;

  static final double PART_MICROS = 2_000;

  /** Of what all processors can do. */
  static final double SERVER_SHARE = 0.5;

  /** The same, where long computations have the rest. */
  static final double SERVER_SHARE_BESIDE = 0.2;

  private static final int CONNECTIONS_PER_WORKER = 32;

  /** Of the time for each figure: what a new pool has to come to its pace, unmeasured. */
  private static final double PACE = 0.15;

  /** How the work is spread over the connections. */
  enum Load {
    EVEN,
    UNEVEN
  }

  /** Which long computations there are, as many as workers at every moment. */
  enum Beside {
    NONE(0),
    IN_PARTS(PARTS),
    AS_ONE(1);

    final int parts;

    Beside(int parts) {
      this.parts = parts;
    }
  }

  /** Where they run. */
  enum Place {
    THE_SAME_POOL,
    ITS_BACKGROUND,
    ANOTHER_POOL
  }

  /** What is measured. */
  sealed interface Case {
    Load load();
  }

  /**
   * The server alone.
   *
   * @param load of the server
   * @param flavor of its pool
   */
  record Alone(Load load, Flavor flavor) implements Case {}

  /**
   * The server, in a pool that steals, beside something else.
   *
   * @param load of the server
   * @param beside what else there is
   * @param place of that
   */
  record Together(Load load, Beside beside, Place place) implements Case {}

  /** In the order of the page. */
  static List<Alone> flavors() {
    List<Alone> all = new ArrayList<>();
    for (Load load : Load.values()) {
      for (Flavor flavor : Flavor.values()) {
        all.add(new Alone(load, flavor));
      }
    }
    return all;
  }

  /** In the order of the page. */
  static List<Together> pools() {
    List<Together> all = new ArrayList<>();
    for (Load load : Load.values()) {
      all.add(new Together(load, Beside.NONE, Place.THE_SAME_POOL));
      for (Beside beside : List.of(Beside.IN_PARTS, Beside.AS_ONE)) {
        for (Place place : Place.values()) {
          all.add(new Together(load, beside, place));
        }
      }
    }
    return all;
  }

  /** A figure of a round. */
  enum Figure {
    P50_MICROS,
    P99_MICROS,
    /** Of requests to connections that are not heavy. */
    LIGHT_P99_MICROS,
    /** Until the list of requests was answered. */
    LIST_MILLIS,
    /** Computations per second. */
    COMPUTATIONS,
    /** How late requests were sent. */
    LATE_P50_MICROS,
    LATE_P99_MICROS,
    /** What a step of an even load took; of an uneven load, by its work. */
    STEP_MICROS,
    /** CPU time of a long task. */
    TASK_MILLIS,
    /** Percent of the server's work that the busiest worker of a thread per core has. */
    BUSIEST
  }

  /**
   * Of a case in a round.
   *
   * @param figures those that the case has
   * @param requests that were answered on schedule
   * @param listed requests that were answered off the list
   * @param computations that came to their end
   */
  record Row(Map<Figure, Double> figures, int requests, int listed, long computations) {}

  /**
   * How much is measured.
   *
   * @param workers of each pool
   * @param unitsPerMicro of a processor
   * @param seconds for each figure
   * @param rounds of all cases
   */
  record Extent(int workers, double unitsPerMicro, double seconds, int rounds) {
    int connections() {
      return workers * CONNECTIONS_PER_WORKER;
    }

    /** Such that uneven loads have the same work. */
    int stepUnits() {
      return (int) Math.max(1, Math.round(STEP_MICROS * unitsPerMicro / 15)) * 15;
    }

    int partUnits(int parts) {
      return (int) Math.round(PARTS * PART_MICROS * unitsPerMicro / parts);
    }

    double requestsPerSecond(double share) {
      return share * workers * 1e6 / (ServerLoad.STEPS * STEP_MICROS);
    }

    /** The list has work for half of the time of a figure. */
    double listSeconds() {
      return seconds / 2;
    }

    int listOfEach() {
      return (int) Math.max(1, Math.round(listSeconds() * requestsPerSecond(1) / connections()));
    }

    Extent shorter(int times) {
      return new Extent(workers, unitsPerMicro, seconds / times, 1);
    }
  }

  private final Extent extent;

  private ChoosingAPool(Extent extent) {
    this.extent = extent;
  }

  /**
   * Prints the tables.
   *
   * @param args {@code --page} to write them into the page; milliseconds for each figure, 2,000 by
   *     default; rounds, 5 by default
   */
  public static void main(String[] args) throws Exception {
    List<String> numbers = new ArrayList<>(List.of(args));
    boolean page = numbers.remove("--page");
    if (numbers.size() > 2) {
      throw new IllegalArgumentException("[--page] [MILLIS [ROUNDS]]: " + List.of(args));
    }
    int millis = numbers.isEmpty() ? 2_000 : above0(numbers.get(0), "milliseconds");
    int rounds = numbers.size() < 2 ? 5 : above0(numbers.get(1), "rounds");
    int workers = Runtime.getRuntime().availableProcessors();
    Extent extent = new Extent(workers, Work.unitsPerMicro(workers), millis / 1e3, rounds);
    measure(extent.shorter(5)); // for the JIT compiler
    ChoosingAPoolReport report =
        new ChoosingAPoolReport(
            extent, measure(extent), "choosing-a-pool " + String.join(" ", args));
    report.lines().forEach(System.out::println);
    report.untrue().forEach(System.err::println);
    if (page) {
      report.write();
    }
  }

  private static int above0(String number, String what) {
    int n = Integer.parseInt(number);
    if (n < 1) {
      throw new IllegalArgumentException(what + " must be above zero: " + number);
    }
    return n;
  }

  /** All cases in each round, in an order by chance: whatever changes with time changes all. */
  static Map<Case, List<Row>> measure(Extent extent) {
    ChoosingAPool program = new ChoosingAPool(extent);
    Map<Case, List<Row>> rows = new HashMap<>();
    for (int round = 0; round < extent.rounds; round++) {
      List<Case> cases = new ArrayList<>(flavors());
      cases.addAll(pools());
      Collections.shuffle(cases, new Random(round));
      for (Case each : cases) {
        System.gc(); // not of what the case before has left
        rows.computeIfAbsent(each, c -> new ArrayList<>()).add(program.row(each, round));
      }
    }
    return rows;
  }

  private WorkStealingScheduler pool(Flavor flavor) {
    return WorkStealingScheduler.builder().flavor(flavor).parallelism(extent.workers).build();
  }

  private Row row(Case measured, int round) {
    // Cases of the same load have the same heavy connections in a round, and the same requests.
    int[] units =
        measured.load() == Load.EVEN
            ? ServerLoad.even(extent.connections(), extent.stepUnits())
            : ServerLoad.uneven(extent.connections(), extent.stepUnits(), round);
    return switch (measured) {
      case Alone(_, Flavor flavor) -> {
        try (var pool = pool(flavor)) {
          yield alone(pool, units, round);
        }
      }
      case Together(_, Beside beside, Place place) -> {
        try (var pool = pool(Flavor.WORK_STEALING)) {
          yield switch (place) {
            case THE_SAME_POOL -> together(pool, pool, beside, units, round);
            case ITS_BACKGROUND -> together(pool, pool.background(), beside, units, round);
            case ANOTHER_POOL -> {
              try (var other = pool(Flavor.WORK_STEALING)) {
                yield together(pool, other, beside, units, round);
              }
            }
          };
        }
      }
    };
  }

  private Row alone(WorkStealingScheduler pool, int[] units, int round) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    IntFunction<Executor> homes = c -> pool;
    if (!pool.adapter().homes().isEmpty()) {
      // A connection belongs to a worker if they do not steal; else any may take its requests.
      homes = pool::confinedByKey;
      figures.put(Figure.BUSIEST, busiest(homes, units));
    }
    ServerLoad load = new ServerLoad(pool, homes, units);
    int ofEach = extent.listOfEach();
    load.finish((int) Math.max(1, ofEach * PACE));
    figures.put(Figure.LIST_MILLIS, load.finish(ofEach) / 1e6);
    load.serve(schedule(SERVER_SHARE, PACE, ~round));
    int requests = serve(load, units, schedule(SERVER_SHARE, 1, round), figures);
    return new Row(figures, requests, ofEach * units.length, 0);
  }

  private static double busiest(IntFunction<Executor> homes, int[] units) {
    Map<Thread, Integer> unitsOf = new HashMap<>();
    for (int c = 0; c < units.length; c++) {
      Thread worker = CompletableFuture.supplyAsync(Thread::currentThread, homes.apply(c)).join();
      unitsOf.merge(worker, units[c], Integer::sum);
    }
    return 100.0 * Collections.max(unitsOf.values()) / Arrays.stream(units).sum();
  }

  private Row together(
      WorkStealingScheduler pool, Executor batch, Beside beside, int[] units, int round) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    ServerLoad load = new ServerLoad(pool, c -> pool, units);
    ServerLoad.Schedule pace = schedule(SERVER_SHARE_BESIDE, PACE, ~round);
    ServerLoad.Schedule schedule = schedule(SERVER_SHARE_BESIDE, 1, round);
    if (beside == Beside.NONE) {
      load.serve(pace);
      return new Row(figures, serve(load, units, schedule, figures), 0, 0);
    }
    int partUnits = extent.partUnits(beside.parts);
    int requests;
    Computations computations = new Computations(batch, extent.workers, beside.parts, partUnits);
    try (computations) { // before their pool is
      load.serve(pace);
      double before = computations.done();
      long start = System.nanoTime();
      requests = serve(load, units, schedule, figures);
      while (computations.done() == before) {
        LockSupport.parkNanos(100_000); // that none ran in a short time is no rate
      }
      double ran = computations.done() - before;
      figures.put(Figure.COMPUTATIONS, ran * 1e9 / (System.nanoTime() - start));
    }
    figures.put(Figure.TASK_MILLIS, computations.unitNanos() * partUnits / 1e6);
    return new Row(figures, requests, 0, computations.ended());
  }

  private ServerLoad.Schedule schedule(double share, double part, int seed) {
    return ServerLoad.Schedule.of(
        extent.connections(), extent.requestsPerSecond(share), part * extent.seconds, seed);
  }

  private int serve(
      ServerLoad load, int[] units, ServerLoad.Schedule schedule, Map<Figure, Double> figures) {
    ServerLoad.Served served = load.serve(schedule);
    long[] light =
        IntStream.range(0, schedule.requests())
            .filter(r -> units[schedule.connection(r)] <= extent.stepUnits())
            .mapToLong(r -> served.tookNanos[r])
            .toArray();
    figures.put(Figure.P50_MICROS, percentile(served.tookNanos, 50) / 1e3);
    figures.put(Figure.P99_MICROS, percentile(served.tookNanos, 99) / 1e3);
    figures.put(Figure.LIGHT_P99_MICROS, percentile(light, 99) / 1e3);
    figures.put(Figure.LATE_P50_MICROS, percentile(served.lateNanos, 50) / 1e3);
    figures.put(Figure.LATE_P99_MICROS, percentile(served.lateNanos, 99) / 1e3);
    double[] unitNanos = Arrays.stream(served.unitNanos).sorted().toArray();
    figures.put(Figure.STEP_MICROS, unitNanos[unitNanos.length / 2] * extent.stepUnits() / 1e3);
    return schedule.requests();
  }

  private static long percentile(long[] nanos, int percent) {
    long[] sorted = Arrays.stream(nanos).sorted().toArray();
    return sorted[(int) ((sorted.length - 1L) * percent / 100)];
  }
}
